/**
 * Returns a function that loads a module of ours synchronously at its first call: for modules that most runs do not need.
 * `load` is `() => require('./part.ts')`, written out, with `const require = createRequire(import.meta.url)`: knip and
 * the bundler follow such a call. The caller also imports the module as a type (`import type * as Part from './part.ts'`)
 * for the compiler and the linter. `test/house/layers.test.ts` checks that both name the same module.
 */
export function lazyModule<Module>(load: () => unknown): () => Module {
  let module: Module | undefined
  return () => {
    module ??= load() as Module
    return module
  }
}
