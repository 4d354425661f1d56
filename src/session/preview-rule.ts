import { defined } from '../document/defined.ts'
import type { JsonObject } from '../document/json.ts'
import { type CallRule, whyNotCovered } from '../policy/approval/call-rule.ts'
import type { RunEvent } from '../run/event.ts'
import type { Records } from '../run/record/records.ts'
import type { CallEntry } from '../run/state.ts'

/** The number of runs that are searched, newest first. */
const RUNS = 1000
/** The number of calls of each kind that are shown. */
const SHOWN = 20

export interface PastCall {
  readonly run_id: string
  readonly call_id: string
  /** ISO 8601, UTC. */
  readonly at: string
  readonly arguments: JsonObject
  /** The decision of a person at that time. */
  readonly decided?: { readonly verdict: string; readonly by: string }
  /** The reason why the rule does not match. */
  readonly why_not?: string
}

/** The effect that a rule would have had on recorded calls. */
export interface RulePreview {
  /** The number of runs of the agent that were searched. */
  readonly runs: number
  /** The number of calls of the tool in these runs. */
  readonly calls: number
  readonly covered: number
  /** The number of covered calls that a person denied. */
  readonly denied: number
  /** The newest 20. */
  readonly covered_calls: readonly PastCall[]
  readonly other_calls: readonly PastCall[]
}

/** Where a preview ends. */
export interface PreviewLimits {
  /** How many runs are searched, newest first. Default: 1000. */
  readonly runs?: number
  /** Only calls with a recorded decision count, and this many at most. Default: all calls. */
  readonly decided?: number
}

/** Compares a rule with the recorded calls. */
export async function previewRule(
  rule: CallRule,
  agentId: string,
  { runs: kept }: Pick<Records, 'runs'>,
  limits: PreviewLimits = {},
): Promise<RulePreview> {
  const { decided: wanted = Number.POSITIVE_INFINITY } = limits
  let runs = 0
  const covered: PastCall[] = []
  const others: PastCall[] = []
  const { items } = await kept.list({ agent_id: agentId }, { limit: limits.runs ?? RUNS })
  for (const { run_id, header } of items) {
    const events =
      header === null || header.rehearsal || header.replay !== undefined ? null : await eventsOf(kept, run_id)
    if (events === null) continue
    if (covered.length + others.length >= wanted) break
    runs++
    for (const call of pastCalls(run_id, events, rule.tool)) {
      if (limits.decided !== undefined && call.decided === undefined) continue
      if (covered.length + others.length >= wanted) break
      const why_not = whyNotCovered(rule, call.arguments)
      if (why_not === null) covered.push(call)
      else others.push({ ...call, why_not })
    }
  }
  return {
    runs,
    calls: covered.length + others.length,
    covered: covered.length,
    denied: covered.filter(({ decided }) => decided?.verdict === 'deny').length,
    covered_calls: covered.slice(0, SHOWN),
    other_calls: others.slice(0, SHOWN),
  }
}

/** Returns null if the record cannot be read. */
async function eventsOf(runs: Records['runs'], id: string): Promise<readonly RunEvent[] | null> {
  try {
    return await runs.events(id)
  } catch {
    return null
  }
}

/** Returns the calls of a tool that passed all gates before approval. */
function pastCalls(run_id: string, events: readonly RunEvent[], tool: string): readonly PastCall[] {
  const decided = new Map(
    events.flatMap(({ fact }) =>
      fact.type === 'person.decided' ? [[fact.call_id, { verdict: fact.verdict, by: fact.by }] as const] : [],
    ),
  )
  const seen = new Map<string, PastCall>()
  for (const { at, decision } of events) {
    const entries: readonly CallEntry[] = [...(decision.calls ?? []), ...(decision.judged ?? [])]
    for (const { id, tool: name, args, status } of entries) {
      if (name !== tool || (status !== 'asking' && status !== 'sent')) continue
      const note = decided.get(id)
      seen.set(id, {
        run_id,
        call_id: id,
        at: new Date(at).toISOString(),
        arguments: args,
        ...defined({ decided: note }),
      })
    }
  }
  return [...seen.values()]
}
