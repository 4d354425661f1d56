import { spawnSync } from 'node:child_process'

/** Prints the URL of each module file that the process loads, to standard error, even if the program captures it. */
const HOOK = `import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) { if (url.startsWith('file:')) process._rawDebug('LOADED ' + url); return next(url, context) } })`

/** @returns the paths of the module files that a program loads, and its exit code (null after a signal) */
export function loadedFiles(
  argv: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): { readonly files: readonly string[]; readonly status: number | null; readonly stderr: string } {
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`
  const { status, stderr } = spawnSync(process.execPath, ['--import', hook, ...argv], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  const urls = [...stderr.matchAll(/^LOADED (.*)$/gm)].map(([, url = '']) => new URL(url).pathname)
  return { files: urls.map(decodeURIComponent), status, stderr }
}
