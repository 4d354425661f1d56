import { canonicalize } from '../../document/canonical.ts'
import type { Json } from '../../document/json.ts'
import type { PlannedRateLimit, PlannedTool } from '../../plan/plan.ts'
import { type Clock, ToolFailure, type ToolPort, type ToolRequest } from '../../run/ports.ts'

/** Recent use, by tool. */
export type RateLedger = Map<string, Uses>

const MINUTE_MS = 60_000
/** Maximum wait of a call without its own timeout. */
const DEFAULT_WAIT_MS = 60_000
/** Models count tokens differently; this is the average for English text. */
const CHARS_PER_TOKEN = 4

/**
 * Enforces the rate_limit of each tool over any 60 seconds (AAIF §4.4). A call that can be sent within its timeout
 * waits, first come first served; otherwise it fails immediately and is not sent.
 */
export function withRateLimits(port: ToolPort, clock: Clock, ledger: RateLedger): ToolPort {
  return {
    call(request, options) {
      const { rate_limit } = request.tool
      return rate_limit === undefined ? port.call(request, options) : limited(request, options, rate_limit)
    },
  }

  async function limited(
    request: ToolRequest,
    options: Parameters<ToolPort['call']>[1],
    limit: PlannedRateLimit,
  ) {
    const { tool, args } = request
    const uses = usesOf(tool, ledger)
    await takeTurn(tool, limit, tokensOf(args), uses, clock, options.signal)
    options.guard?.()
    const result = await port.call(request, options)
    if (limit.tokens_per_minute !== undefined) {
      uses.push({ at: clock.now(), requests: 0, tokens: tokensOf(result) })
    }
    return result
  }
}

interface Use {
  at: number
  readonly requests: number
  readonly tokens: number
}
type Uses = Use[]

/** All tools of one declaration share its limit. */
function usesOf(tool: PlannedTool, ledger: RateLedger): Uses {
  const { name, declared, protocol, endpoint, auth, rate_limit } = tool
  const place = declared === undefined ? (endpoint ?? null) : null
  const limits = rate_limit as unknown as Json
  const key = canonicalize([declared ?? name, protocol, place, auth?.secret ?? null, limits])
  const uses = ledger.get(key) ?? []
  ledger.set(key, uses)
  return uses
}

async function takeTurn(
  tool: PlannedTool,
  limit: PlannedRateLimit,
  tokens: number,
  uses: Uses,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const most = limit.tokens_per_minute ?? Number.POSITIVE_INFINITY
  const refuse = (why: string) =>
    new ToolFailure('TOOL_RATE_LIMITED', `${tool.name} was not called: ${why}`, 'unsent')
  if (tokens > most)
    throw refuse(`the arguments alone have about ${tokens} tokens, and its rate_limit is ${most} a minute`)
  const patience = clock.now() + (tool.timeout_ms ?? DEFAULT_WAIT_MS)
  const use: Use = { at: 0, requests: 1, tokens }
  for (;;) {
    const now = clock.now()
    while (uses[0] !== undefined && uses[0].at <= now - MINUTE_MS) uses.shift()
    const turn = nextTurn(uses, use, limit, now)
    if (turn > patience) {
      const seconds = Math.ceil((turn - now) / 1000)
      throw refuse(`its rate_limit allows the next call in ${seconds} s, after its timeout`)
    }
    // Reserved before the pause, so that later calls are queued behind.
    use.at = turn
    uses.push(use)
    if (turn <= now) return
    try {
      await clock.sleep(turn - now, signal)
    } catch {
      uses.splice(uses.indexOf(use), 1)
      throw refuse('the run was stopped while the call waited')
    }
    // Results received meanwhile may have used the reserved tokens.
    if (tokensIn(uses, use, clock.now()) <= most) return
    uses.splice(uses.indexOf(use), 1)
  }
}

/** Returns the earliest time, not before calls that already wait, at which the use fits into the last 60 seconds. */
function nextTurn(uses: Uses, use: Use, limit: PlannedRateLimit, now: number): number {
  const { requests_per_minute = Number.POSITIVE_INFINITY, tokens_per_minute = Number.POSITIVE_INFINITY } =
    limit
  const times = uses.map(({ at }) => at)
  const earliest = times.reduce((latest, at) => Math.max(latest, at), now)
  const later = times.map((at) => at + MINUTE_MS).filter((at) => at > earliest)
  const first = [earliest, ...later.toSorted((a, b) => a - b)].find((at) => {
    const within = uses.filter((other) => other.at > at - MINUTE_MS && other.at <= at)
    const requests = within.reduce((sum, other) => sum + other.requests, use.requests)
    const tokens = within.reduce((sum, other) => sum + other.tokens, use.tokens)
    return requests <= requests_per_minute && tokens <= tokens_per_minute
  })
  return first ?? Number.POSITIVE_INFINITY
}

function tokensIn(uses: Uses, use: Use, now: number): number {
  return uses
    .filter((other) => other !== use && other.at > now - MINUTE_MS && other.at <= now)
    .reduce((sum, other) => sum + other.tokens, use.tokens)
}

function tokensOf(value: Json): number {
  return Math.ceil(JSON.stringify(value).length / CHARS_PER_TOKEN)
}
