import { WaybillError } from '../document/issue.ts'
import type { Principal } from '../session/principal.ts'

/** The limits of one principal. Its organisation may do {@link ORGANISATION} times as much. */
export interface Limits {
  /** Requests per second, on average. */
  readonly requestsPerSecond: number
  /** Requests that may come at once after a pause. */
  readonly burst: number
  /** Requests that are being answered at the same time. */
  readonly concurrentRequests: number
  /** Event streams that are open at the same time. */
  readonly concurrentStreams: number
}

export const DEFAULT_LIMITS: Limits = {
  requestsPerSecond: 100,
  burst: 200,
  concurrentRequests: 100,
  concurrentStreams: 100,
}

/** What all principals of an organisation may do together, in multiples of what one may do. */
const ORGANISATION = 10

/** Principals whose bucket is kept; a full bucket is the same as none. */
const KEPT = 10_000

interface Bucket {
  tokens: number
  /** Milliseconds of the monotonic clock. */
  at: number
}

/** Whom a request or stream is counted for: its sender, and the organisation of the sender. */
type Sender = Pick<Principal, 'organisation' | 'user'> | { readonly hook: string }

/** One of those, with the multiple of the limits that it has. */
interface Counted {
  readonly key: string
  readonly times: number
  readonly name: string
}

/**
 * Counts the requests and streams of each principal and of each organisation: who may add members must not get a further
 * share of the server with each of them.
 */
export class Limiter {
  readonly #limits: Limits
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()
  readonly #requests = new Map<string, number>()
  readonly #streams = new Map<string, number>()

  /** @param now milliseconds of a monotonic clock */
  constructor(limits: Limits, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  /**
   * Admits one request. Without a sender, at a public route, it is not counted.
   * @returns a function that must be called when it has been answered
   * @throws RATE_EXCEEDED, REQUESTS_EXCEEDED
   */
  request(sender: Sender | undefined): () => void {
    const counted = countedOf(sender)
    for (const one of counted)
      if (!this.#spend(one)) throw exceeded('RATE_EXCEEDED', `${one.name} sends too many requests per second`)
    return takeAll(this.#requests, counted, this.#limits.concurrentRequests, 'requests')
  }

  /** Admits one event stream, in the same way. @throws REQUESTS_EXCEEDED */
  stream(sender: Sender | undefined): () => void {
    return takeAll(this.#streams, countedOf(sender), this.#limits.concurrentStreams, 'event streams')
  }

  /** Takes one token, if there is one. */
  #spend({ key, times }: Counted): boolean {
    const { requestsPerSecond, burst } = this.#limits
    const [rate, most] = [requestsPerSecond * times, burst * times]
    const at = this.#now()
    const last = this.#buckets.get(key) ?? { tokens: most, at }
    const tokens = Math.min(most, last.tokens + ((at - last.at) / 1000) * rate)
    // Stored again at the end, so that the first entry is the one that was used longest ago.
    this.#buckets.delete(key)
    this.#buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, at })
    if (this.#buckets.size > KEPT) this.#buckets.delete(this.#buckets.keys().next().value ?? '')
    return tokens >= 1
  }
}

/** Calls `done` when an action has ended. */
export async function counting<T>(done: () => void, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } finally {
    done()
  }
}

function countedOf(sender: Sender | undefined): readonly Counted[] {
  if (sender === undefined) return []
  if ('hook' in sender) return [{ key: sender.hook, times: 1, name: 'this sender' }]
  const { organisation, user } = sender
  return [
    { key: JSON.stringify([organisation, user]), times: 1, name: 'this principal' },
    { key: JSON.stringify([organisation]), times: ORGANISATION, name: 'this organisation' },
  ]
}

function exceeded(code: 'RATE_EXCEEDED' | 'REQUESTS_EXCEEDED', message: string): WaybillError {
  return new WaybillError(code, { message, hint: 'wait for the seconds in the header retry-after' })
}

/** Counts one more for the sender and its organisation, or for none of them. */
function takeAll(
  counts: Map<string, number>,
  counted: readonly Counted[],
  limit: number,
  what: string,
): () => void {
  for (const { key, times, name } of counted)
    if ((counts.get(key) ?? 0) >= limit * times)
      throw exceeded('REQUESTS_EXCEEDED', `${limit * times} ${what} of ${name} are already open`)
  for (const { key } of counted) counts.set(key, (counts.get(key) ?? 0) + 1)
  let open = true
  return () => {
    if (!open) return
    open = false
    for (const { key } of counted) {
      const left = (counts.get(key) ?? 1) - 1
      if (left === 0) counts.delete(key)
      else counts.set(key, left)
    }
  }
}
