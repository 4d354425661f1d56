import { defined } from '../../document/defined.ts'
import { messageOf } from '../../document/message-of.ts'
import type { Grants } from '../../policy/endpoint-gate.ts'
import type { Source } from '../../spec/parse-document.ts'
import { readFileOrInput } from '../files/read-any-document.ts'
import type { Io } from '../io.ts'

/** Reads one kind of published document, and its expiry. */
export interface PublishedKind<T> {
  readonly name: string
  readonly parse: (source: Source, options: { file: string }) => T
  readonly expiresAt: (document: T) => string | undefined
  readonly publishedAt: (document: T) => string | undefined
}

export interface Published<T> {
  readonly document: T
  /** The file or URL that was finally used. */
  readonly source: string
  readonly fetched: boolean
  readonly expires_at?: string
  /** Whether it has expired and no newer version was available. */
  readonly expired: boolean
  /** The reason why an expired document was not fetched again. */
  readonly reason?: string
}

/**
 * Reads a published document from a file or a URL. An expired document is fetched again from its published address
 * before it is used (SPEC-U-05).
 * @param granted grants of flags and configuration; the grants of the home are read only if something is fetched
 * @param nowMs Unix time
 * @throws PUBLISHED_UNREACHABLE; the errors of reading and parsing
 */
export async function readPublished<T>(
  place: string,
  kind: PublishedKind<T>,
  granted: Grants,
  io: Io,
  nowMs: number,
): Promise<Published<T>> {
  const typed = /^https?:\/\//i.test(place) ? place : undefined
  const open = async () => (await import('./fetch-published.ts')).publishedFetch(granted, typed, io)
  const opened = typed === undefined ? undefined : await open()
  const bytes = opened === undefined ? await readFileOrInput(place, io) : await opened(place, kind.name)
  const document = kind.parse(bytes, { file: typed === undefined ? place : new URL(typed).pathname })
  const first = withExpiry(document, kind, place, typed !== undefined, nowMs)
  const home = kind.publishedAt(document)
  if (!first.expired || home === undefined || home === place) return first
  // Not inside the try block: an unreadable home is an error, not a reason to use an expired document.
  const get = opened ?? (await open())
  try {
    const fresh = kind.parse(await get(home, kind.name), { file: new URL(home).pathname })
    return withExpiry(fresh, kind, home, true, nowMs)
  } catch (error) {
    return { ...first, reason: messageOf(error) }
  }
}

function withExpiry<T>(
  document: T,
  kind: PublishedKind<T>,
  source: string,
  fetched: boolean,
  nowMs: number,
): Published<T> {
  const expires_at = kind.expiresAt(document)
  return {
    document,
    source,
    fetched,
    ...defined({ expires_at }),
    expired: expires_at !== undefined && Date.parse(expires_at) <= nowMs,
  }
}
