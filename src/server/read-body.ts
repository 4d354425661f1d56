import type { IncomingHttpHeaders } from 'node:http'
import type { Code } from '../document/codes.ts'
import { countValues } from '../document/count-values.ts'
import { defined } from '../document/defined.ts'
import type { Document } from '../document/document.ts'
import type { Finding } from '../document/finding.ts'
import { type Issue, WaybillError } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import { parentOf } from '../document/json-pointer.ts'
import { encodingOfMediaType } from '../document/media-types.ts'
import { readDocument } from '../document/read-document.ts'
import { DEFINITION_TYPES } from '../http/accepted-types.ts'
import type { RequestBody } from '../http/route.ts'
import { compileCheck } from '../http/schema-check.ts'

/** Values and names in a JSON body: each takes about a microsecond, in which the server answers no other request. */
export const MAX_VALUES = 80_000

/** YAML takes twenty times as long to read as JSON. */
export const MAX_YAML_BYTES = 256 * 1024

/** Of a larger body that is invalid, only the first issue is reported. */
const ALL_FINDINGS_BYTES = 64 * 1024

/** Nesting of a JSON body. Deeper than a document may be, because a body contains one. */
const MAX_DEPTH = 72

/** Reads the body of a request and checks it against the schema of its route. */
export type BodyReader = (bytes: Uint8Array, headers: IncomingHttpHeaders) => Json

/**
 * Returns the reader for the body of a route. Nothing is converted, and a member that the schema does not name is an
 * error that names it.
 * @throws (the reader) MEDIA_TYPE_UNSUPPORTED, BODY_UNREADABLE, REQUEST_INVALID with issues
 */
export function bodyReader(body: RequestBody | undefined): BodyReader {
  const read = plainBodyReader(body)
  return (bytes, headers) => {
    const coding = headers['content-encoding'] ?? 'identity'
    if (bytes.byteLength > 0 && coding !== 'identity')
      throw unsupported(`content-encoding ${coding}`, 'the body uncompressed')
    return read(bytes, headers['content-type'])
  }
}

function plainBodyReader(body: RequestBody | undefined) {
  if (body === undefined) return noBody
  if (body.kind === 'definition') return definitionBody
  if (body.kind === 'bytes') return () => null
  if (body.kind === 'stream') return streamBody(body.mediaType)
  const check = compileCheck(body.schema)
  const { encodings = [], maxValues = MAX_VALUES } = body
  const known = ['json', ...encodings].map((name) => `application/${name}`).join(', ')
  return (bytes: Uint8Array, contentType: string | undefined): Json => {
    if (bytes.byteLength === 0) {
      if (body.optional === true) return {}
      throw new WaybillError('BODY_UNREADABLE', {
        fault: 'usage',
        message: 'the request has no body',
        hint: 'send a JSON object with `content-type: application/json`',
      })
    }
    const encoding = encodingOfMediaType(contentType ?? '')
    if (encoding !== 'json' && !encodings.some((one) => one === encoding))
      throw unsupportedType(contentType, known)
    refuseCharset(contentType ?? '')
    if (encoding === 'yaml' && bytes.byteLength > MAX_YAML_BYTES) throw largeYaml(bytes.byteLength)
    const { document, issues } = readDocument(bytes, {
      ...defined({ encoding }),
      exactNumbers: true,
      maxDepth: MAX_DEPTH,
      maxValues,
      maxBytes: Number.POSITIVE_INFINITY,
    })
    if (document === undefined) throw unreadable(issues)
    // The readers of JSON and CBOR count while they read.
    if (encoding === 'yaml' && countValues(document.value, maxValues) > maxValues)
      throw tooManyValues(maxValues)
    const findings = check(document.value, bytes.byteLength <= ALL_FINDINGS_BYTES)
    const [first] = findings
    if (first !== undefined)
      throw invalid(
        findings.map((finding) => placed(finding, document)),
        body.refusedAs?.(first),
      )
    return document.value
  }
}

function largeYaml(bytes: number): WaybillError {
  return new WaybillError('DOCUMENT_TOO_LARGE', {
    fault: 'usage',
    message: `the body has ${bytes} bytes of YAML, and at most ${MAX_YAML_BYTES} are read`,
    hint: 'send it as application/json or application/cbor',
  })
}

function tooManyValues(most: number): WaybillError {
  return new WaybillError('DOCUMENT_TOO_LARGE', {
    fault: 'usage',
    message: `the body has more than ${most} values`,
    hint: 'send a smaller document',
  })
}

function noBody(bytes: Uint8Array): Json {
  if (bytes.byteLength === 0) return null
  throw new WaybillError('REQUEST_INVALID', {
    message: 'this request has no body, but one was sent',
    hint: 'send the request without a body',
  })
}

/** The platform reads a definition itself, from the bytes that it stores. */
function definitionBody(bytes: Uint8Array, contentType: string | undefined): Json {
  if (encodingOfMediaType(contentType ?? '') === undefined)
    throw unsupportedType(contentType, DEFINITION_TYPES.join(', '))
  refuseCharset(contentType ?? '')
  if (bytes.byteLength > 0) return null
  throw new WaybillError('BODY_UNREADABLE', {
    fault: 'usage',
    message: 'the request has no body',
    hint: 'send an agent definition',
  })
}

/** The route reads the body itself. */
function streamBody(mediaType: string) {
  return (_bytes: Uint8Array, contentType: string | undefined): Json => {
    if (contentType?.trim().toLowerCase() === mediaType) return null
    throw unsupportedType(contentType, `${mediaType}, without parameters`)
  }
}

/** @throws MEDIA_TYPE_UNSUPPORTED for a charset other than UTF-8 */
function refuseCharset(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType)?.[1]?.toLowerCase()
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii') return
  throw unsupportedType(contentType, 'charset=utf-8')
}

function unsupportedType(contentType: string | undefined, known: string): WaybillError {
  if (contentType === undefined) return unsupported('a request without content-type', known)
  return unsupported(`content-type ${contentType}`, known)
}

function unsupported(what: string, known: string): WaybillError {
  return new WaybillError('MEDIA_TYPE_UNSUPPORTED', {
    fault: 'usage',
    message: `this route does not support ${JSON.stringify(what.slice(0, 120))}`,
    hint: `send ${known}`,
  })
}

function unreadable(issues: readonly Issue[]): WaybillError {
  const [first] = issues
  return new WaybillError('BODY_UNREADABLE', {
    fault: 'usage',
    message: `the body cannot be read: ${first?.message ?? 'it is not valid JSON'}`,
    issues,
    ...defined({ hint: first?.hint }),
  })
}

function invalid(issues: readonly Issue[], code: Code = 'REQUEST_INVALID'): WaybillError {
  const [first] = issues
  return new WaybillError(code, {
    message: first?.message ?? 'the body does not match its schema',
    issues,
    ...defined({ at: first?.pointer, hint: first?.hint }),
  })
}

function placed({ severity, code, pointer, message, hint, mark }: Finding, document: Document): Issue {
  const { line, column } = document.locate(mark === 'parent' ? parentOf(pointer) : pointer, {
    key: mark !== undefined && mark !== 'value',
  })
  return { severity, code, pointer, line, column, message, ...defined({ hint }) }
}
