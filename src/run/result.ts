import { defined } from '../document/defined.ts'
import type { ErrorObject } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import type { Plan } from '../plan/plan.ts'
import type { Replay } from './record/run-header.ts'
import type { CallEntry, RunState, RunTotals, RunWarning, StopReason } from './state.ts'
import { type Asks, asksOf, asksPerson, isUnsettled } from './unsettled.ts'

/** The result of a run, as `waybill run --json` prints it. */
export interface RunResult {
  readonly run_id: string
  readonly agent_id: string
  readonly status: 'completed' | 'failed' | 'refused' | 'awaiting_approval' | 'paused' | 'cancelled'
  readonly stop_reason: StopReason
  /** The parsed value when there is an output schema, else a string; null when there is none. */
  readonly output: Json
  readonly rehearsal: boolean
  /** Present: the answers are those of another run. */
  readonly replay?: Replay
  /** The route that gave the latest answer, or the one that would have been asked first. */
  readonly model: { readonly provider: string; readonly model: string } | null
  readonly usage: RunTotals
  readonly subagents: readonly { readonly alias: string; readonly run_id: string; readonly status: string }[]
  readonly warnings: readonly RunWarning[]
  readonly error?: ErrorObject
  /** The calls that wait for a person, if any. */
  readonly waiting?: readonly {
    readonly call_id: string
    readonly tool: string
    /**
     * `unknown`: the call may have taken effect already, and a person must say whether it did. `input`: the server of the
     * tool asks a person something before it makes the call.
     */
    readonly asks: Asks
  }[]
}

/** @param replay of the header of the run */
export function resultOf(plan: Plan, state: RunState, replay?: Replay): RunResult {
  const route =
    plan.models[state.answered_by ?? state.attempt?.route ?? plan.models.findIndex((model) => model.eligible)]
  const waiting = state.calls.flatMap((call) =>
    asksPerson(call)
      ? [
          {
            call_id: call.id,
            tool: call.tool,
            asks: asksOf(call),
          },
        ]
      : [],
  )
  return {
    run_id: state.run_id,
    agent_id: state.agent_id,
    status: statusOf(state),
    stop_reason: state.end?.stop_reason ?? (state.status === 'waiting' ? 'approval' : 'interrupt'),
    output: state.end?.output ?? null,
    rehearsal: plan.rehearsal,
    ...defined({ replay }),
    model: route === undefined ? null : { provider: route.provider_id ?? route.provider, model: route.model },
    usage: state.totals,
    subagents: subagentsOf(state),
    warnings: [...warningsOf(plan, replay), ...state.warnings.toArray(), ...unsettledWarnings(state)],
    ...defined({ error: state.end?.error }),
    ...(waiting.length > 0 && { waiting }),
  }
}

/**
 * Returns a warning for each call that delays the end of the run until a person says whether it took effect.
 */
function unsettledWarnings({ calls, ending }: RunState): readonly RunWarning[] {
  if (ending === null) return []
  const { status, error } = ending.end
  const how = error === undefined ? status : `${status} (${error.code})`
  return calls.filter(isUnsettled).map((call) => {
    const what =
      call.agent === undefined
        ? `${call.tool} (call ${call.id}) may or may not have taken effect`
        : `the run ${call.agent.run_id} of the sub-agent ${call.agent.alias} has calls that may or may not have taken effect`
    return {
      code: 'CALL_UNSETTLED',
      message: `${what}; when a person has decided that, the run ends as ${how}`,
    }
  })
}

function subagentsOf(state: RunState): RunResult['subagents'] {
  const open = state.calls.flatMap((call) =>
    call.agent === undefined || call.status === 'done'
      ? []
      : [{ alias: call.agent.alias, run_id: call.agent.run_id, status: openStatus(call) }],
  )
  return [...state.agents.toArray(), ...open]
}

function openStatus(call: CallEntry): string {
  return call.status === 'held' ? 'awaiting_approval' : call.status === 'queued' ? 'pending' : 'running'
}

function statusOf(state: RunState): RunResult['status'] {
  switch (state.status) {
    case 'waiting':
      return 'awaiting_approval'
    case 'running':
    case 'paused':
      return 'paused'
    default:
      return state.status
  }
}

/**
 * Returns the plan's warnings, which are part of every result: a reader of a result may not have read the
 * plan.
 */
export function warningsOf(plan: Plan, replay?: Replay): readonly RunWarning[] {
  return [
    ...(replay === undefined
      ? []
      : [
          {
            code: 'REPLAY' as const,
            message: `the record of run ${replay.run_id} answered for the models, the tools and the people: this proves nothing about real behaviour`,
          },
        ]),
    ...(plan.rehearsal
      ? [
          {
            code: 'REHEARSAL' as const,
            message:
              'test doubles answered for the model and the tools: this proves nothing about real behaviour',
          },
        ]
      : []),
    ...plan.degradations.map(
      ({ path, reason, subagent }): RunWarning => ({
        code: 'DEGRADED',
        message: `${path}: ${reason}`,
        ...(subagent !== undefined && { about: { subagent: [...subagent] } }),
      }),
    ),
  ]
}
