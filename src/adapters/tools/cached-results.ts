import { canonicalize } from '../../document/canonical.ts'
import { asJson, type Json } from '../../document/json.ts'
import type { Clock, ToolPort, ToolRequest } from '../../run/ports.ts'

/** Cached results by request, oldest first. */
export type ResultCache = Map<string, { readonly result: Json; readonly until: number }>

/** Maximum number of results; the oldest is removed. */
const MOST_RESULTS = 500

/**
 * Returns the cached result of a read instead of calling, for the time in the plan (AAIF §4.4 cache_ttl_seconds). Of equal
 * calls at the same time, such as two of one turn, one is sent, and the others wait for its result.
 * Caches only successful results of reads: a failure may be temporary, and a write must be sent.
 */
export function withCachedResults(port: ToolPort, clock: Pick<Clock, 'now'>, cache: ResultCache): ToolPort {
  /** Calls that are being sent, by their key; resolved also when they fail. */
  const underWay = new Map<string, Promise<unknown>>()
  return {
    call(request, options) {
      const { cache_ms = 0, effect } = request.tool
      // A result may follow from the answer of a person in this run alone.
      return cache_ms <= 0 || effect !== 'read' || request.elicitation !== undefined
        ? port.call(request, options)
        : cached(request, options, cache_ms)
    },
  }

  async function cached(...[request, options, cache_ms]: [...Parameters<ToolPort['call']>, number]) {
    const key = keyOf(request)
    for (;;) {
      const known = cache.get(key)
      if (known !== undefined && clock.now() < known.until) return known.result
      const sent = underWay.get(key)
      // After a failure, or a result that is too old already, this call is sent.
      if (sent === undefined) return send(key, request, options, cache_ms)
      await untilAborted(sent, options.signal)
    }
  }

  async function send(
    ...[key, request, options, cache_ms]: [string, ...Parameters<ToolPort['call']>, number]
  ) {
    const call = port.call(request, options)
    const settled = call.then(
      () => undefined,
      () => undefined,
    )
    underWay.set(key, settled)
    try {
      const result = await call
      cache.delete(key)
      cache.set(key, { result, until: clock.now() + cache_ms })
      for (const oldest of cache.keys()) {
        if (cache.size <= MOST_RESULTS) break
        cache.delete(oldest)
      }
      return result
    } finally {
      underWay.delete(key)
    }
  }
}

/** Waits for a promise that does not fail. @throws the reason of the signal, if it is aborted before */
async function untilAborted(settled: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<void>((_resolve, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    await Promise.race([settled, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/**
 * Returns a key of everything that identifies a call and its credential: two agents may have tools of the same name.
 */
function keyOf({ tool, args }: ToolRequest): string {
  return canonicalize([asJson(tool), args])
}
