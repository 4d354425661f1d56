import type { Finding } from '../../../document/finding.ts'
import { isObject, type Json, type JsonObject } from '../../../document/json.ts'
import { memberOf, objectAt, textAt } from '../../loose-members.ts'
import { notAsDeclared } from '../content-as-declared.ts'
import { bytesOfBody, matchesHash } from '../content-bytes.ts'
import { essenceOf, isBinary } from '../media-type.ts'
import { readStructuredBody } from '../structured-body.ts'
import { STRUCTURED } from '../vocabulary.ts'

/** Validates an inline body against encoding, body_hash, size_bytes and media_type (§2.4, §5). */
export function* checkContent(envelope: JsonObject): Iterable<Finding> {
  const content = objectAt(envelope, 'content')
  const mediaType = textAt(content, 'media_type') ?? ''
  const body = memberOf(content, 'body')
  yield* checkUrl(content)
  if (typeof body !== 'string' && !isObject(body)) return
  if (typeof body === 'string' && essenceOf(mediaType) === STRUCTURED) yield* checkStructured(body)
  yield* checkBytes(content, body, mediaType)
}

function* checkUrl(content: JsonObject): Iterable<Finding> {
  const url = textAt(content, 'body_url')
  if (url === undefined || URL.canParse(url)) return
  yield {
    severity: 'warning',
    code: 'FORMAT_MISMATCH',
    pointer: '/content/body_url',
    message: 'body_url is not an absolute URL',
    hint: 'write it with its scheme, such as https://…',
    rule: 'AAH-2.4-01',
  }
}

function* checkStructured(body: string): Iterable<Finding> {
  if (readStructuredBody(body) !== undefined) return
  const json = isJsonObject(body)
  yield {
    severity: 'error',
    code: json ? 'STRUCTURED_BODY_INCOMPLETE' : 'STRUCTURED_BODY_NOT_JSON',
    pointer: '/content/body',
    message: json
      ? 'a structured body needs schema and data'
      : 'a structured body is an object, or a JSON string that contains an object',
    hint: 'write {"schema": "aah:analysis/competitor", "data": …}',
    rule: json ? 'AAH-5-01' : 'AAH-5-02',
  }
}

function* checkBytes(content: JsonObject, body: Json, mediaType: string): Iterable<Finding> {
  const encoding = textAt(content, 'encoding')
  if (typeof body === 'string' && isBinary(mediaType) && encoding?.toLowerCase() !== 'base64') {
    return yield {
      severity: 'error',
      code: 'BINARY_NOT_BASE64',
      pointer: '/content/body',
      message: 'an image cannot be written as plain text',
      hint: 'write its bytes in base64 with "encoding": "base64", or use body_url',
      rule: 'AAH-2.4-07',
    }
  }
  const read = bytesOfBody(body, encoding)
  if (!('problem' in read)) {
    yield* checkSize(content, read)
    yield* checkHash(content, read)
    if (typeof body === 'string') yield* checkDeclared(mediaType, read.bytes)
  } else if (read.problem === 'not-base64') {
    yield {
      severity: 'error',
      code: 'BODY_NOT_BASE64',
      pointer: '/content/body',
      message: 'the body is not base64',
      hint: 'encode the bytes again, with padding and without other characters',
      rule: 'AAH-2.4-07',
    }
  } else if (Object.hasOwn(content, 'body_hash') || Object.hasOwn(content, 'size_bytes')) {
    yield unchecked(
      '/content/encoding',
      'this encoding is not supported, so body_hash and size_bytes are not checked',
    )
  }
}

function* checkSize(content: JsonObject, { bytes, certain }: Measured): Iterable<Finding> {
  const { size_bytes: size } = content
  if (typeof size !== 'number' || size === bytes.byteLength) return
  if (!certain) return yield unchecked('/content/size_bytes', OBJECT_HAS_NO_BYTES)
  yield {
    severity: 'warning',
    code: 'SIZE_MISMATCH',
    pointer: '/content/size_bytes',
    message: `the body has ${bytes.byteLength} bytes, not ${size}`,
    hint: `write ${bytes.byteLength}, unless the body was cut short`,
    rule: 'AAH-2.4-04',
  }
}

function* checkHash(content: JsonObject, { bytes, certain }: Measured): Iterable<Finding> {
  const hash = textAt(content, 'body_hash')
  if (hash === undefined || !/^(?:sha256:)?[0-9a-f]{64}$/i.test(hash) || matchesHash(bytes, hash)) return
  if (!certain) return yield unchecked('/content/body_hash', OBJECT_HAS_NO_BYTES)
  yield {
    severity: 'error',
    code: 'BODY_HASH_MISMATCH',
    pointer: '/content/body_hash',
    message: 'the body does not match body_hash',
    hint: 'request the artifact again; if the body was changed on purpose, compute body_hash again',
    rule: 'AAH-2.4-03',
  }
}

function* checkDeclared(mediaType: string, bytes: Uint8Array): Iterable<Finding> {
  const not = essenceOf(mediaType) === STRUCTURED ? undefined : notAsDeclared(mediaType, bytes)
  if (not === undefined) return
  yield {
    severity: 'warning',
    code: 'CONTENT_NOT_AS_DECLARED',
    pointer: '/content/body',
    message: `the body is declared as ${essenceOf(mediaType)}, but is not ${not}`,
    hint: 'correct the body, or correct media_type',
    rule: 'AAH-sec-03',
  }
}

interface Measured {
  readonly bytes: Uint8Array
  readonly certain: boolean
}

const OBJECT_HAS_NO_BYTES =
  'the format does not define the bytes of a body that is an object, so this is not checked'

function unchecked(pointer: string, message: string): Finding {
  return {
    severity: 'info',
    code: 'INTEGRITY_UNCHECKED',
    pointer,
    message,
    hint: 'send the body as a UTF-8 string, whose bytes are defined',
    rule: pointer.endsWith('size_bytes') ? 'AAH-2.4-04' : 'AAH-2.4-03',
  }
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text) as Json)
  } catch {
    return false
  }
}
