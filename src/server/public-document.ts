import { createHash } from 'node:crypto'
import type { Json } from '../document/json.ts'
import type { AnswerDescription, Call, Route } from '../http/route.ts'
import type { Tenant } from '../platform/platform.ts'
import { type Coding, chooseCoding, encodeBytes } from './content-coding.ts'

/** A document without a token that is the same for every caller: what caches between may keep. */
export interface PublicDocument {
  readonly path: string
  readonly name: string
  readonly summary: string
  readonly answer: AnswerDescription
  /** Of its answer; default JSON. */
  readonly mediaType?: string
  /** How long a cache may use it without asking again, in seconds. */
  readonly maxAgeSeconds: number
  readonly headers?: Readonly<Record<string, string>>
  /** Returns the document as it is now. An object that was returned before must be unchanged. */
  readonly content: () => Promise<Json> | Json
}

/**
 * Returns the route of a public document: with a strong ETag, 304 for `if-none-match`, and compressed. All other answers
 * are neither cached nor compressed: the length of a compressed answer tells what it has in common with a request
 * (BREACH), and this one contains no secret.
 */
export function publicDocument(document: PublicDocument): Route<Tenant> {
  const { path, name, summary, answer, maxAgeSeconds, headers = {}, content } = document
  const mediaType = document.mediaType ?? 'application/json; charset=utf-8'
  let kept: { readonly content: Json; readonly text: string; readonly forms: EncodedForms } | undefined
  return {
    method: 'GET',
    path,
    name,
    summary,
    tag: 'documents',
    access: 'public',
    answers: { 200: answer, 304: { description: 'The client has this document.', empty: true } },
    async handle({ headers: sent }: Call<Tenant>) {
      const now = await content()
      if (kept?.content !== now) {
        const text = typeof now === 'string' ? now : JSON.stringify(now)
        kept = { content: now, text, forms: kept?.text === text ? kept.forms : new EncodedForms(text) }
      }
      const coding = chooseCoding(sent['accept-encoding']?.toString())
      const { forms } = kept
      const etag = forms.etag(coding)
      const caching = {
        'cache-control': `public, max-age=${maxAgeSeconds}`,
        etag,
        vary: 'accept-encoding',
      }
      if (matchesEtag(sent['if-none-match'], etag)) return { status: 304, headers: caching }
      return {
        status: 200,
        bytes: await forms.bytes(coding),
        mediaType,
        headers: {
          ...headers,
          ...caching,
          ...(coding !== 'identity' && { 'content-encoding': coding }),
        },
      }
    },
  }
}

/** Each form of one text is made at the first request for it, and kept. */
class EncodedForms {
  readonly #identity: Uint8Array
  readonly #digest: string
  readonly #made = new Map<Coding, Promise<Uint8Array>>()

  constructor(text: string) {
    this.#identity = Buffer.from(text)
    this.#digest = createHash('sha256').update(this.#identity).digest('base64url').slice(0, 27)
  }

  /** A strong tag names exact bytes, so each form has its own (RFC 9110 §8.8.3.3). */
  etag(coding: Coding): string {
    return coding === 'identity' ? `"${this.#digest}"` : `"${this.#digest}-${coding}"`
  }

  bytes(coding: Coding): Promise<Uint8Array> {
    const made = this.#made.get(coding) ?? encodeBytes(this.#identity, coding)
    this.#made.set(coding, made)
    return made
  }
}

/** By weak comparison (RFC 9110 §13.1.2): a proxy that has compressed the answer marks its tag as weak. */
function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const tags: readonly string[] = ifNoneMatch.match(/"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []
  return tags.includes(etag)
}
