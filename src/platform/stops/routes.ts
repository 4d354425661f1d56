import { OPERATORS, READERS, routesOf } from '../../http/route.ts'
import { liftedStop, newStop, type Stops, stopList, stopView } from './stop.ts'

const route = routesOf<{ readonly stops: Stops }>()

const stop = route({
  method: 'POST',
  path: '/v1/stop',
  name: 'stop',
  summary:
    'Stops a run, an agent, a user or the organisation: nothing is sent after a second, and nothing starts.',
  tag: 'stops',
  access: OPERATORS,
  body: { kind: 'json', schema: newStop },
  answers: { 201: { description: 'The stop.', schema: stopView } },
  handle: async ({ tenant, body }) => ({ status: 201, json: await tenant.stops.stop(body) }),
})

const listStops = route({
  method: 'GET',
  path: '/v1/stops',
  name: 'listStops',
  summary: 'Lists the active stops.',
  tag: 'stops',
  access: READERS,
  answers: { 200: { description: 'The stops.', schema: stopList } },
  handle: async ({ tenant }) => ({ status: 200, json: await tenant.stops.list() }),
})

const liftStop = route({
  method: 'DELETE',
  path: '/v1/stops/{stop}',
  name: 'liftStop',
  summary: 'Lifts a stop: the runs that it has stopped continue.',
  tag: 'stops',
  access: OPERATORS,
  answers: { 200: { description: 'What continues.', schema: liftedStop } },
  handle: async ({ tenant, params }) => ({ status: 200, json: await tenant.stops.lift(params.stop) }),
})

export const STOP_ROUTES = [stop, listStops, liftStop]
