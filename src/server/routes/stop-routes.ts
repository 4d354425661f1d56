import { OPERATORS, param, READERS, type Route } from '../../http/route.ts'
import type { Tenant } from '../../platform/platform.ts'
import type { NewStop } from '../../platform/stops/stops.ts'
import { liftedStop, newStop, stopList, stopView } from '../schemas/stop-schemas.ts'

/** The stop switch. */
export const STOP_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'POST',
    path: '/v1/stop',
    name: 'stop',
    summary:
      'Stops a run, an agent, a user or the organisation: nothing is sent after a second, and nothing starts.',
    tag: 'stops',
    access: OPERATORS,
    body: { kind: 'json', schema: newStop },
    answers: { 201: { description: 'The stop.', schema: stopView } },
    handle: async ({ tenant, body }) => ({
      status: 201,
      json: await (await tenant.stops()).stop(body as unknown as NewStop),
    }),
  },
  {
    method: 'GET',
    path: '/v1/stops',
    name: 'listStops',
    summary: 'Lists the active stops.',
    tag: 'stops',
    access: READERS,
    answers: { 200: { description: 'The stops.', schema: stopList } },
    handle: async ({ tenant }) => ({ status: 200, json: await (await tenant.stops()).list() }),
  },
  {
    method: 'DELETE',
    path: '/v1/stops/{stop}',
    name: 'liftStop',
    summary: 'Lifts a stop: the runs that it has stopped continue.',
    tag: 'stops',
    access: OPERATORS,
    answers: { 200: { description: 'What continues.', schema: liftedStop } },
    handle: async (call) => ({
      status: 200,
      json: await (await call.tenant.stops()).lift(param(call, 'stop')),
    }),
  },
]
