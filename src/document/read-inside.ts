import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { readFileWithin } from './read-file.ts'
import { whyUnreadable } from './why-unreadable.ts'

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
  /** The name of the folder in messages. */
  readonly named?: string
}

/**
 * Returns the absolute path of a file inside a folder. Resolves links first, so that a link cannot leave the folder. Read
 * the file with `readFileWithin(file, maxBytes, 'placed')`, which refuses links that were made since then.
 */
export function locateInside(
  folder: string | undefined,
  path: string,
  { hidden = false, named = 'the folder of the definition' }: InsideOptions = {},
): LocatedInside {
  if (folder === undefined) return { ok: false, reason: 'the definition does not come from a folder' }
  try {
    const root = realpathSync(folder)
    const file = realpathSync(resolve(root, path))
    const inside = relative(root, file)
    if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
      return { ok: false, reason: `it is outside ${named}` }
    if (!hidden && inside.split(sep).some((part) => part.startsWith('.')))
      return { ok: false, reason: 'it is a hidden file, or is in a hidden folder' }
    return { ok: true, file }
  } catch (error) {
    return { ok: false, reason: whyUnreadable(error) }
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
  let bytes: Buffer
  try {
    bytes = readFileWithin(located.file, maxBytes, 'placed')
  } catch (error) {
    return { ok: false, reason: whyUnreadable(error) }
  }
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { ok: false, reason: 'it is not UTF-8 text' }
  }
}

/**
 * Reads a file that is next to a definition, such as its lock file. Links may not leave the folder of the file.
 * @param path absolute
 * @returns undefined if there is no such file; a broken link is an error
 */
export function readBeside(
  path: string,
  maxBytes: number,
):
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: string }
  | undefined {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined
    const located = locateInside(dirname(path), basename(path), { hidden: true })
    return located.ok ? { ok: true, bytes: readFileWithin(located.file, maxBytes, 'placed') } : located
  } catch (error) {
    return { ok: false, reason: whyUnreadable(error) }
  }
}
