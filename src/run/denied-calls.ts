import { isDeepStrictEqual } from 'node:util'
import type { Decision, Fact } from './event.ts'
import type { CallEntry, DeniedCall, RunState } from './state.ts'

/**
 * Returns the calls of a turn that a person has refused, with those of its sub-agents. A new input of the user, or a
 * message to the turn, ends them.
 */
export function deniedAfter(
  state: RunState,
  fact: Fact,
  decision: Decision,
): readonly DeniedCall[] | undefined {
  switch (fact.type) {
    case 'run.started':
      return fact.denied
    case 'user.said':
      return undefined
    case 'user.steered':
      return decision.steer === true ? undefined : state.denied
    case 'person.decided':
      return fact.verdict === 'deny' && decision.done?.call_id === fact.call_id
        ? withDenied(state.denied, denialsOf(state, fact))
        : state.denied
    case 'call.answered':
    case 'call.failed':
      return withDenied(state.denied, fact.denied ?? [])
    default:
      return state.denied
  }
}

/** Returns the refusal of a person that covers a call of this run: the same tool with the same arguments. */
export function denialFor(
  { denied = [], agent_id }: Pick<RunState, 'denied' | 'agent_id'>,
  call: Pick<CallEntry, 'tool' | 'args'>,
): DeniedCall | undefined {
  return denied.find((one) => one.agent_id === agent_id && isSameCall(one, call))
}

export function isSameCall(
  a: Pick<CallEntry, 'tool' | 'args'>,
  b: Pick<CallEntry, 'tool' | 'args'>,
): boolean {
  return a.tool === b.tool && isDeepStrictEqual(a.args, b.args)
}

/** A person who refuses an edited call has refused the arguments of the model as well. */
function denialsOf(
  { agent_id, calls }: RunState,
  { call_id, by, why }: Extract<Fact, { readonly type: 'person.decided' }>,
): readonly DeniedCall[] {
  const call = calls.find(({ id }) => id === call_id)
  if (call === undefined || call.agent !== undefined) return []
  const { tool, args, proposed } = call
  return [args, ...(proposed === undefined ? [] : [proposed])].map((refused) => ({
    agent_id,
    tool,
    args: refused,
    by,
    ...(why !== undefined && { why }),
  }))
}

function withDenied(
  before: readonly DeniedCall[] | undefined,
  more: readonly DeniedCall[],
): readonly DeniedCall[] | undefined {
  const added = more.filter(
    (one) => before?.some((known) => known.agent_id === one.agent_id && isSameCall(known, one)) !== true,
  )
  return added.length === 0 ? before : [...(before ?? []), ...added]
}
