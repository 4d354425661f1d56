import type { Encoding } from './document.ts'
import type { Json } from './json.ts'
import { assertJsonData } from './json-data.ts'
import { encodeCbor, encodeMsgpack, printYaml } from './lazy-encodings.ts'

/**
 * Encodes a document; reading the bytes gives the same data in the same order. JSON is the canonical encoding (AAIF
 * §9), written indented and with a final line break.
 * @throws NOT_JSON, DOCUMENT_TOO_DEEP
 */
export function encodeDocument(value: Json, encoding: Encoding = 'json'): Uint8Array {
  switch (encoding) {
    case 'json':
      assertJsonData(value)
      return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
    case 'yaml':
      return Buffer.from(printYaml(value))
    case 'cbor':
      return encodeCbor(value)
    case 'msgpack':
      return encodeMsgpack(value)
  }
}
