import { defined } from '../../document/defined.ts'
import type { HookName, Plan } from '../../plan/plan.ts'
import type { FactOf } from '../event.ts'
import type { Clock, HookAnswer, HookPort } from '../ports.ts'
import type { CallEntry, RunEnd, RunState } from '../state.ts'

export interface HookCalled {
  /** The fact to record; null if the plan names no such hook. */
  readonly fact: FactOf<'hook.ran'> | null
  /** Why the call must not be sent. */
  readonly veto: string | null
}

/**
 * Calls a hook if the plan names it (AAIF events.on_*). A hook that must allow a call and fails denies it. A hook
 * is called at least once: until its call is on record, a process that resumes the run calls it again with the same
 * key.
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

/** Calls the end hook of a turn if the turn has ended and the hook was not called for it yet. */
export async function callEndHook(
  plan: Plan,
  state: RunState,
  ports: Parameters<typeof callHook>[3],
): Promise<HookCalled> {
  const hook = endHookDue(plan, state)
  return hook === null ? { fact: null, veto: null } : callHook(plan, hook, state, ports)
}

/** Returns the end hook that is still to be called: the previous process may have crashed before calling it. */
function endHookDue({ hooks }: Plan, { end, end_hook_turn, turn }: RunState): HookName | null {
  const hook = end === null || end_hook_turn >= turn ? null : endHook(end)
  return hooks?.some((entry) => entry.hook === hook) === true ? hook : null
}

/** Returns true if the turn has ended and its end hook was called. */
export function isFinished(plan: Plan, state: RunState): boolean {
  return state.end !== null && endHookDue(plan, state) === null
}

/** Returns the hook for an end, or null: a cancelled run neither succeeded nor failed. */
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
