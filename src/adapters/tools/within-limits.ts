import type { Clock, ToolPort } from '../../run/ports.ts'
import { type ResultCache, withCachedResults } from './cached-results.ts'
import { withCutResults } from './cut-result.ts'
import { type RateLedger, withRateLimits } from './rate-limit.ts'

export interface ToolMemory {
  readonly results: ResultCache
  readonly uses: RateLedger
}

/**
 * What holds for every tool, whatever its protocol (AAIF §4.4). A cached result costs no turn of the rate limit, and
 * is kept whole: each plan cuts it to its own window.
 */
export function withinLimits(port: ToolPort, clock: Clock, { results, uses }: ToolMemory): ToolPort {
  return withCutResults(withCachedResults(withRateLimits(port, clock, uses), clock, results))
}
