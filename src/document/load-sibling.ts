import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'

/** What was loaded already, by caller and path: asking again costs a look. */
const loaded = new Map<string, unknown>()

/**
 * Loads a module of ours at first use, synchronously: for parts that most runs do without.
 * @param from `import.meta.filename` of the caller.
 * @param path relative to the caller, without extension: sources are `.ts`, the built package is `.js`.
 */
export function loadSibling(from: string, path: string): unknown {
  const key = `${from} ${path}`
  let module = loaded.get(key)
  if (module === undefined) {
    module = createRequire(from)(join(dirname(from), path) + extname(from))
    loaded.set(key, module)
  }
  return module
}
