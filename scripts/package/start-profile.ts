import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadedFiles } from '../loaded-files.ts'

type Starts = Readonly<Record<string, readonly string[]>>

interface Group {
  /** The first start that loads these files. */
  readonly name: string
  readonly files: ReadonlySet<string>
}

/**
 * Groups the module files that typical starts load. Files that the same starts load form one group, so a start reads
 * only what it needs, from few files. The groups have no cycles: a file imports only files of its own group, and of
 * groups that at least the same starts load.
 * @param starts arguments for Node, of each start by its name; run in the repository, on its sources
 * @throws Error if a start ends with another exit code than 0
 */
export function groupByStarts(root: string, starts: Starts): Group[] {
  const loadedBy = new Map<string, string[]>()
  const home = mkdtempSync(join(tmpdir(), 'waybill-profile-'))
  const env = { PATH: process.env.PATH, HOME: home, WAYBILL_HOME: join(home, 'waybill'), LC_ALL: 'C' }
  try {
    for (const [name, argv] of Object.entries(starts)) {
      const { files, status, stderr } = loadedFiles(argv, { cwd: root, env })
      if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${stderr}`)
      for (const file of new Set(files)) loadedBy.set(file, [...(loadedBy.get(file) ?? []), name])
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
  const groups = Map.groupBy(loadedBy.keys(), (file) => loadedBy.get(file)?.join() ?? '')
  return [...groups].map(([names, files]) => ({ name: names.split(',')[0] ?? names, files: new Set(files) }))
}

/**
 * Returns the starts whose modules are bundled together, the most common first.
 * @param folder where a definition is written as JSON for them
 */
export function typicalStarts(root: string, folder: string): Starts {
  const yaml = 'examples/parcel-clerk/clerk.yaml'
  const main = 'bin/main.mjs'
  const json = join(folder, 'sample.json')
  writeFileSync(
    json,
    execFileSync(process.execPath, [main, 'transcode', yaml, '--to', 'json'], { cwd: root }),
  )
  return {
    start: [main, '--version'],
    validate: [main, 'validate', json],
    yaml: [main, 'validate', yaml],
    plan: [main, 'plan', yaml, '--assume-secret', 'OPENAI_API_KEY'],
    run: [main, 'run', yaml, '--rehearse', '--input', 'Where is 1Z?'],
    document: ['src/document/index.ts'],
    library: ['src/index.ts'],
  }
}
