import { ADMINS, type Call, param, type Route } from '../../http/route.ts'
import { PAGE, pageOf, removed } from '../../http/schema.ts'
import type { Tenant } from '../../platform/platform.ts'
import { erasureView, newErasure } from '../schemas/removal-schemas.ts'

const removal = ({ tenant }: Pick<Call<Tenant>, 'tenant'>) => tenant.removal(tenant.principal.organisation)

/** Removes runs, and all data of a user. */
export const REMOVAL_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'DELETE',
    path: '/v1/runs/{run}',
    name: 'removeRun',
    summary: 'Removes a run that no worker drives, its sub-agents and its session, permanently.',
    tag: 'runs',
    access: ADMINS,
    answers: { 200: { description: 'How many runs were removed.', schema: removed } },
    handle: async (call) => ({
      status: 200,
      json: { removed: await (await removal(call)).run(param(call, 'run')) },
    }),
  },
  {
    method: 'POST',
    path: '/v1/erasures',
    name: 'eraseUser',
    summary: 'Erases all data of a user: cancels the runs under way, then removes all rows.',
    tag: 'erasures',
    access: ADMINS,
    body: { kind: 'json', schema: newErasure },
    answers: { 202: { description: 'The erasure, which a worker performs.', schema: erasureView } },
    async handle({ tenant, body }) {
      const { user } = body as { readonly user: string }
      return { status: 202, json: await (await removal({ tenant })).erase(user) }
    },
  },
  {
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
      json: await (await removal({ tenant })).erasures(query),
    }),
  },
  {
    method: 'GET',
    path: '/v1/erasures/{erasure}',
    name: 'readErasure',
    summary: 'Returns how far an erasure is.',
    tag: 'erasures',
    access: ADMINS,
    answers: { 200: { description: 'The erasure.', schema: erasureView } },
    handle: async (call) => ({
      status: 200,
      json: await (await removal(call)).erasure(param(call, 'erasure')),
    }),
  },
]
