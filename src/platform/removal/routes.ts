import { ADMINS, routesOf } from '../../http/route.ts'
import { PAGE, pageOf, removed } from '../../http/schema.ts'
import { erasureView, newErasure, type RemovalIn } from './removal.ts'

const route = routesOf<{ readonly removal: RemovalIn }>()

const removeRun = route({
  method: 'DELETE',
  path: '/v1/runs/{run}',
  name: 'removeRun',
  summary: 'Removes a run that no worker drives, its sub-agents and its session, permanently.',
  tag: 'runs',
  access: ADMINS,
  answers: { 200: { description: 'How many runs were removed.', schema: removed } },
  handle: async ({ tenant, params }) => ({
    status: 200,
    json: { removed: await (await tenant.removal()).run(params.run) },
  }),
})

export const eraseUser = route({
  method: 'POST',
  path: '/v1/erasures',
  name: 'eraseUser',
  summary: 'Erases all data of a user: cancels the runs under way, then removes all rows.',
  tag: 'erasures',
  access: ADMINS,
  body: { kind: 'json', schema: newErasure },
  answers: { 202: { description: 'The erasure, which a worker performs.', schema: erasureView } },
  handle: async ({ tenant, body }) => ({
    status: 202,
    json: await (await tenant.removal()).erase(body.user),
  }),
})

export const listErasures = route({
  method: 'GET',
  path: '/v1/erasures',
  name: 'listErasures',
  summary: 'Lists the erasures, newest first.',
  tag: 'erasures',
  access: ADMINS,
  query: PAGE,
  answers: { 200: { description: 'A page of erasures.', schema: pageOf(erasureView) } },
  handle: async ({ tenant, query }) => ({
    status: 200,
    json: await (await tenant.removal()).erasures(query),
  }),
})

const readErasure = route({
  method: 'GET',
  path: '/v1/erasures/{erasure}',
  name: 'readErasure',
  summary: 'Returns how far an erasure is.',
  tag: 'erasures',
  access: ADMINS,
  answers: { 200: { description: 'The erasure.', schema: erasureView } },
  handle: async ({ tenant, params }) => ({
    status: 200,
    json: await (await tenant.removal()).erasure(params.erasure),
  }),
})

/** The removal of runs, and of all data of a user. */
export const REMOVAL_ROUTES = [removeRun, eraseUser, listErasures, readErasure]
