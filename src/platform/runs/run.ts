import type { Json } from '../../document/json.ts'
import type { QueryOf } from '../../http/route.ts'
import {
  answer,
  anything,
  id,
  integer,
  list,
  moment,
  nullable,
  oneOf,
  PAGE,
  request,
  ruled,
  type Typed,
  text,
  typed,
} from '../../http/schema.ts'
import type { RunEvent } from '../../run/event.ts'
import type { PublicEvent } from '../../run/record/event-line.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import type { Message as ConversationMessage } from '../../run/state.ts'
import { startMembers } from '../agents/plan-settings.ts'
import { ON_BUSY } from '../engine/next-facts.ts'
import { RUN_STATUSES, type RunView, runStatus, runView } from '../records/run-view.ts'
import type { StreamItem } from '../streams/stream-item.ts'

/** The largest number of inputs of a batch. */
const MAX_BATCH = 10_000

export const onBusy = oneOf(ON_BUSY, 'What happens if the session has an active run; default `enqueue`.')

/** The longest time for which a request waits, in seconds. */
const MAX_WAIT_SECONDS = 60

/** How long a request waits for the end of what it has started. */
export function waitSeconds(description: string) {
  return typed<number>({ type: 'number', minimum: 0, maximum: MAX_WAIT_SECONDS, description })
}

export const startRun = request({
  input: ruled(anything('The input of the agent.'), 'It matches the input schema of the agent.'),
  session: id('The conversation that the run belongs to.'),
  on_busy: onBusy,
  wait_seconds: waitSeconds('The request waits this long for the end of the run; default 0.'),
  ...startMembers,
})

/** What a run is started with. */
export interface StartRun extends Omit<Typed<typeof startRun>, 'wait_seconds' | 'on_busy'> {
  /** The conversation before the input. Not a member of a request. */
  readonly history?: readonly ConversationMessage[]
}

/** A run that begins with a message to a session, or a message to the run of the session. */
export type StartInSession = Omit<Typed<typeof startRun>, 'wait_seconds'> & { readonly session: string }

export const startBatch = request(
  {
    inputs: list(ruled(anything('The input of one run.'), 'It matches the input schema of the agent.'), {
      minItems: 1,
      maxItems: MAX_BATCH,
    }),
    ...startMembers,
  },
  ['inputs'],
)

export const runStanding = answer('A run and its status.', {
  run_id: text('Names the run.'),
  status: runStatus,
})
/** The status that a run has reached. */
export type RunStanding = Typed<typeof runStanding>

export const RUN_QUERY = {
  ...PAGE,
  status: oneOf(RUN_STATUSES, 'Only runs with this status.'),
  agent_id: id('Only runs of this agent.'),
  user: id('Only runs on behalf of this user.'),
  since: moment('Only runs created at this moment or later.'),
}
export type RunQuery = QueryOf<typeof RUN_QUERY>

export const runEvent = typed<PublicEvent>(
  answer('An event of a run, with further members for its type; see the guide to events.', {
    v: integer('The version of this form.', 1),
    seq: integer('The number of the event, from 1; the cursor of the stream.', 1),
    at: moment('When it happened.'),
    run_id: text('The run.'),
    type: text('What happened.'),
    decision: { type: 'object', description: 'What the run decided.' },
  }),
)

export const batchView = answer('A batch of runs.', {
  batch_id: text('Names the batch.'),
  agent_id: text('The agent.'),
  inputs: integer('The number of inputs.', 0),
  done: integer('The number of runs that have ended.', 0),
  items: list(
    typed<RunView | null>({ anyOf: [runView, { type: 'null' }], description: 'In the order of the inputs.' }),
  ),
  next: nullable(text('The `cursor` of the next page.')),
})
export type BatchView = Typed<typeof batchView>

/** Starts runs in sessions: a session has at most one active run, so such a run is a message to the session. */
export interface SessionStarts {
  /**
   * @param messageId given by the idempotency key of the request, so that a repeated request is the same message
   * @throws as `start` of {@link Runs}; SESSION_BUSY
   */
  start(agentId: string, request: StartInSession, messageId?: string): Promise<RunStanding>
}

/** Every method throws RUN_NOT_FOUND where that applies, also for a run of another organisation. */
export interface Runs {
  /**
   * Plans a run, stores it and queues its first leg in one transaction.
   * @param runId given by the idempotency key of the request, so that a repeated request is the same run
   * @throws AGENT_NOT_FOUND, VERSION_NOT_FOUND, AGENT_NOT_ACTIVE, INPUT_INVALID, BUDGET_EXHAUSTED, WEBHOOK_NOT_FOUND
   */
  start(agentId: string, request: Omit<StartRun, 'session'>, runId?: string): Promise<RunStanding>
  /** Waits until the run has ended or waits for a person, at most this long (milliseconds). */
  settled(runId: string, withinMs: number, signal?: AbortSignal): Promise<RunView>
  list(query: RunQuery): Promise<PageOf<RunView>>
  read(runId: string): Promise<RunView>
  /** Returns events after a sequence number, in order. */
  events(runId: string, after: number, limit: number): Promise<readonly RunEvent[]>
  /** Follows a run from a sequence number (default 0) until it ends, also across workers. */
  follow(runId: string, after: number, signal: AbortSignal): AsyncIterable<StreamItem>
  pause(runId: string): Promise<RunStanding>
  resume(runId: string): Promise<RunStanding>
  cancel(runId: string): Promise<RunStanding>
  /**
   * Starts the same input again as a new run; a run that was set aside is queued again.
   * @param newRunId given by the idempotency key of the request, so that a repeated request is the same run
   */
  retry(runId: string, newRunId?: string): Promise<RunStanding>
  startBatch(
    agentId: string,
    inputs: readonly Json[],
    request: Omit<StartRun, 'input' | 'session'>,
    batchId?: string,
  ): Promise<BatchView>
  readBatch(batchId: string, page: Page): Promise<BatchView>
}
