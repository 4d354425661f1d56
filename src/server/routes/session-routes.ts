import { BUDGET_EXHAUSTED, OPERATORS, param, READERS, type Route } from '../../http/route.ts'
import { PAGE, pageOf } from '../../http/schema.ts'
import type { Tenant } from '../../platform/platform.ts'
import type { Message } from '../../platform/sessions/session.ts'
import { message, newSession, sessionView } from '../schemas/session-schemas.ts'
import { ENDED, settled } from './run-routes.ts'

interface NewSession {
  readonly agent_id: string
  readonly session?: string
  readonly user?: string
}

/** Conversations. */
export const SESSION_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'GET',
    path: '/v1/sessions',
    name: 'listSessions',
    summary: 'Lists conversations, newest first.',
    tag: 'sessions',
    access: READERS,
    query: PAGE,
    answers: { 200: { description: 'A page of sessions.', schema: pageOf(sessionView) } },
    handle: async ({ tenant, query }) => ({ status: 200, json: await tenant.sessions.list(query) }),
  },
  {
    method: 'POST',
    path: '/v1/sessions',
    name: 'createSession',
    summary: 'Creates a conversation with an agent.',
    tag: 'sessions',
    access: OPERATORS,
    body: { kind: 'json', schema: newSession },
    answers: { 201: { description: 'The session.', schema: sessionView } },
    async handle({ tenant, body, resourceId }) {
      const request = body as unknown as NewSession
      const created = await tenant.sessions.create({
        ...(resourceId !== undefined && { session: resourceId }),
        ...request,
      })
      return { status: 201, json: created }
    },
  },
  {
    method: 'GET',
    path: '/v1/sessions/{session}',
    name: 'readSession',
    summary: 'Returns a conversation.',
    tag: 'sessions',
    access: READERS,
    answers: { 200: { description: 'The session.', schema: sessionView } },
    handle: async (call) => ({ status: 200, json: await call.tenant.sessions.read(param(call, 'session')) }),
  },
  {
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
    async handle(call) {
      const { wait_seconds = 0, ...sent } = call.body as unknown as Message & {
        readonly wait_seconds?: number
      }
      const session = await call.tenant.sessions.send(param(call, 'session'), {
        ...sent,
        ...(call.resourceId !== undefined && { id: call.resourceId }),
      })
      const { run_id, status } = session
      if (wait_seconds === 0 || run_id === null || status === null) return { status: 202, json: session }
      const { tenant, stopping } = call
      const run = await settled(tenant.runs, { run_id, status }, wait_seconds * 1000, stopping)
      if (!ENDED.has(run.status)) return { status: 202, json: { ...session, status: run.status } }
      const now = await tenant.sessions.read(session.session)
      return { status: 200, json: { ...now, run } }
    },
  },
]
