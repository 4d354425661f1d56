import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TestResults } from './test-results.ts'

/**
 * Folders whose tests start no process or server and change nothing outside of them: in a run of the whole suite, several
 * of their files share a process, because starting one costs as much as most of their tests.
 */
const SHARED = [
  'condition',
  'document',
  'plan',
  'policy',
  'run',
  'schema',
  'secret',
  'session',
  'settings',
  'spec',
  'trust',
]

/** It loads the modules of other tests in another way. */
const ALONE = ['test/run/in-legs.test.ts']

/** A run of fewer files starts a process for each, and programs from the sources. */
export const LEAST_FILES = 200

/** Files that one process runs at most, and how long they may take together, in milliseconds. */
const MOST_FILES = 12
const MOST_MS = 12_000

const TYPICAL_MS = 1_000

/** What one process runs: a file of tests, or a file that imports several. */
export interface TestUnit {
  /** Relative to the root. */
  readonly file: string
  readonly members: readonly string[]
}

/** Returns the processes of a run, by the folders of the files and by how long these took before. */
export function unitsOf(files: readonly string[], former: TestResults): readonly TestUnit[] {
  if (files.length < LEAST_FILES) return files.map((file) => ({ file, members: [file] }))
  const units: TestUnit[] = []
  const groups = new Map<string, string[][]>()
  for (const file of files) {
    const [, folder = ''] = file.split('/')
    const ms = former[file]?.durationMs ?? TYPICAL_MS
    if (!SHARED.includes(folder) || ALONE.includes(file) || ms > MOST_MS / 2) {
      units.push({ file, members: [file] })
      continue
    }
    const known = groups.get(folder) ?? [[]]
    groups.set(folder, known)
    const last = known.at(-1) ?? []
    const sum = last.reduce((all, one) => all + (former[one]?.durationMs ?? TYPICAL_MS), 0)
    if (last.length >= MOST_FILES || sum + ms > MOST_MS) known.push([file])
    else last.push(file)
  }
  for (const [folder, lists] of groups)
    for (const [index, members] of lists.entries())
      units.push({ file: join(FOLDER, `${folder}-${index + 1}.mjs`), members })
  return units
}

const FOLDER = join('node_modules', '.cache', 'waybill-test-groups')

/** Writes the files of units with several members. */
export function writeUnits(root: string, units: readonly TestUnit[]): void {
  rmSync(join(root, FOLDER), { recursive: true, force: true })
  mkdirSync(join(root, FOLDER), { recursive: true })
  for (const { file, members } of units) {
    if (!file.startsWith(FOLDER)) continue
    const imports = members.map((member) => `import '${pathToFileURL(join(root, member)).href}'\n`)
    writeFileSync(join(root, file), imports.join(''))
  }
}
