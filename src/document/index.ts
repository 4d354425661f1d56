/** Documents as bytes and as data: the public entry `waybill/document`. */
export { canonicalBytes, canonicalize, sha256OfCanonical } from './canonical.ts'
export type { AnyCode, Code } from './codes.ts'
export { Document, type Encoding } from './document.ts'
export { encodeDocument } from './encode-document.ts'
export { type ErrorObject, type Issue, type Severity, WaybillError } from './issue.ts'
export type { Json, JsonObject } from './json.ts'
export {
  decodeCbor,
  decodeMsgpack,
  encodeCbor,
  encodeMsgpack,
  printYaml,
  toDiagnostic,
} from './lazy-encodings.ts'
export { encodingOfMediaType, mediaTypeOf } from './media-types.ts'
export { type ReadOptions, type ReadResult, readDocument } from './read-document.ts'
