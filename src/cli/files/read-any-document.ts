import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Code } from '../../document/codes.ts'
import { defined } from '../../document/defined.ts'
import type { Document, Encoding } from '../../document/document.ts'
import { WaybillError } from '../../document/issue.ts'
import { readDocument } from '../../document/read-document.ts'
import { whyUnreadable } from '../../document/why-unreadable.ts'
import type { Io } from '../io.ts'
import { readAll } from './read-all.ts'

/** How a command speaks of a file that it was to read, when that is not its document. */
export interface FileSpeech {
  /** `the key`; default: the message names no part of the command line. */
  readonly what?: string
  readonly hint?: string
  /** Default: FILE_UNREADABLE. */
  readonly code?: Code
}

/**
 * Reads a file that a command names, or standard input for `-`.
 * @throws FILE_UNREADABLE, or the code of `speech`
 */
export async function readFileOrInput(file: string, io: Io, speech?: FileSpeech): Promise<Buffer> {
  return file === '-' ? readAll(io.stdin) : readNamedFile(file, io, speech)
}

/** {@link readFileOrInput} where `-` is a name like any other. */
export function readNamedFile(file: string, io: Io, speech: FileSpeech = {}): Buffer {
  try {
    return readFileSync(resolve(io.cwd, file))
  } catch (cause) {
    const isFolder = (cause as NodeJS.ErrnoException).code === 'EISDIR'
    const { what, hint = isFolder ? 'name a file in this folder' : 'check the path' } = speech
    const why = whyUnreadable(cause)
    throw new WaybillError(speech.code ?? 'FILE_UNREADABLE', {
      fault: 'usage',
      file,
      message: what === undefined ? why : `${what} cannot be read: ${why}`,
      hint,
      cause,
    })
  }
}

/**
 * Reads a document of any kind in any encoding, for commands that need its data and not its meaning.
 * @throws FILE_UNREADABLE; the first problem that reading found, under its own code
 */
export async function readAnyDocument(file: string, io: Io, encoding?: Encoding): Promise<Document> {
  return parseAnyDocument(await readFileOrInput(file, io), file, encoding)
}

/** {@link readAnyDocument} of bytes that were read already. */
export function parseAnyDocument(bytes: Uint8Array, file: string, encoding?: Encoding): Document {
  const read = readDocument(bytes, {
    ...(file !== '-' && { file }),
    ...defined({ encoding }),
  })
  if (read.document !== undefined) return read.document
  const [first] = read.issues
  throw new WaybillError(first?.code ?? 'DOCUMENT_UNREADABLE', {
    file,
    message: first?.message ?? 'it cannot be read',
    ...(first !== undefined && { at: first.pointer, line: first.line, column: first.column }),
    ...defined({ hint: first?.hint, rule: first?.rule }),
  })
}
