import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { bindingOf, openBytes, sealBytes } from '../secrets/sealed-bytes.ts'
import type { SubjectKeys } from './subject-keys.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Rows of one block take about this many bytes, uncompressed. */
const BLOCK_BYTES = 1024 * 1024

/** The largest header of a block, and the largest block, that is read, in bytes. One row is at most 1 GB in PostgreSQL. */
const MOST_HEADER = 1024
const MOST_BLOCK = 1024 * 1024 * 1024

/** What is written before the bytes of a block, as a line of JSON. */
interface BlockHeader {
  readonly rows: number
  readonly bytes: number
  /** Whose rows these are: the id of the key with which they are encrypted. */
  readonly subject?: string
}

/** Writes rows in blocks: compressed, and those of a user encrypted with the key of that user (AES-256-GCM). */
export class BlockWriter {
  readonly #table: string
  readonly #keyOf: SubjectKeys['create']
  readonly #write: (bytes: Uint8Array) => Promise<void>
  #subject: string | null = null
  #lines: Buffer[] = []
  #size = 0
  #rows = 0

  /** @param keyOf returns the key of a subject by its name */
  constructor(table: string, keyOf: SubjectKeys['create'], write: (bytes: Uint8Array) => Promise<void>) {
    this.#table = table
    this.#keyOf = keyOf
    this.#write = write
  }

  /** @param subject the name of a key, or null */
  async add(subject: string | null, line: Buffer): Promise<void> {
    if (subject !== this.#subject || this.#size >= BLOCK_BYTES) await this.flush()
    this.#subject = subject
    this.#lines.push(line)
    this.#size += line.length
    this.#rows++
  }

  async flush(): Promise<void> {
    if (this.#rows === 0) return
    const packed = await compress(Buffer.concat(this.#lines))
    const own = this.#subject === null ? undefined : this.#keyOf(this.#subject)
    const payload =
      own === undefined ? packed : sealBytes(own.key, packed, bindingOfBlock(this.#table, own.id))
    const header: BlockHeader = {
      rows: this.#rows,
      bytes: payload.length,
      ...(own !== undefined && { subject: own.id }),
    }
    await this.#write(Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), payload]))
    this.#lines = []
    this.#size = 0
    this.#rows = 0
  }
}

/** Rows of a block, or those that cannot be read any more, because the key of their user was destroyed. */
export type ReadBlock =
  | { readonly rows: number; readonly lines: Buffer }
  | { readonly rows: number; readonly subject: string }

/**
 * Reads the blocks of a file.
 * @param keyOf returns undefined for a key that was destroyed or is missing
 * @throws SyntaxError, RangeError if the file is not what {@link BlockWriter} has written; SECRET_UNREADABLE
 */
export async function* readBlocks(
  table: string,
  chunks: AsyncIterable<Buffer>,
  keyOf: (subject: string) => Buffer | undefined,
): AsyncGenerator<ReadBlock> {
  let bytes: Buffer = Buffer.alloc(0)
  let header: BlockHeader | undefined
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk])
    for (;;) {
      if (header === undefined) {
        const end = bytes.indexOf('\n')
        if (end < 0) break
        if (end > MOST_HEADER) throw new RangeError('the header of a block is too long')
        header = JSON.parse(bytes.subarray(0, end).toString('utf8')) as BlockHeader
        if (!(header.bytes > 0 && header.bytes <= MOST_BLOCK)) throw new RangeError('a block has no size')
        bytes = bytes.subarray(end + 1)
      }
      if (bytes.length < header.bytes) break
      yield await readBlock(table, header, bytes.subarray(0, header.bytes), keyOf)
      bytes = bytes.subarray(header.bytes)
      header = undefined
    }
  }
  if (header !== undefined || bytes.length > 0) throw new RangeError('the file ends in the middle of a block')
}

async function readBlock(
  table: string,
  { rows, subject }: BlockHeader,
  payload: Buffer,
  keyOf: (subject: string) => Buffer | undefined,
): Promise<ReadBlock> {
  if (subject === undefined) return { rows, lines: await decompress(payload) }
  const key = keyOf(subject)
  if (key === undefined) return { rows, subject }
  const sealed = openBytes(key, payload, bindingOfBlock(table, subject), 'a block of the backup')
  return { rows, lines: await decompress(sealed) }
}

function bindingOfBlock(table: string, subject: string): Buffer {
  return bindingOf(['waybill backup', table, subject])
}
