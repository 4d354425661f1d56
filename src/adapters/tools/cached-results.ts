import { canonicalize } from '../../document/canonical.ts'
import { asJson, type Json } from '../../document/json.ts'
import type { Clock, ToolPort, ToolRequest } from '../../run/ports.ts'

/** Cached results by request, oldest first. */
export type ResultCache = Map<string, { readonly result: Json; readonly until: number }>

/** Maximum number of results; the oldest is removed. */
const MOST_RESULTS = 500

/**
 * Returns the cached result of a read instead of calling, for the time in the plan (AAIF §4.4 cache_ttl_seconds).
 * Caches only successful results of reads: a failure may be temporary, and a write must be sent.
 */
export function withCachedResults(port: ToolPort, clock: Pick<Clock, 'now'>, cache: ResultCache): ToolPort {
  return {
    call(request, options) {
      const { cache_ms = 0, effect } = request.tool
      return cache_ms <= 0 || effect !== 'read'
        ? port.call(request, options)
        : cached(request, options, cache_ms)
    },
  }

  async function cached(...[request, options, cache_ms]: [...Parameters<ToolPort['call']>, number]) {
    const key = keyOf(request)
    const known = cache.get(key)
    if (known !== undefined && clock.now() < known.until) return known.result
    const result = await port.call(request, options)
    cache.delete(key)
    cache.set(key, { result, until: clock.now() + cache_ms })
    for (const oldest of cache.keys()) {
      if (cache.size <= MOST_RESULTS) break
      cache.delete(oldest)
    }
    return result
  }
}

/**
 * Returns a key of everything that identifies a call and its credential: two agents may have tools of the same name.
 */
function keyOf({ tool, args }: ToolRequest): string {
  return canonicalize([asJson(tool), args])
}
