import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TestResults } from './test-results.ts'

/**
 * Folders whose tests change nothing outside of them, or only homes, databases and servers of their own: in a run of the
 * whole suite, several of their files share a process, because starting one costs as much as most of their tests.
 */
const SHARED = [
  'cli',
  'condition',
  'document',
  'library',
  'plan',
  'platform',
  'policy',
  'redteam',
  'run',
  'schema',
  'secret',
  'server',
  'session',
  'settings',
  'spec',
  'state',
  'telemetry',
  'trust',
]

/** They load modules of others in another way, change the process, or start a server of PostgreSQL. */
const ALONE =
  /^test\/(run\/in-legs|platform\/(embedded|functions|host-names|records\/crashed-server)|cli\/(schedules|watch))/

/** Hooks of a file are called for all files of its process. */
const HOOKS = /^(before|after)(Each)?\(/m

/** A run of fewer files starts a process for each, and programs from the sources. */
export const LEAST_FILES = 200

/** Files that one process runs at most, and how long they may take together, in milliseconds. */
const MOST_FILES = 12
const MOST_MS = 20_000

/** How long files take that have not run here yet, in milliseconds. */
const TYPICAL_MS: readonly (readonly [path: RegExp, ms: number])[] = [
  [/^test\/(fault\/(platform|moving)|house\/docs-commands|cli\/terminal)|\/moving|\.slow\./, 30_000],
  [
    /^test\/(library\/types|platform\/(receipts|receive-state|backup)|redteam\/tenants|server\/fuzz)\./,
    11_000,
  ],
  [/^test\/(e2e|fault)\//, 8_000],
  [/^test\/(cli|platform|redteam)\//, 4_000],
]
const LEAST_MS = 1_000

/** What one process runs: a file of tests, or a file that imports several. */
export interface TestUnit {
  /** Relative to the root. */
  readonly file: string
  readonly members: readonly string[]
}

/**
 * Returns the processes of a run, by the folders of the files and by how long these took before; the longest first, so
 * that none of them is left at the end.
 * @param read returns the text of a file
 */
export function unitsOf(
  files: readonly string[],
  former: TestResults,
  read: (file: string) => string,
): readonly TestUnit[] {
  const msOf = (file: string) =>
    former[file]?.durationMs ?? TYPICAL_MS.find(([path]) => path.test(file))?.[1] ?? LEAST_MS
  const units: TestUnit[] = []
  const groups = new Map<string, string[][]>()
  for (const file of files) {
    const [, folder = ''] = file.split('/')
    const ms = msOf(file)
    const mayShare = files.length >= LEAST_FILES && SHARED.includes(folder) && !ALONE.test(file)
    if (!mayShare || ms > MOST_MS / 2 || HOOKS.test(read(file))) {
      units.push({ file, members: [file] })
      continue
    }
    const known = groups.get(folder) ?? [[]]
    groups.set(folder, known)
    const last = known.at(-1) ?? []
    const sum = last.reduce((all, one) => all + msOf(one), 0)
    if (last.length >= MOST_FILES || sum + ms > MOST_MS) known.push([file])
    else last.push(file)
  }
  for (const [folder, lists] of groups)
    for (const [index, members] of lists.entries())
      units.push({ file: join(FOLDER, `${folder}-${index + 1}.mjs`), members })
  const total = ({ members }: TestUnit) => members.reduce((sum, file) => sum + msOf(file), 0)
  return units.sort((a, b) => total(b) - total(a))
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
