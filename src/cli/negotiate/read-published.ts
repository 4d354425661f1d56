import { defined } from '../../document/defined.ts'
import { messageOf } from '../../document/message-of.ts'
import type { Grants } from '../../policy/endpoint-gate.ts'
import type { Source } from '../../spec/parse-document.ts'
import { readFileOrInput } from '../files/read-any-document.ts'
import type { Io } from '../io.ts'

/** How one kind of published document is read, and what it says about its own life. */
export interface PublishedKind<T> {
  readonly name: string
  readonly parse: (source: Source, options: { file: string }) => T
  readonly expiresAt: (document: T) => string | undefined
  readonly publishedAt: (document: T) => string | undefined
}

export interface Published<T> {
  readonly document: T
  /** Where it was read from in the end. */
  readonly source: string
  readonly fetched: boolean
  readonly expires_at?: string
  /** Whether it is past its time, and no newer one could be had. */
  readonly expired: boolean
  /** Why an expired one was not fetched again. */
  readonly reason?: string
}

/**
 * Reads a document that a platform publishes, from a file or a URL. One that is past its time is fetched again from
 * where it says that it is published, before it is used (SPEC-U-05).
 * @param granted what flags and configuration grant; the home is asked for more only when something is fetched
 * @param nowMs Unix time
 * @throws what reading and parsing throw; PUBLISHED_UNREACHABLE
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
  const first = told(document, kind, place, typed !== undefined, nowMs)
  const home = kind.publishedAt(document)
  if (!first.expired || home === undefined || home === place) return first
  // Outside the try: a home that cannot be read is an error, and no reason to use a document that has expired.
  const get = opened ?? (await open())
  try {
    const fresh = kind.parse(await get(home, kind.name), { file: new URL(home).pathname })
    return told(fresh, kind, home, true, nowMs)
  } catch (error) {
    return { ...first, reason: messageOf(error) }
  }
}

function told<T>(
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
