import { BUDGET_EXHAUSTED, OPERATORS, READERS, routesOf } from '../../http/route.ts'
import { PAGE, pageOf } from '../../http/schema.ts'
import { ENDED, isWhole, settled } from '../runs/routes.ts'
import type { Runs } from '../runs/run.ts'
import { message, newSession, type Sessions, sessionView } from './session.ts'

const route = routesOf<{ readonly sessions: Sessions }>()
const waitingRoute = routesOf<{ readonly sessions: Sessions; readonly runs: Pick<Runs, 'settled'> }>()

const listSessions = route({
  method: 'GET',
  path: '/v1/sessions',
  name: 'listSessions',
  summary: 'Lists conversations, newest first.',
  tag: 'sessions',
  access: READERS,
  query: PAGE,
  answers: { 200: { description: 'A page of sessions.', schema: pageOf(sessionView) } },
  handle: async ({ tenant, query }) => ({ status: 200, json: await tenant.sessions.list(query) }),
})

const createSession = route({
  method: 'POST',
  path: '/v1/sessions',
  name: 'createSession',
  summary: 'Creates a conversation with an agent.',
  tag: 'sessions',
  access: OPERATORS,
  body: { kind: 'json', schema: newSession },
  answers: { 201: { description: 'The session.', schema: sessionView } },
  handle: async ({ tenant, body, resourceId }) => ({
    status: 201,
    json: await tenant.sessions.create({
      ...(resourceId !== undefined && { session: resourceId }),
      ...body,
    }),
  }),
})

const readSession = route({
  method: 'GET',
  path: '/v1/sessions/{session}',
  name: 'readSession',
  summary: 'Returns a conversation.',
  tag: 'sessions',
  access: READERS,
  answers: { 200: { description: 'The session.', schema: sessionView } },
  handle: async ({ tenant, params }) => ({ status: 200, json: await tenant.sessions.read(params.session) }),
})

const sendMessage = waitingRoute({
  method: 'POST',
  path: '/v1/sessions/{session}/messages',
  name: 'sendMessage',
  summary: 'Sends a message. It never answers an open question.',
  tag: 'sessions',
  access: OPERATORS,
  body: { kind: 'json', schema: message },
  failures: [BUDGET_EXHAUSTED],
  answers: {
    200: { description: 'The turn has ended in time.', schema: sessionView },
    202: { description: 'The state that was reached.', schema: sessionView },
  },
  async handle({ tenant, params, body: { wait_seconds = 0, ...sent }, resourceId, stopping }) {
    const session = await tenant.sessions.send(params.session, sent, resourceId)
    const { run_id, status } = session
    if (wait_seconds === 0 || run_id === null || status === null) return { status: 202, json: session }
    const run = await settled(tenant.runs, { run_id, status }, wait_seconds * 1000, stopping)
    if (!isWhole(run) || !ENDED.has(run.status))
      return { status: 202, json: { ...session, status: run.status } }
    const now = await tenant.sessions.read(session.session)
    return { status: 200, json: { ...now, run } }
  },
})

/** Conversations. */
export const SESSION_ROUTES = [listSessions, createSession, readSession, sendMessage]
