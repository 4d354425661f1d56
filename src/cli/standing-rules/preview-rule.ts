import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import { type CallRule, whyNotCovered } from '../../policy/approval/call-rule.ts'
import type { RunEvent } from '../../run/event.ts'
import type { Records } from '../../run/record/records.ts'
import type { CallEntry } from '../../run/state.ts'
import { count } from '../terminal/amounts.ts'
import type { Paint } from '../terminal/paint.ts'
import { argumentsLine, plainLine } from '../terminal/plain-text.ts'

/** Runs looked through, newest first. */
const RUNS = 1000
/** Calls of each sort that are shown. */
const SHOWN = 20

export interface PastCall {
  readonly run_id: string
  readonly call_id: string
  /** ISO 8601, UTC. */
  readonly at: string
  readonly arguments: JsonObject
  /** What a person said of it then. */
  readonly decided?: { readonly verdict: string; readonly by: string }
  /** Why the rule would not have let it through. */
  readonly why_not?: string
}

/** What a rule would have done, had it stood before. */
export interface RulePreview {
  /** Runs of the agent that were looked at. */
  readonly runs: number
  /** Calls of the tool in them. */
  readonly calls: number
  readonly covered: number
  /** Of those covered, how many a person denied then. */
  readonly denied: number
  /** The newest 20. */
  readonly covered_calls: readonly PastCall[]
  readonly other_calls: readonly PastCall[]
}

/** Holds a rule against the calls on record. */
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

/** Null for records that cannot be read. */
async function eventsOf(runs: Records['runs'], id: string): Promise<readonly RunEvent[] | null> {
  try {
    return await runs.events(id)
  } catch {
    return null
  }
}

/** The calls of a tool that passed every gate but a person's. */
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
      const word = decided.get(id)
      seen.set(id, {
        run_id,
        call_id: id,
        at: new Date(at).toISOString(),
        arguments: args,
        ...defined({ decided: word }),
      })
    }
  }
  return [...seen.values()]
}

/** For eyes: how many calls of the past, and which. */
export function previewText(rule: CallRule, preview: RulePreview, paint: Paint): string {
  const { runs, calls, covered, denied, covered_calls, other_calls } = preview
  if (calls === 0)
    return `  ${rule.tool} has not been called in ${runs === 0 ? 'any run' : `the ${count(runs, 'run')}`} on record, so nothing shows what the rule means\n`
  const lineOf = ({ at, arguments: args, decided, why_not }: PastCall) => {
    const word =
      decided?.verdict === 'deny' ? paint('bad', ` denied then by ${plainLine(decided.by, 40)}`) : ''
    const why = why_not === undefined ? '' : paint('faint', `  ${plainLine(why_not, 100)}`)
    return `    ${paint('faint', at.slice(0, 16).replace('T', ' '))}  ${argumentsLine(args, 80)}${word}${why}\n`
  }
  const listed = (title: string, all: number, some: readonly PastCall[]) =>
    all === 0
      ? ''
      : `  ${title}\n${some.map(lineOf).join('')}${all > some.length ? `    and ${all - some.length} more\n` : ''}`
  return [
    listed(`${count(covered, 'call')} of ${calls} on record would need no question:`, covered, covered_calls),
    listed(`${count(calls - covered, 'call')} would still ask:`, calls - covered, other_calls),
    denied > 0
      ? `  ${paint('warn', '!')} ${denied === 1 ? 'one of them was' : `${denied} of them were`} denied by a person then\n`
      : '',
  ].join('')
}
