import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import { type CallRule, whyNotCovered } from '../../policy/approval/call-rule.ts'
import type { RunEvent } from '../../run/event.ts'
import type { Records } from '../../run/record/records.ts'
import type { CallEntry } from '../../run/state.ts'
import { count } from '../terminal/amounts.ts'
import type { Paint } from '../terminal/paint.ts'
import { argumentsLine, plainLine } from '../terminal/plain-text.ts'

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

/** Compares a rule with the recorded calls. */
export async function previewRule(
  rule: CallRule,
  agentId: string,
  { runs: kept }: Pick<Records, 'runs'>,
): Promise<RulePreview> {
  let runs = 0
  const covered: PastCall[] = []
  const others: PastCall[] = []
  const { items } = await kept.list({ agent_id: agentId }, { limit: RUNS })
  for (const { run_id, header } of items) {
    const events = header === null || header.rehearsal ? null : await eventsOf(kept, run_id)
    if (events === null) continue
    runs++
    for (const call of pastCalls(run_id, events, rule.tool)) {
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

/** Returns the preview as text: the number of past calls that match, and examples. */
export function previewText(rule: CallRule, preview: RulePreview, paint: Paint): string {
  const { runs, calls, covered, denied, covered_calls, other_calls } = preview
  if (calls === 0)
    return `  ${rule.tool} has not been called in ${runs === 0 ? 'any recorded run' : `the ${count(runs, 'recorded run')}`}, so there is no example of the effect of the rule\n`
  const lineOf = ({ at, arguments: args, decided, why_not }: PastCall) => {
    const note =
      decided?.verdict === 'deny' ? paint('bad', ` was denied by ${plainLine(decided.by, 40)}`) : ''
    const why = why_not === undefined ? '' : paint('faint', `  ${plainLine(why_not, 100)}`)
    return `    ${paint('faint', at.slice(0, 16).replace('T', ' '))}  ${argumentsLine(args, 80)}${note}${why}\n`
  }
  const listed = (title: string, all: number, some: readonly PastCall[]) =>
    all === 0
      ? ''
      : `  ${title}\n${some.map(lineOf).join('')}${all > some.length ? `    and ${all - some.length} more\n` : ''}`
  return [
    listed(`${count(covered, 'call')} of ${calls} recorded would need no approval:`, covered, covered_calls),
    listed(`${count(calls - covered, 'call')} would still need approval:`, calls - covered, other_calls),
    denied > 0
      ? `  ${paint('warn', '!')} ${denied === 1 ? 'one of them was' : `${denied} of them were`} denied by a person\n`
      : '',
  ].join('')
}
