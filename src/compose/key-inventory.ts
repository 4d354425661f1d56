import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyFile } from '../platform/backup/manifest.ts'

/** Folders with one file for each run or user: they are counted and not listed. */
const MANY = new Set(['pii', 'subjects'])

/** Returns the key files of a home, which a backup does not contain, with fingerprints to compare them. */
export function keyFiles(home: string): readonly KeyFile[] {
  const found: KeyFile[] = []
  const visit = (folder: string, place: string): void => {
    if (!existsSync(folder)) return
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      const file = `${place}/${entry.name}`
      if (entry.isDirectory() && !(place === 'keys' && MANY.has(entry.name))) visit(path, file)
      if (entry.isFile() && !entry.name.endsWith('.new'))
        found.push({ file, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') })
    }
  }
  visit(join(home, 'keys'), 'keys')
  return found.sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** Returns the files of a backup's installation that this home does not have, and those that differ. */
export function comparedKeys(
  home: string,
  wanted: readonly KeyFile[],
): { readonly missing: readonly string[]; readonly different: readonly string[] } {
  const here = new Map(keyFiles(home).map(({ file, sha256 }) => [file, sha256]))
  const missing = wanted.filter(({ file }) => !here.has(file)).map(({ file }) => file)
  const different = wanted.filter(({ file, sha256 }) => here.has(file) && here.get(file) !== sha256)
  return { missing, different: different.map(({ file }) => file) }
}
