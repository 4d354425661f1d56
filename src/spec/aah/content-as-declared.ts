import { readDocument } from '../../document/read-document.ts'
import { essenceOf } from './media-type.ts'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]

/**
 * Compares content with its media type, as far as the bytes allow (Security Considerations).
 * @returns the format that the content does not have, such as `JSON`; undefined if no mismatch was found.
 */
export function notAsDeclared(mediaType: string, bytes: Uint8Array): string | undefined {
  switch (essenceOf(mediaType)) {
    case 'application/json':
    case 'application/vnd.aah.structured+json':
      return isJson(textOf(bytes)) ? undefined : 'JSON'
    case 'application/x-ndjson':
      return textOf(bytes)
        .split('\n')
        .every((line) => line.trim() === '' || isJson(line))
        ? undefined
        : 'JSON on every line'
    case 'text/yaml':
      return readDocument(bytes, { encoding: 'yaml', maxBytes: bytes.byteLength + 1 }).issues === undefined
        ? undefined
        : 'YAML'
    case 'image/png':
      return beginsWith(bytes, PNG) ? undefined : 'a PNG image'
    case 'image/jpeg':
      return beginsWith(bytes, JPEG) ? undefined : 'a JPEG image'
    case 'image/svg+xml':
      return /<(?:\w+:)?svg[\s/>]/.test(textOf(bytes)) ? undefined : 'an SVG image'
    default:
      return undefined
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function beginsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, i) => bytes[i] === byte)
}
