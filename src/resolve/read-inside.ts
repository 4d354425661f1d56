import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'

export type ReadInside =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string }

/**
 * Reads a text file inside a folder. Links are followed first, so a link cannot lead out.
 * @param maxBytes larger files are not read
 * @param hidden whether files may be read whose path has a part that begins with a dot: there lie settings and keys,
 *   and a definition names what a stranger has thought of
 */
export function readInside(
  folder: string | undefined,
  path: string,
  maxBytes: number,
  { hidden = false }: { readonly hidden?: boolean } = {},
): ReadInside {
  if (folder === undefined) return { ok: false, reason: 'the definition has no folder of its own' }
  try {
    const root = realpathSync(folder)
    const file = realpathSync(resolve(root, path))
    const inside = relative(root, file)
    if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
      return { ok: false, reason: "it lies outside the definition's folder" }
    }
    if (!hidden && inside.split(sep).some((part) => part.startsWith('.')))
      return { ok: false, reason: 'it is a hidden file, or lies in a hidden folder' }
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
