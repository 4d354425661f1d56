import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'

/**
 * Returns the line of a module at which loading it failed, or undefined if it is not known. Node reports the line of a
 * syntax error in JavaScript only to a terminal, so the module is checked once more without running it.
 */
export function brokenLine(file: string, error: unknown): number | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const thrown = lineIn(stack, file)
  if (thrown !== undefined || !(error instanceof SyntaxError)) return thrown
  const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 10_000 })
  return lineIn(stderr ?? '', file)
}

function lineIn(text: string, file: string): number | undefined {
  for (const name of [pathToFileURL(file).href, file]) {
    const at = text.indexOf(`${name}:`)
    const line = at < 0 ? undefined : /^\d+/.exec(text.slice(at + name.length + 1))?.[0]
    if (line !== undefined) return Number(line)
  }
  return undefined
}
