/**
 * Returns a function that loads one of our modules synchronously on its first call, for modules that most runs do not
 * need. `load` must be the literal `() => require('./part.ts')`, with `const require = createRequire(import.meta.url)`,
 * because knip and the bundler follow only this form. The caller also imports the module as a type
 * (`import type * as Part from './part.ts'`) for the compiler and the linter. `test/house/layers.test.ts` checks that
 * both name the same module.
 */
export function lazyModule<Module>(load: () => unknown): () => Module {
  let module: Module | undefined
  return () => {
    module ??= load() as Module
    return module
  }
}
