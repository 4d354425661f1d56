import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageOf } from './bundled-packages.ts'

interface PublishedTypes {
  readonly files: ReadonlySet<string>
  /** Packages whose types they use. */
  readonly packages: ReadonlySet<string>
}

/**
 * Finds the declaration files that entries reach, by following their imports.
 * @param entries paths of `.d.ts` files
 * @throws Error if a relative import names a file that does not exist
 */
export function reachedTypes(entries: readonly string[]): PublishedTypes {
  const files = new Set<string>()
  const packages = new Set<string>()
  const waiting = [...entries]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue
    files.add(file)
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g,
    )) {
      if (!specifier.startsWith('.')) {
        packages.add(packageOf(specifier))
        continue
      }
      const target = join(
        dirname(file),
        specifier.replace(/\.[jt]s$/, '.d.ts').replace(/\.d\.d\.ts$/, '.d.ts'),
      )
      if (!existsSync(target)) throw new Error(`${file} imports ${specifier}, which does not exist`)
      waiting.push(target)
    }
  }
  return { files, packages }
}
