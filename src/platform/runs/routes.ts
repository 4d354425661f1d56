import { WaybillError } from '../../document/issue.ts'
import { MAX_BYTES } from '../../document/read-document.ts'
import { acceptsEventStream } from '../../http/accepted-types.ts'
import { BUDGET_EXHAUSTED, OPERATORS, READERS, routesOf } from '../../http/route.ts'
import { integer, PAGE, pageOf, text, typed } from '../../http/schema.ts'
import { publicEvent } from '../../run/record/event-line.ts'
import { exportRun } from '../../session/export-run.ts'
import type { Home } from '../../session/home.ts'
import { type RunView, runView } from '../records/run-view.ts'
import {
  batchView,
  RUN_QUERY,
  type RunStanding,
  type Runs,
  runEvent,
  runStanding,
  type SessionStarts,
  startBatch,
  startRun,
} from './run.ts'

const route = routesOf<{ readonly runs: Runs }>()
const startingRoute = routesOf<{ readonly runs: Runs; readonly sessions: SessionStarts }>()
const recordRoute = routesOf<{ readonly runs: Runs; readonly home: Home }>()

/** Statuses of runs that have ended. */
export const ENDED: ReadonlySet<RunView['status']> = new Set(['completed', 'failed', 'refused', 'cancelled'])

const PAGE_OF_EVENTS = 100

const EVENT_NUMBER = '^(0|[1-9][0-9]{0,14})$'

const start = startingRoute({
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
    202: { description: 'The run was stored.', schema: runStanding },
  },
  async handle({ tenant, params, body, resourceId, stopping }) {
    const { wait_seconds = 0, session, on_busy, ...request } = body
    const standing = await (session === undefined
      ? tenant.runs.start(params.agent, request, resourceId)
      : tenant.sessions.start(
          params.agent,
          { ...request, session, ...(on_busy !== undefined && { on_busy }) },
          resourceId,
        ))
    if (wait_seconds === 0) return { status: 202, json: standing }
    const run = await settled(tenant.runs, standing, wait_seconds * 1000, stopping)
    return isWhole(run) && ENDED.has(run.status)
      ? { status: 200, json: run }
      : { status: 202, json: standingOf(run) }
  },
})

const listRuns = route({
  method: 'GET',
  path: '/v1/runs',
  name: 'listRuns',
  summary: 'Lists runs, newest first.',
  tag: 'runs',
  access: READERS,
  query: RUN_QUERY,
  answers: { 200: { description: 'A page of runs.', schema: pageOf(runView) } },
  handle: async ({ tenant, query }) => ({ status: 200, json: await tenant.runs.list(query) }),
})

const readRun = route({
  method: 'GET',
  path: '/v1/runs/{run}',
  name: 'readRun',
  summary: 'Returns a run.',
  tag: 'runs',
  access: READERS,
  answers: { 200: { description: 'The run.', schema: runView } },
  handle: async ({ tenant, params }) => ({ status: 200, json: await tenant.runs.read(params.run) }),
})

const readEvents = route({
  method: 'GET',
  path: '/v1/runs/{run}/events',
  name: 'readEvents',
  summary: 'Returns a page of events, or follows the run as a stream of server-sent events.',
  tag: 'runs',
  access: READERS,
  query: {
    limit: integer('Events of a page; default 100.', 1, 1000),
    cursor: text('`next` of the previous page.', { pattern: EVENT_NUMBER }),
    after: integer('Only events after this number.', 0, Number.MAX_SAFE_INTEGER),
  },
  headers: {
    'last-event-id': text('The stream begins after this event, as clients ask when they connect again.', {
      pattern: EVENT_NUMBER,
    }),
  },
  answers: {
    200: {
      description: 'A page of events; with `accept: text/event-stream` a stream that ends with `end`.',
      schema: pageOf(runEvent),
      mediaTypes: ['application/json', 'text/event-stream'],
    },
  },
  failures: [409],
  async handle({ tenant: { runs }, params: { run }, query, headers }) {
    const after = query.cursor === undefined ? (query.after ?? 0) : Number(query.cursor)
    if (acceptsEventStream(headers.accept)) {
      const from = lastEventId(headers['last-event-id']) ?? after
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
  },
})

const readRecord = recordRoute({
  method: 'GET',
  path: '/v1/runs/{run}/record',
  name: 'readRecord',
  summary:
    'Returns the record of a run and those of its sub-agents as signed NDJSON, like `waybill runs export`.',
  tag: 'runs',
  access: READERS,
  answers: { 200: { description: 'The record.', mediaTypes: ['application/x-ndjson'] } },
  async handle({ tenant, params }) {
    // Also for a run of another organisation, which is not found.
    const { run_id } = await tenant.runs.read(params.run)
    const bytes = Buffer.from(await exportRun(tenant.home, run_id))
    return { status: 200, bytes, mediaType: 'application/x-ndjson' }
  },
})

/** A route that gives a command to a run. */
function commandRoute(
  act: 'pause' | 'resume' | 'cancel' | 'retry',
  summary: string,
  give: (runs: Runs, run: string, resourceId: string | undefined) => Promise<RunStanding>,
) {
  return route({
    method: 'POST',
    path: `/v1/runs/{run}/${act}`,
    name: `${act}Run`,
    summary,
    tag: 'runs',
    access: OPERATORS,
    body: { kind: 'json', schema: NOTHING, optional: true },
    ...(act === 'retry' && { failures: [BUDGET_EXHAUSTED] }),
    answers: { 202: { description: 'The status that was reached.', schema: runStanding } },
    handle: async ({ tenant, params, resourceId }) => ({
      status: 202,
      json: standingOf(await give(tenant.runs, params.run, resourceId)),
    }),
  })
}

/** The body of a command, which says nothing more. */
const NOTHING = typed<Readonly<Record<string, never>>>({
  type: 'object',
  properties: {},
  additionalProperties: false,
})

const startRuns = route({
  method: 'POST',
  path: '/v1/agents/{agent}/batches',
  name: 'startBatch',
  summary: 'Starts one run for each input.',
  tag: 'batches',
  access: OPERATORS,
  body: { kind: 'json', schema: startBatch, maxBytes: MAX_BYTES },
  failures: [BUDGET_EXHAUSTED],
  answers: { 202: { description: 'The batch was stored.', schema: batchView } },
  async handle({ tenant, params, body: { inputs, ...request }, resourceId }) {
    return { status: 202, json: await tenant.runs.startBatch(params.agent, inputs, request, resourceId) }
  },
})

const readBatch = route({
  method: 'GET',
  path: '/v1/batches/{batch}',
  name: 'readBatch',
  summary: 'Returns the runs of a batch in the order of its inputs.',
  tag: 'batches',
  access: READERS,
  query: PAGE,
  answers: { 200: { description: 'A page of the batch.', schema: batchView } },
  handle: async ({ tenant, params, query }) => ({
    status: 200,
    json: await tenant.runs.readBatch(params.batch, query),
  }),
})

/** Runs: start, list, read, events, and what is asked of a run under way; batches: one run for each input. */
export const RUN_ROUTES = [
  start,
  listRuns,
  readRun,
  readEvents,
  readRecord,
  commandRoute('pause', 'Pauses a run: calls that were sent are finished first.', (runs, run) =>
    runs.pause(run),
  ),
  commandRoute('resume', 'Continues a paused run.', (runs, run) => runs.resume(run)),
  commandRoute('cancel', 'Ends a run.', (runs, run) => runs.cancel(run)),
  commandRoute('retry', 'Starts the same input again as a new run.', (runs, run, id) => runs.retry(run, id)),
  startRuns,
  readBatch,
]

/** Waits for a run; when the server shuts down, the run continues elsewhere, and its last known status is returned. */
export async function settled(
  runs: Pick<Runs, 'settled'>,
  standing: RunStanding,
  withinMs: number,
  stopping: AbortSignal,
): Promise<RunView | RunStanding> {
  try {
    return await runs.settled(standing.run_id, withinMs, stopping)
  } catch (error) {
    if (stopping.aborted) return standing
    throw error
  }
}

/** Returns whether a run was read, and not only the status that it had before. */
export function isWhole(run: RunView | RunStanding): run is RunView {
  return 'agent_id' in run
}

function standingOf({ run_id, status }: RunStanding): RunStanding {
  return { run_id, status }
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
