import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Prints the URL of each module file that the process loads, to standard error, past whatever captures it. */
const HOOK = `import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) { if (url.startsWith('file:')) process._rawDebug('LOADED ' + url); return next(url, context) } })`

interface Group {
  /** The first start that loads these files. */
  readonly name: string
  readonly files: ReadonlySet<string>
}

/**
 * Groups the module files that typical starts load: files which are loaded by the same starts form one group, so a
 * start reads only what it needs, from few files. A file in one group imports only files of its own group and of groups
 * that at least the same starts load, therefore the groups have no cycles.
 * @param starts arguments for Node, of each start by its name; run in the repository, on its sources
 * @throws Error when a start ends with anything but 0
 */
export function groupByStarts(root: string, starts: Readonly<Record<string, readonly string[]>>): Group[] {
  const loadedBy = new Map<string, string[]>()
  const home = mkdtempSync(join(tmpdir(), 'waybill-profile-'))
  try {
    for (const [name, argv] of Object.entries(starts)) {
      for (const file of loadedFiles(root, argv, home)) {
        loadedBy.set(file, [...(loadedBy.get(file) ?? []), name])
      }
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
  const groups = Map.groupBy(loadedBy.keys(), (file) => loadedBy.get(file)?.join() ?? '')
  return [...groups].map(([names, files]) => ({ name: names.split(',')[0] ?? names, files: new Set(files) }))
}

function loadedFiles(root: string, argv: readonly string[], home: string): Set<string> {
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`
  const { status, stderr } = spawnSync(process.execPath, ['--import', hook, ...argv], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: { PATH: process.env.PATH, HOME: home, WAYBILL_HOME: join(home, 'waybill'), LC_ALL: 'C' },
  })
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${stderr}`)
  const urls = [...stderr.matchAll(/^LOADED (.*)$/gm)].map(([, url = '']) => new URL(url).pathname)
  return new Set(urls.map(decodeURIComponent))
}
