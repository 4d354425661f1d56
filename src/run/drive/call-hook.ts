import { defined } from '../../document/defined.ts'
import type { HookName, Plan } from '../../plan/plan.ts'
import type { FactOf } from '../event.ts'
import type { Clock, HookAnswer, HookPort } from '../ports.ts'
import type { CallEntry, RunEnd, RunState } from '../state.ts'

export interface HookCalled {
  /** To be recorded; null when the plan names no such hook. */
  readonly fact: FactOf<'hook.ran'> | null
  /** Why the call must not leave. */
  readonly veto: string | null
}

/**
 * Calls a hook if the plan names it (AAIF events.on_*). One that was to allow a call and fails allows nothing. It is
 * called at least once: until it is on record that it ran, whoever goes on with the run calls it again with its key.
 */
export async function callHook(
  plan: Plan,
  hook: HookName,
  state: RunState,
  { hooks, clock }: { readonly hooks?: HookPort; readonly clock: Clock },
  call?: CallEntry,
): Promise<HookCalled> {
  const planned = plan.hooks?.find((entry) => entry.hook === hook)
  if (planned === undefined) return { fact: null, veto: null }
  const started = clock.now()
  const answer: HookAnswer = (await hooks?.run({
    hook,
    name: planned.name,
    key: `${call?.key ?? `${state.run_id}:${state.turn}`}:${hook}`,
    run_id: state.run_id,
    agent_id: state.agent_id,
    agent_name: plan.agent_name,
    input: state.input,
    ...(call !== undefined && { call: { call_id: call.id, tool: call.tool, args: call.args } }),
    ...(hook === 'on_complete' && { output: state.end?.output ?? null }),
    ...(hook === 'on_error' && state.end?.error !== undefined && { error: state.end.error }),
  })) ?? { ok: false, message: 'this host calls no hooks' }
  const message = answer.veto === undefined ? answer.message : `vetoed: ${answer.veto}`
  return {
    fact: {
      type: 'hook.ran',
      hook,
      ok: answer.ok,
      ...defined({ message }),
      ...(call !== undefined && { call_id: call.id }),
      latency_ms: clock.now() - started,
    },
    veto: answer.veto ?? (answer.ok ? null : `the hook ${planned.name} failed: ${answer.message ?? ''}`),
  }
}

/** Tells the end of a turn, if it has ended and was not told yet. */
export async function callEndHook(
  plan: Plan,
  state: RunState,
  ports: Parameters<typeof callHook>[3],
): Promise<HookCalled> {
  const hook = endHookDue(plan, state)
  return hook === null ? { fact: null, veto: null } : callHook(plan, hook, state, ports)
}

/** The hook that is still to be told how the turn ended: after a crash nobody may have told it. */
function endHookDue({ hooks }: Plan, { end, told, turn }: RunState): HookName | null {
  const hook = end === null || told >= turn ? null : endHook(end)
  return hooks?.some((entry) => entry.hook === hook) === true ? hook : null
}

/** Whether the turn is over and its end was told: nothing is left to do. */
export function isFinished(plan: Plan, state: RunState): boolean {
  return state.end !== null && endHookDue(plan, state) === null
}

/** Which hook an end calls for; a run that somebody stopped for good neither succeeded nor failed. */
function endHook({ status }: RunEnd): HookName | null {
  switch (status) {
    case 'completed':
      return 'on_complete'
    case 'failed':
    case 'refused':
      return 'on_error'
    case 'cancelled':
      return null
  }
}
