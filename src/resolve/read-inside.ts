import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { whyUnreadable } from '../document/why-unreadable.ts'

export type ReadInside =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string }

export type LocatedInside =
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly reason: string }

interface InsideOptions {
  /**
   * Whether hidden files and folders may be used. They often contain settings and keys, and the paths in a definition
   * are untrusted.
   */
  readonly hidden?: boolean
}

/** Returns the absolute path of a file inside a folder. Resolves links first, so that a link cannot leave the folder. */
export function locateInside(
  folder: string | undefined,
  path: string,
  { hidden = false }: InsideOptions = {},
): LocatedInside {
  if (folder === undefined) return { ok: false, reason: 'the definition does not come from a folder' }
  try {
    const root = realpathSync(folder)
    const file = realpathSync(resolve(root, path))
    const inside = relative(root, file)
    if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
      return { ok: false, reason: 'it is outside the folder of the definition' }
    if (!hidden && inside.split(sep).some((part) => part.startsWith('.')))
      return { ok: false, reason: 'it is a hidden file, or is in a hidden folder' }
    return { ok: true, file }
  } catch (error) {
    return { ok: false, reason: whyNot(error) }
  }
}

/**
 * Reads a text file inside a folder; see {@link locateInside}.
 * @param maxBytes larger files are not read
 */
export function readInside(
  folder: string | undefined,
  path: string,
  maxBytes: number,
  options: InsideOptions = {},
): ReadInside {
  const located = locateInside(folder, path, options)
  if (!located.ok) return located
  const { file } = located
  try {
    const { size } = statSync(file)
    if (size > maxBytes) return { ok: false, reason: `it has ${size} bytes, more than ${maxBytes}` }
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)) }
  } catch (error) {
    return { ok: false, reason: whyNot(error) }
  }
}

function whyNot(error: unknown): string {
  return error instanceof TypeError ? 'it is not UTF-8 text' : whyUnreadable(error)
}
