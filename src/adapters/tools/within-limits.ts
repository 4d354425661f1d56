import type { Clock, ToolPort } from '../../run/ports.ts'
import { type ResultCache, withCachedResults } from './cached-results.ts'
import { withCutResults } from './cut-result.ts'
import { type RateLedger, withRateLimits } from './rate-limit.ts'

export interface ToolMemory {
  readonly results: ResultCache
  readonly uses: RateLedger
}

/**
 * Applies caching, rate limits and truncation to tools of every protocol (AAIF §4.4). A cached result does not count
 * towards the rate limit, and is stored completely: each plan truncates it to its own context window.
 */
export function withinLimits(port: ToolPort, clock: Clock, { results, uses }: ToolMemory): ToolPort {
  return withCutResults(withCachedResults(withRateLimits(port, clock, uses), clock, results))
}
