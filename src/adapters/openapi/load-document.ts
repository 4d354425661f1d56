import { sha256 } from '../../document/canonical.ts'
import { decodeResponse } from '../../document/decode-response.ts'
import { messageOf } from '../../document/message-of.ts'
import { type ApiDocument, LARGEST_DOCUMENT_BYTES, readApiDocument } from './api-document.ts'

export interface DocumentSource {
  /** Reads a file, or returns the reason why it cannot. */
  readonly readFile: (path: string) => { readonly ok: true; readonly text: string } | Unread
  /** Must be the guarded fetch. Absent: URLs are not fetched. */
  readonly fetch?: typeof globalThis.fetch
}

interface Unread {
  readonly ok: false
  readonly reason: string
}

export type LoadedDocument =
  | { readonly ok: true; readonly document: ApiDocument; readonly sha256: string }
  | (Unread & { readonly rule: string })

const FETCH_TIMEOUT_MS = 15_000

/** Returns true if an endpoint is a URL and not a path in the folder of the definition. */
export function isUrl(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(address)
}

/** Reads the document at a path or URL, but not the documents to which it refers. */
export async function loadDocument(
  address: string,
  source: DocumentSource,
  signal: AbortSignal | undefined,
): Promise<LoadedDocument> {
  const read = isUrl(address) ? await fetchText(address, source.fetch, signal) : source.readFile(address)
  if (!read.ok) {
    const verb = isUrl(address) ? 'fetched' : 'read'
    const reason = `the OpenAPI document ${address} was not ${verb}: ${read.reason}`
    return { ok: false, reason, rule: isUrl(address) ? 'AAIF-12-02' : 'AAIF-4.4-06' }
  }
  const parsed = readApiDocument(read.text, isUrl(address) ? address : undefined)
  if (parsed.ok) return { ok: true, document: parsed.document, sha256: sha256(read.text) }
  const reason = `the OpenAPI document ${address} cannot be used: ${parsed.reason}`
  return { ok: false, reason, rule: 'AAIF-4.4-06' }
}

async function fetchText(
  url: string,
  fetch: typeof globalThis.fetch | undefined,
  signal: AbortSignal | undefined,
): Promise<{ readonly ok: true; readonly text: string } | Unread> {
  if (fetch === undefined) return { ok: false, reason: 'fetching is not available' }
  const limit = AbortSignal.timeout(FETCH_TIMEOUT_MS)
  try {
    const response = await fetch(url, {
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' },
    })
    if (!response.ok) return { ok: false, reason: `the server answered ${response.status}` }
    const bytes = await response.arrayBuffer()
    if (bytes.byteLength > LARGEST_DOCUMENT_BYTES) return { ok: false, reason: 'it is longer than 32 MiB' }
    const text = decodeResponse(new Uint8Array(bytes), response.headers.get('content-type'))
    return text === null
      ? { ok: false, reason: 'it is not text, or its encoding is unknown' }
      : { ok: true, text }
  } catch (error) {
    const why = messageOf(error)
    return { ok: false, reason: limit.aborted ? 'no answer in 15 s' : why }
  }
}
