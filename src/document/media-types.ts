import type { Encoding } from './document.ts'

/** CBOR with an AAIF document (AAIF §9). */
export const AAIF_CBOR = 'application/cbor; profile="https://schemacommons.org/SC-006/cbor"'
/** AgentCard §3. */
export const AGENT_CARD_JSON = 'application/agentcard+json'
/** AAIF §8.3: the state of a running agent, one JSON object per line. */
export const AAIF_HANDOFF_STREAM = 'application/x-aaif-handoff+ndjson'

/** Returns the media type of a document. `kind` is one of the kinds that `waybill validate` detects. */
export function mediaTypeOf(encoding: Encoding, kind: string | null): string {
  switch (encoding) {
    case 'json':
      if (kind === 'aaif.handoff-stream') return AAIF_HANDOFF_STREAM
      return kind === 'agentcard' ? AGENT_CARD_JSON : 'application/json'
    case 'yaml':
      return 'application/yaml'
    case 'cbor':
      return kind?.startsWith('aaif.') === true ? AAIF_CBOR : 'application/cbor'
    case 'msgpack':
      return 'application/vnd.msgpack'
  }
}

/** Common media types of each encoding; types with a structured suffix (RFC 6839) are detected by the suffix. */
const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ['application/json', 'json'],
  ['text/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/x-yaml', 'yaml'],
  ['text/yaml', 'yaml'],
  ['application/cbor', 'cbor'],
  ['application/vnd.msgpack', 'msgpack'],
  ['application/msgpack', 'msgpack'],
  ['application/x-msgpack', 'msgpack'],
])

/** Returns the encoding of a Content-Type; undefined for other types, including streams of several documents. */
export function encodingOfMediaType(contentType: string): Encoding | undefined {
  const essence = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const suffix = /\+(json|yaml|cbor)$/.exec(essence)?.[1]
  return ENCODINGS.get(essence) ?? (suffix as Encoding | undefined)
}

const EXTENSIONS: Readonly<Record<string, Encoding>> = {
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  cbor: 'cbor',
  msgpack: 'msgpack',
  mpk: 'msgpack',
}

/** Returns the encoding for the extension of a file name. */
export function encodingOfFile(file: string): Encoding | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(file)?.[1]?.toLowerCase()
  return extension === undefined || !Object.hasOwn(EXTENSIONS, extension) ? undefined : EXTENSIONS[extension]
}
