import { decodeText } from '../../document/decode-text.ts'
import { WaybillError } from '../../document/issue.ts'
import { LineIndex } from '../../document/line-index.ts'

/**
 * Decodes bytes that must be text. Invalid bytes are refused: as replacement characters they would be another text.
 * @param file its path, or `-` for standard input
 * @throws ENCODING_NOT_UTF8
 */
export function utf8Text(bytes: Uint8Array, file: string, what: string): string {
  const decoded = decodeText(bytes)
  if ('text' in decoded) return decoded.text
  const { line, column } = new LineIndex(decoded.before).place({ offset: decoded.before.length, length: 0 })
  throw new WaybillError(decoded.code, {
    fault: 'usage',
    file,
    line,
    column,
    message: `${what} is not text: ${decoded.message}`,
    hint: 'save it again as UTF-8; a binary file, such as an image, cannot be read as text',
  })
}
