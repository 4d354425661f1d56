import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'

/**
 * Loads a module of ours at first use, synchronously: for parts that most runs do without.
 * @param from `import.meta.filename` of the caller.
 * @param path relative to the caller, without extension: sources are `.ts`, the built package is `.js`.
 */
export function loadSibling(from: string, path: string): unknown {
  return createRequire(from)(join(dirname(from), path) + extname(from))
}
