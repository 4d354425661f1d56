import { WaybillError } from '../../document/issue.ts'
import { LARGEST_GIVEN_BYTES } from '../../document/read-file.ts'

/**
 * Reads a stream to its end, such as standard input.
 * @throws FILE_TOO_LARGE
 */
export async function readAll(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    size += bytes.length
    if (size > LARGEST_GIVEN_BYTES)
      throw new WaybillError('FILE_TOO_LARGE', {
        fault: 'usage',
        file: '-',
        message: `standard input has more than ${LARGEST_GIVEN_BYTES} bytes`,
        hint: 'pass a smaller input, or split it',
      })
  }
  return Buffer.concat(chunks)
}
