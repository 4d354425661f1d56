import { glob, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { readFileStart } from '../../document/read-file.ts'
import { locateInside } from '../../document/read-inside.ts'

export type FoundFiles =
  | {
      readonly files: readonly string[]
      /** The folder that was searched; absent if the argument is a file. */
      readonly searched?: string
    }
  /** The reason why no file was found. */
  | { readonly missing: string }

/** File extensions that are searched for in a directory. */
const DOCUMENTS = '**/*.{json,yaml,yml,cbor,msgpack,mpk}'
const DOCUMENTS_AND_STREAMS = '**/*.{json,yaml,yml,cbor,msgpack,mpk,ndjson,jsonl}'
const SKIPPED = new Set(['node_modules', '.git'])

/**
 * Returns the files that an argument selects: a file, all documents below a directory, or the matches of a glob.
 * @param streams whether files that are read line by line count as documents of a directory
 */
export async function findFiles(argument: string, cwd: string, streams = false): Promise<FoundFiles> {
  const path = resolve(cwd, argument)
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() === true) {
    const files = await matches(streams ? DOCUMENTS_AND_STREAMS : DOCUMENTS, path)
    const shown = files.map((file) =>
      isAbsolute(argument) ? join(path, file) : relative(cwd, join(path, file)),
    )
    return shown.length > 0
      ? { files: shown, searched: path }
      : { missing: 'the directory contains no .json, .yaml, .cbor or .msgpack file' }
  }
  if (found !== undefined) return { files: [argument] }
  if (!/[*?[{]/.test(argument)) return { missing: 'there is no such file' }
  const files = await matches(argument, cwd)
  const searched = resolve(
    cwd,
    argument.split('/').slice(0, fixedParts(argument)).join('/') || (isAbsolute(argument) ? '/' : '.'),
  )
  return files.length > 0 ? { files, searched } : { missing: 'no file matches this pattern' }
}

/** Returns the number of leading parts of a pattern that are plain folder names. */
function fixedParts(pattern: string): number {
  return pattern.split('/').findIndex((part) => /[*?[{]/.test(part))
}

/**
 * Reads a file that {@link findFiles} returned, without following links that lead outside of the searched folder.
 * @param maxBytes at most so many bytes are read
 * @throws the errors of the file system; an error with code FILE_NOT_REGULAR, FILE_MOVED, FILE_UNREADABLE or EISDIR
 */
export function readFound(file: string, cwd: string, searched: string | undefined, maxBytes: number): Buffer {
  const path = resolve(cwd, file)
  if (searched === undefined) return readFileStart(path, maxBytes, 'given')
  const located = locateInside(searched, path, { hidden: true, named: 'the folder that was searched' })
  if (located.ok) return readFileStart(located.file, maxBytes, 'placed')
  throw Object.assign(new Error(located.reason), { code: 'FILE_UNREADABLE' })
}

async function matches(pattern: string, cwd: string): Promise<string[]> {
  const files: string[] = []
  const entries = glob(pattern, { cwd, withFileTypes: true, exclude: (entry) => SKIPPED.has(entry.name) })
  for await (const entry of entries) {
    // Lock files are next to definitions, but they are not documents.
    if (!entry.isDirectory() && !entry.name.endsWith('.lock.json'))
      files.push(relativeTo(cwd, join(entry.parentPath, entry.name), pattern))
  }
  return files.sort()
}

function relativeTo(cwd: string, file: string, pattern: string): string {
  return isAbsolute(pattern) ? file : relative(cwd, file)
}
