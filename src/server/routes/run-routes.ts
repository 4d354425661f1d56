import { WaybillError } from '../../document/issue.ts'
import { acceptsEventStream } from '../../http/accepted-types.ts'
import {
  type Answer,
  BUDGET_EXHAUSTED,
  type Call,
  OPERATORS,
  param,
  READERS,
  type Route,
} from '../../http/route.ts'
import { id, integer, moment, PAGE, pageOf } from '../../http/schema.ts'
import type { StartRun } from '../../platform/agents/start-run.ts'
import type { Tenant } from '../../platform/platform.ts'
import type { RunView } from '../../platform/records/run-view.ts'
import type { RunQuery, RunState202, Runs } from '../../platform/runs/run.ts'
import { publicEvent } from '../../run/record/event-line.ts'
import { exportRun } from '../../session/export-run.ts'
import { oneOf } from '../../spec/schema-builder.ts'
import { RUN_STATUSES, runEvent, runState, runView, startRun } from '../schemas/run-schemas.ts'

interface StartBody extends StartRun {
  readonly wait_seconds?: number
}

interface EventsQuery {
  readonly after?: number
  readonly cursor?: string
  readonly limit?: number
}

/** Statuses of runs that have ended. */
export const ENDED: ReadonlySet<RunView['status']> = new Set(['completed', 'failed', 'refused', 'cancelled'])

const PAGE_OF_EVENTS = 100

const EVENT_NUMBER = '^(0|[1-9][0-9]{0,14})$'

/** Runs: start, list, read, events, and what is asked of a run under way. */
export const RUN_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'POST',
    path: '/v1/agents/{agent}/runs',
    name: 'startRun',
    summary: 'Starts a run, and waits for its end if `wait_seconds` says so.',
    tag: 'runs',
    access: OPERATORS,
    body: { kind: 'json', schema: startRun },
    failures: [BUDGET_EXHAUSTED],
    answers: {
      200: { description: 'The run has ended in time.', schema: runView },
      202: { description: 'The run was stored.', schema: runState },
    },
    handle: start,
  },
  {
    method: 'GET',
    path: '/v1/runs',
    name: 'listRuns',
    summary: 'Lists runs, newest first.',
    tag: 'runs',
    access: READERS,
    query: {
      ...PAGE,
      status: oneOf(RUN_STATUSES, 'Only runs with this status.'),
      agent_id: id('Only runs of this agent.'),
      user: id('Only runs on behalf of this user.'),
      since: moment('Only runs created at this moment or later.'),
    },
    answers: { 200: { description: 'A page of runs.', schema: pageOf(runView) } },
    handle: async ({ tenant, query }) => ({ status: 200, json: await tenant.runs.list(query as RunQuery) }),
  },
  {
    method: 'GET',
    path: '/v1/runs/{run}',
    name: 'readRun',
    summary: 'Returns a run.',
    tag: 'runs',
    access: READERS,
    answers: { 200: { description: 'The run.', schema: runView } },
    handle: async (call) => ({ status: 200, json: await call.tenant.runs.read(param(call, 'run')) }),
  },
  {
    method: 'GET',
    path: '/v1/runs/{run}/events',
    name: 'readEvents',
    summary: 'Returns a page of events, or follows the run as a stream of server-sent events.',
    tag: 'runs',
    access: READERS,
    query: {
      limit: integer('Events of a page; default 100.', 1, 1000),
      cursor: {
        type: 'string',
        pattern: EVENT_NUMBER,
        description: '`next` of the previous page.',
      },
      after: integer('Only events after this number.', 0, Number.MAX_SAFE_INTEGER),
    },
    headers: {
      'last-event-id': {
        type: 'string',
        pattern: EVENT_NUMBER,
        description: 'The stream begins after this event, as clients ask when they connect again.',
      },
    },
    answers: {
      200: {
        description: 'A page of events; with `accept: text/event-stream` a stream that ends with `end`.',
        schema: pageOf(runEvent),
        mediaTypes: ['application/json', 'text/event-stream'],
      },
    },
    failures: [409],
    handle: events,
  },
  {
    method: 'GET',
    path: '/v1/runs/{run}/record',
    name: 'readRecord',
    summary:
      'Returns the record of a run and those of its sub-agents as signed NDJSON, like `waybill runs export`.',
    tag: 'runs',
    access: READERS,
    answers: { 200: { description: 'The record.', mediaTypes: ['application/x-ndjson'] } },
    async handle(call) {
      const { home, runs } = call.tenant
      // Also for a run of another organisation, which is not found.
      const { run_id } = await runs.read(param(call, 'run'))
      const bytes = Buffer.from(await exportRun(home, run_id))
      return { status: 200, bytes, mediaType: 'application/x-ndjson' }
    },
  },
  ...(
    [
      ['pause', 'Pauses a run: calls that were sent are finished first.'],
      ['resume', 'Continues a paused run.'],
      ['cancel', 'Ends a run.'],
      ['retry', 'Starts the same input again as a new run.'],
    ] as const
  ).map(
    ([act, summary]): Route<Tenant> => ({
      method: 'POST',
      path: `/v1/runs/{run}/${act}`,
      name: `${act}Run`,
      summary,
      tag: 'runs',
      access: OPERATORS,
      body: {
        kind: 'json',
        schema: { type: 'object', properties: {}, additionalProperties: false },
        optional: true,
      },
      ...(act === 'retry' && { failures: [BUDGET_EXHAUSTED] }),
      answers: { 202: { description: 'The status that was reached.', schema: runState } },
      handle: async (call) => ({ status: 202, json: await control(call, act) }),
    }),
  ),
]

async function start({ tenant, params, body, resourceId, stopping }: Call<Tenant>): Promise<Answer> {
  const { wait_seconds = 0, ...request } = body as StartBody
  const state = await tenant.runs.start(params.agent ?? '', request, resourceId)
  if (wait_seconds === 0) return { status: 202, json: state }
  const run = await settled(tenant.runs, state, wait_seconds * 1000, stopping)
  return ENDED.has(run.status) ? { status: 200, json: run } : { status: 202, json: stateOf(run) }
}

/** Waits for a run; when the server shuts down, the run continues elsewhere, and its last known state is returned. */
export async function settled(
  runs: Runs,
  state: RunState202,
  withinMs: number,
  stopping: AbortSignal,
): Promise<RunView | RunState202> {
  try {
    return await runs.settled(state.run_id, withinMs, stopping)
  } catch (error) {
    if (stopping.aborted) return state
    throw error
  }
}

function stateOf({ run_id, status }: RunState202): RunState202 {
  return { run_id, status }
}

async function control(
  call: Call<Tenant>,
  act: 'pause' | 'resume' | 'cancel' | 'retry',
): Promise<RunState202> {
  const run = param(call, 'run')
  if (act === 'retry') return stateOf(await call.tenant.runs.retry(run, call.resourceId))
  return stateOf(await call.tenant.runs[act](run))
}

async function events(call: Call<Tenant>): Promise<Answer> {
  const { runs } = call.tenant
  const run = param(call, 'run')
  const query = call.query as EventsQuery
  const after = query.cursor === undefined ? (query.after ?? 0) : Number(query.cursor)
  if (acceptsEventStream(call.headers.accept)) {
    const from = lastEventId(call.headers['last-event-id']) ?? after
    // Before the stream begins, so that a missing run or event is a problem and not an empty stream.
    await runs.events(run, from, 1)
    return { stream: { runId: run, follow: (signal) => runs.follow(run, from, signal) } }
  }
  const limit = query.limit ?? PAGE_OF_EVENTS
  const items = await runs.events(run, after, limit)
  const last = items.length < limit ? undefined : items.at(-1)
  return {
    status: 200,
    json: {
      items: items.map((event) => publicEvent(run, event)),
      next: last === undefined ? null : String(last.seq),
    },
  }
}

/** @throws HEADER_INVALID */
function lastEventId(header: string | readonly string[] | undefined): number | undefined {
  if (header === undefined || header === '') return undefined
  if (typeof header === 'string' && new RegExp(EVENT_NUMBER).test(header)) return Number(header)
  throw new WaybillError('HEADER_INVALID', {
    fault: 'usage',
    message: 'the header last-event-id is not the number of an event',
    hint: 'send the id of the last event that was received, or no such header',
  })
}
