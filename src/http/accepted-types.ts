import { WaybillError } from '../document/issue.ts'
import { encodingOfMediaType } from '../document/media-types.ts'

/** The media types of an agent definition, for hints and for the OpenAPI document. */
export const DEFINITION_TYPES: readonly string[] = [
  'application/json',
  'application/yaml',
  'application/cbor',
  'application/vnd.msgpack',
]

/** Media types of the header `accept` (RFC 9110 §12.5.1) without those that are refused, the preferred ones first. */
export function acceptedTypes(header: string | undefined): readonly string[] {
  if (header === undefined || header.trim() === '') return ['*/*']
  return header
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((word) => word.trim())
      const quality = parameters.find((word) => /^q=/i.test(word))?.slice(2)
      return { type: type.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ type, quality }) => type !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ type }) => type)
}

/** Returns whether the client asks for a stream of server-sent events by name: `*` asks for a page. */
export function acceptsEventStream(header: string | undefined): boolean {
  return acceptedTypes(header).includes('text/event-stream')
}

/**
 * Returns the accepted media types that a definition can have, the preferred ones first.
 * @throws NOT_ACCEPTABLE if there is none
 */
export function acceptedDefinitions(header: string | undefined): readonly string[] {
  const accepted = acceptedTypes(header).filter(
    (type) => type === '*/*' || type === 'application/*' || encodingOfMediaType(type) !== undefined,
  )
  if (accepted.length > 0) return accepted
  throw new WaybillError('NOT_ACCEPTABLE', {
    fault: 'usage',
    message: 'a definition has no representation in the media types of the header accept',
    hint: `accept ${DEFINITION_TYPES.join(', ')}`,
  })
}
