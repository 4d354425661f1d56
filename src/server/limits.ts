import { WaybillError } from '../document/issue.ts'

/** The limits of one principal. */
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

/** Principals whose bucket is kept; a full bucket is the same as none. */
const KEPT = 10_000

interface Bucket {
  tokens: number
  /** Milliseconds of the monotonic clock. */
  at: number
}

/** Counts the requests and streams of each principal. */
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
   * Admits one request. @returns a function that must be called when it has been answered
   * @throws RATE_EXCEEDED, REQUESTS_EXCEEDED
   */
  request(principal: string): () => void {
    if (!this.#spend(principal))
      throw exceeded('RATE_EXCEEDED', 'this principal sends too many requests per second')
    return take(this.#requests, principal, this.#limits.concurrentRequests, 'requests')
  }

  /** Admits one event stream, in the same way. @throws REQUESTS_EXCEEDED */
  stream(principal: string): () => void {
    return take(this.#streams, principal, this.#limits.concurrentStreams, 'event streams')
  }

  /** Takes one token, if there is one. */
  #spend(principal: string): boolean {
    const { requestsPerSecond, burst } = this.#limits
    const at = this.#now()
    const last = this.#buckets.get(principal) ?? { tokens: burst, at }
    const tokens = Math.min(burst, last.tokens + ((at - last.at) / 1000) * requestsPerSecond)
    // Stored again at the end, so that the first entry is the one that was used longest ago.
    this.#buckets.delete(principal)
    this.#buckets.set(principal, { tokens: tokens < 1 ? tokens : tokens - 1, at })
    if (this.#buckets.size > KEPT) this.#buckets.delete(this.#buckets.keys().next().value ?? '')
    return tokens >= 1
  }
}

function exceeded(code: 'RATE_EXCEEDED' | 'REQUESTS_EXCEEDED', message: string): WaybillError {
  return new WaybillError(code, { message, hint: 'wait for the seconds in the header retry-after' })
}

function take(counts: Map<string, number>, principal: string, limit: number, what: string): () => void {
  const count = counts.get(principal) ?? 0
  if (count >= limit)
    throw exceeded('REQUESTS_EXCEEDED', `${limit} ${what} of this principal are already open`)
  counts.set(principal, count + 1)
  let open = true
  return () => {
    if (!open) return
    open = false
    const left = (counts.get(principal) ?? 1) - 1
    if (left === 0) counts.delete(principal)
    else counts.set(principal, left)
  }
}
