import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'

export type ReadInside =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string }

/**
 * Reads a text file inside a folder. Links are followed first, so a link cannot lead out.
 * @param maxBytes larger files are not read
 */
export function readInside(folder: string | undefined, path: string, maxBytes: number): ReadInside {
  if (folder === undefined) return { ok: false, reason: 'the definition has no folder of its own' }
  try {
    const root = realpathSync(folder)
    const file = realpathSync(resolve(root, path))
    const inside = relative(root, file)
    if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
      return { ok: false, reason: "it lies outside the definition's folder" }
    }
    const { size } = statSync(file)
    if (size > maxBytes) return { ok: false, reason: `it has ${size} bytes, more than ${maxBytes}` }
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)) }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return {
      ok: false,
      reason:
        code === 'ENOENT'
          ? 'there is no such file'
          : code === 'EISDIR'
            ? 'it is a folder'
            : error instanceof TypeError
              ? 'it is not UTF-8 text'
              : String(code),
    }
  }
}
