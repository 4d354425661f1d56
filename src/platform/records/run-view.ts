import { defined } from '../../document/defined.ts'
import {
  answer,
  anything,
  flag,
  list,
  moment,
  nullable,
  oneOf,
  type SchemaOf,
  type Typed,
  text,
  typed,
} from '../../http/schema.ts'
import type { StoredRun } from '../../run/record/records.ts'
import { listedSummary, summaryOf } from '../../run/record/run-summary.ts'
import { type RunResult, resultOf } from '../../run/result.ts'
import { type ShownStatus, STATUSES, shownStatus, stopReason } from '../../session/run-status.ts'
import type { PlatformRecord } from './run-row.ts'

/** Statuses of a run on the platform: those of `waybill run`, those before it begins, and those of a move. */
export type PlatformStatus = ShownStatus | 'queued' | 'scheduled' | 'set_aside'

export const RUN_STATUSES: readonly PlatformStatus[] = [...STATUSES, 'queued', 'scheduled', 'set_aside']

export const runStatus = oneOf(RUN_STATUSES, 'The status of the run.')

/** An object with the members that a result of a run has. */
function part<T>(description: string): SchemaOf<T> {
  return typed<T>({ type: 'object', description })
}

type Part<M extends keyof RunResult> = NonNullable<RunResult[M]>

type OneOf<M extends 'subagents' | 'warnings' | 'waiting'> = Part<M>[number]

export const runView = answer(
  'A run. After its end, and while it waits, with the members of the result.',
  {
    run_id: text('Names the run.'),
    status: runStatus,
    agent_id: text('The agent.'),
    agent_name: text('The name of the agent.'),
    version: text('The version of the agent.'),
    user: text('The user on whose behalf the agent acts.'),
    session: text('The conversation that the run belongs to.'),
    on_behalf_of: text('The member in whose name the agent acts.'),
    created_at: moment('When the run was stored.'),
    updated_at: moment('When the run changed last.'),
    why: text('Why the run was set aside.'),
    moved_to: answer(
      'Where the run moves or was moved to.',
      {
        owner: text('The new owner, as the URI of its place.'),
        run_id: nullable(text('The run there; null: it is not there yet.')),
        receiver: oneOf(
          ['unknown'],
          'The new owner does not know the run any more: `POST /v1/runs/RUN/take-back`.',
        ),
      },
      ['owner', 'run_id'],
    ),
    stop_reason: typed<Part<'stop_reason'>>(text('Why the run stopped.')),
    output: anything('The output: the value of the output schema, else a text.'),
    rehearsal: flag('Test doubles replaced the models and the tools.'),
    replay: part<Part<'replay'>>('The recorded run whose answers it has; absent: it is a real run.'),
    model: nullable(part<Part<'model'>>('The route that gave the latest answer.')),
    usage: part<Part<'usage'>>('Tokens, cost, calls and duration.'),
    subagents: list(part<OneOf<'subagents'>>('A run of a sub-agent.')),
    warnings: list(part<OneOf<'warnings'>>('A warning with a `code` and a `message`.')),
    error: part<Part<'error'>>('Why the run failed or was refused.'),
    waiting: list(part<OneOf<'waiting'>>('A call that waits for a person.')),
  },
  ['run_id', 'status', 'agent_id', 'agent_name', 'created_at', 'updated_at'],
)
export type RunView = Typed<typeof runView>

/** Returns the status of a run: that of its record, and of the queue before it begins or continues. */
export function platformStatus(
  record: Pick<PlatformRecord, 'status' | 'live' | 'damaged' | 'seq' | 'phase' | 'due_at'>,
): PlatformStatus {
  const { phase, due_at } = record
  if (phase === 'set_aside' || phase === 'moving' || phase === 'moved') return phase
  const status = shownStatus(record)
  if (status !== 'interrupted') return status
  if (record.seq === 0 && phase === 'parked' && due_at !== null) return 'scheduled'
  // Its leg is queued, or waits for a slot or a time.
  return phase === 'held' ? 'interrupted' : record.seq === 0 ? 'queued' : 'running'
}

/** Returns a run as lists show it. */
export function listedView(record: PlatformRecord): RunView {
  const { run_id, header, version, why } = record
  const stop_reason = stopReason(record)
  return {
    run_id,
    status: platformStatus(record),
    agent_id: header?.agent_id ?? '',
    agent_name: header?.agent_name ?? '',
    ...defined({ user: header?.user, session: header?.session, on_behalf_of: header?.on_behalf_of }),
    ...(version !== null && { version }),
    created_at: new Date(record.created_at).toISOString(),
    updated_at: new Date(record.updated_at).toISOString(),
    ...(stop_reason !== undefined && { stop_reason: stop_reason as NonNullable<RunView['stop_reason']> }),
    ...(why !== null && { why }),
    ...defined({ rehearsal: header?.rehearsal, replay: header?.replay }),
  }
}

/**
 * Returns a run with its result, or with what is known of it so far.
 * @param record read before the run itself: the status is that of the state, so that both agree
 */
export function wholeView(record: PlatformRecord, { plan, state }: StoredRun): RunView {
  const { status: _status, stop_reason, ...result } = resultOf(plan, state)
  const { stop_reason: _before, ...rest } = record
  const known = listedView({ ...rest, ...listedSummary(summaryOf(state), record.created_at) })
  const isSettled = state.end !== null || state.status === 'waiting' || state.status === 'paused'
  return { ...known, ...result, ...(isSettled && { stop_reason }) }
}
