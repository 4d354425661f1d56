import { glob, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'

export type FoundFiles =
  | { readonly files: readonly string[] }
  /** Nothing is there: the reason. */
  | { readonly missing: string }

/** What a directory is searched for. */
const DOCUMENTS = '**/*.{json,yaml,yml,cbor,msgpack,mpk}'
const DOCUMENTS_AND_STREAMS = '**/*.{json,yaml,yml,cbor,msgpack,mpk,ndjson,jsonl}'
const SKIPPED = new Set(['node_modules', '.git'])

/**
 * The files that an argument of a command means: a file, every document below a directory, or a glob's matches.
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
      ? { files: shown }
      : { missing: 'the directory holds no .json, .yaml, .cbor or .msgpack file' }
  }
  if (found !== undefined) return { files: [argument] }
  if (!/[*?[{]/.test(argument)) return { missing: 'there is no such file or directory' }
  const files = await matches(argument, cwd)
  return files.length > 0 ? { files } : { missing: 'no file matches this pattern' }
}

async function matches(pattern: string, cwd: string): Promise<string[]> {
  const files: string[] = []
  const entries = glob(pattern, { cwd, withFileTypes: true, exclude: (entry) => SKIPPED.has(entry.name) })
  for await (const entry of entries) {
    // Lock files lie beside definitions, and are no documents of any kind.
    if (!entry.isDirectory() && !entry.name.endsWith('.lock.json'))
      files.push(relativeTo(cwd, join(entry.parentPath, entry.name), pattern))
  }
  return files.sort()
}

function relativeTo(cwd: string, file: string, pattern: string): string {
  return isAbsolute(pattern) ? file : relative(cwd, file)
}
