import { canonicalize } from '../../document/canonical.ts'
import { asJson, type Json } from '../../document/json.ts'
import type { Clock, ToolPort, ToolRequest } from '../../run/ports.ts'

/** Results that were given, by what was asked. Oldest first. */
export type ResultCache = Map<string, { readonly result: Json; readonly until: number }>

/** Beyond this many the oldest goes. */
const MOST_RESULTS = 500

/**
 * Gives the result of a read again instead of calling, for as long as the plan says (AAIF §4.4 cache_ttl_seconds).
 * Only successful results of reads: a failure may be gone the next time, and a write that is not sent is not done.
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

/** Everything that decides what is called, and with which credential: two agents may name their tools alike. */
function keyOf({ tool, args }: ToolRequest): string {
  return canonicalize([asJson(tool), args])
}
