import { resolve } from 'node:path'
import type { Code } from '../../document/codes.ts'
import { defined } from '../../document/defined.ts'
import type { Document, Encoding } from '../../document/document.ts'
import { WaybillError } from '../../document/issue.ts'
import { readDocument } from '../../document/read-document.ts'
import { LARGEST_GIVEN_BYTES, readFileWithin } from '../../document/read-file.ts'
import { whyUnreadable } from '../../document/why-unreadable.ts'
import type { Io } from '../io.ts'
import { readAll } from './read-all.ts'

/** The wording of errors about a file that is not the document of the command. */
export interface FileSpeech {
  /** The subject of the message, such as `the key`. Default: the message has no subject. */
  readonly what?: string
  /** How to correct it, or a function of the error of the file system and the path. */
  readonly hint?: string | ((cause: unknown, path: string) => string)
  /** Default: FILE_UNREADABLE, FILE_NOT_REGULAR or FILE_TOO_LARGE. */
  readonly code?: Code
}

/**
 * Reads a file or a pipe, or standard input for `-`.
 * @throws FILE_UNREADABLE, FILE_NOT_REGULAR, FILE_TOO_LARGE, or the code of `speech`
 */
export async function readFileOrInput(file: string, io: Io, speech?: FileSpeech): Promise<Buffer> {
  return file === '-' ? readAll(io.stdin) : readNamedFile(file, io, speech)
}

/** Reads a file like {@link readFileOrInput}, but `-` is an ordinary file name. */
export function readNamedFile(file: string, io: Io, speech: FileSpeech = {}): Buffer {
  const path = resolve(io.cwd, file)
  try {
    return readFileWithin(path, LARGEST_GIVEN_BYTES, 'given')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const { what, hint = code === 'EISDIR' ? 'this is a folder; give a file' : 'check the path' } = speech
    const why = whyUnreadable(cause)
    const own = code === 'FILE_NOT_REGULAR' || code === 'FILE_TOO_LARGE' ? code : 'FILE_UNREADABLE'
    throw new WaybillError(speech.code ?? own, {
      fault: 'usage',
      file,
      message: what === undefined ? why : `${what} cannot be read: ${why}`,
      hint: typeof hint === 'string' ? hint : hint(cause, path),
      cause,
    })
  }
}

/**
 * Reads a document of any kind in any encoding, for commands that do not interpret its contents.
 * @throws FILE_UNREADABLE; the first problem found while reading, with the code of that problem
 */
export async function readAnyDocument(file: string, io: Io, encoding?: Encoding): Promise<Document> {
  return parseAnyDocument(await readFileOrInput(file, io), file, encoding)
}

/** Parses bytes like {@link readAnyDocument}. */
export function parseAnyDocument(bytes: Uint8Array, file: string, encoding?: Encoding): Document {
  const read = readDocument(bytes, {
    ...(file !== '-' && { file }),
    ...defined({ encoding }),
  })
  if (read.document !== undefined) return read.document
  const [first] = read.issues
  throw new WaybillError(first?.code ?? 'DOCUMENT_UNREADABLE', {
    file,
    message: first?.message ?? 'the document cannot be read',
    ...(first !== undefined && { at: first.pointer, line: first.line, column: first.column }),
    ...defined({ hint: first?.hint, rule: first?.rule }),
  })
}
