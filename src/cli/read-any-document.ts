import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Document, Encoding } from '../document/document.ts'
import { WaybillError } from '../document/issue.ts'
import { readDocument } from '../document/read-document.ts'
import type { Io } from './io.ts'
import { readAll } from './read-all.ts'

/** How a command speaks of a file that it was to read, when that is not its document. */
export interface FileSpeech {
  /** `the key` */
  readonly what: string
  readonly hint: string
}

/**
 * The bytes of a file that a command names, or of standard input.
 * @throws FILE_UNREADABLE
 */
export async function readFileOrInput(file: string, io: Io, speech?: FileSpeech): Promise<Buffer> {
  if (file === '-') return readAll(io.stdin)
  try {
    return readFileSync(resolve(io.cwd, file))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const { what = 'it', hint = code === 'EISDIR' ? 'name a file in this folder' : 'check the path' } =
      speech ?? {}
    throw new WaybillError('FILE_UNREADABLE', {
      fault: 'usage',
      file,
      message:
        code === 'ENOENT' && speech === undefined
          ? 'there is no such file'
          : `${what} cannot be read: ${code}`,
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
    ...(encoding !== undefined && { encoding }),
  })
  if (read.document !== undefined) return read.document
  const [first] = read.issues
  throw new WaybillError(first?.code ?? 'DOCUMENT_UNREADABLE', {
    file,
    message: first?.message ?? 'it cannot be read',
    ...(first !== undefined && { at: first.pointer, line: first.line, column: first.column }),
    ...(first?.hint !== undefined && { hint: first.hint }),
    ...(first?.rule !== undefined && { rule: first.rule }),
  })
}
