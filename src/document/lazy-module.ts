import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'

/**
 * Returns a function that loads a module of ours synchronously at its first call: for modules that most runs do not need.
 * The caller also imports the module as a type (`import type * as Part from './part.ts'`), so that the linter, the
 * compiler and knip follow it. `test/house/layers.test.ts` checks that both name the same module.
 * @param from `import.meta.filename` of the caller
 * @param path the specifier of the import; in the built package the module has the extension of its caller, `.js`
 */
export function lazyModule<Module>(from: string, path: string): () => Module {
  let module: Module | undefined
  return () => {
    module ??= createRequire(from)(
      join(dirname(from), path.slice(0, -extname(path).length) + extname(from)),
    ) as Module
    return module
  }
}
