import { ownMember } from '../document/own-member.ts'
import type { Decision, Fact } from './event.ts'
import type { AgentOutcome, CallEntry, RunState } from './state.ts'
import { finished, withCall } from './with-call.ts'

/** Marks the call that `on_tool_call` has allowed or refused: the hook is not called for it again. */
export function callsAsked(calls: readonly CallEntry[], fact: Fact): readonly CallEntry[] {
  if (fact.type !== 'hook.ran' || fact.call_id === undefined) return calls
  return withCall(calls, fact.call_id, ({ unasked: _asked, ...call }) => call)
}

/** Returns the calls of the round after a decision, with all results; a round that settles is still in it. */
export function callsAfter(before: readonly CallEntry[], decision: Decision): readonly CallEntry[] {
  let calls = decision.calls ?? before
  const { set, shares, done, judged, closed, replace, add } = decision
  if (shares !== undefined)
    for (const [id, limits] of Object.entries(shares))
      calls = withCall(calls, id, (call) =>
        call.agent === undefined ? call : { ...call, agent: { ...call.agent, limits } },
      )
  if (set !== undefined)
    for (const [id, status] of Object.entries(set))
      calls = withCall(calls, id, (call) => ({ ...call, status }))
  if (done !== undefined)
    calls = withCall(calls, done.call_id, (call) => finished(call, done.result, done.error))
  if (judged !== undefined) for (const call of judged) calls = withCall(calls, call.id, () => call)
  if (closed !== undefined) for (const call of closed) calls = withCall(calls, call.id, () => call)
  if (replace !== undefined) calls = withCall(calls, replace.id, () => replace)
  if (add !== undefined && decision.clear !== true && decision.settle !== true) calls = [...calls, ...add]
  return calls
}

/**
 * Counts calls for the limits on tools. The limit on calls applies to the whole conversation. The rule that a
 * tool must have succeeded before another is called applies to each turn.
 */
export function tallyAfter(
  { calls: before, stage, tally }: RunState,
  turnStarts: boolean,
  { calls, done }: Decision,
): RunState['tally'] {
  let next = turnStarts ? ofNewTurn(tally) : tally
  // A call counts once, when it is first sent or waits for a person, even if it is sent again.
  if (calls !== undefined) next = withCalled(next, calls)
  // A call of a sub-agent by the topology is not a call by the model.
  if (stage !== null || done === undefined || done.error === true) return next
  const succeeded = before.find((call) => call.id === done.call_id)
  return succeeded === undefined ? next : withCount(next, succeeded.tool, 0, 1)
}

function ofNewTurn(tally: RunState['tally']): RunState['tally'] {
  const entries = Object.entries(tally).map(([tool, { called }]) => [tool, { called, succeeded: 0 }] as const)
  return Object.fromEntries(entries)
}

/** Copies the counts once: a round may have a thousand calls of different tools. */
function withCalled(tally: RunState['tally'], calls: readonly CallEntry[]): RunState['tally'] {
  const counts = new Map(Object.entries(tally))
  for (const { tool, status } of calls) {
    if (status === 'done') continue
    const { called, succeeded } = counts.get(tool) ?? { called: 0, succeeded: 0 }
    counts.set(tool, { called: called + 1, succeeded })
  }
  return Object.fromEntries(counts)
}

function withCount(
  tally: RunState['tally'],
  tool: string,
  called: number,
  succeeded: number,
): RunState['tally'] {
  const before = ownMember(tally, tool) ?? { called: 0, succeeded: 0 }
  return { ...tally, [tool]: { called: before.called + called, succeeded: before.succeeded + succeeded } }
}

/** The failures of a sub-agent's run that its caller has stopped. */
const STOPPED: ReadonlySet<string> = new Set(['CANCELLED', 'TURN_INTERRUPTED'])

/**
 * Returns the calls of a turn that were sent and may have an effect, each as last seen.
 * @param calls the round after an event, before a settled round is removed, and the round that replaces it
 */
export function sentAfter(
  { sent: before, calls: known }: RunState,
  turnStarts: boolean,
  calls: readonly CallEntry[],
): readonly CallEntry[] {
  let sent = turnStarts ? [] : before
  for (const [index, call] of calls.entries()) {
    if (call === known[index] || call.effect === 'none') continue
    const at = sent.findIndex(({ key }) => key === call.key)
    if (at >= 0) sent = sent.with(at, call)
    else if (call.status === 'sent') sent = [...sent, call]
  }
  return sent
}

/** Returns the sub-agents whose runs are over with this event. */
export function agentsOver(state: RunState, fact: Fact, decision: Decision): readonly AgentOutcome[] {
  const over: AgentOutcome[] = []
  if (fact.type === 'call.answered') addOutcome(over, state, fact.call_id, 'completed')
  if (fact.type === 'call.failed')
    addOutcome(over, state, fact.call_id, STOPPED.has(fact.code) ? 'cancelled' : 'failed')
  // If the end waits for calls, a cancelled sub-agent is over when its own run is.
  if (decision.ending === undefined && decision.cancel !== undefined)
    for (const id of decision.cancel) addOutcome(over, state, id, 'cancelled')
  return over
}

function addOutcome(over: AgentOutcome[], state: RunState, id: string, status: AgentOutcome['status']): void {
  const agent = state.calls.find((call) => call.id === id)?.agent
  if (agent !== undefined) over.push({ alias: agent.alias, run_id: agent.run_id, status })
}
