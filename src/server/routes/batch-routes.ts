import type { Json } from '../../document/json.ts'
import { MAX_BYTES } from '../../document/read-document.ts'
import { BUDGET_EXHAUSTED, OPERATORS, param, READERS, type Route } from '../../http/route.ts'
import { PAGE } from '../../http/schema.ts'
import type { StartRun } from '../../platform/agents/start-run.ts'
import type { Tenant } from '../../platform/platform.ts'
import { batchView, startBatch } from '../schemas/run-schemas.ts'

type StartBatch = Omit<StartRun, 'input' | 'session' | 'on_busy'> & { readonly inputs: readonly Json[] }

/** Batches: one run for each input. */
export const BATCH_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'POST',
    path: '/v1/agents/{agent}/batches',
    name: 'startBatch',
    summary: 'Starts one run for each input.',
    tag: 'batches',
    access: OPERATORS,
    body: { kind: 'json', schema: startBatch, maxBytes: MAX_BYTES },
    failures: [BUDGET_EXHAUSTED],
    answers: { 202: { description: 'The batch was stored.', schema: batchView } },
    async handle(call) {
      const { inputs, ...request } = call.body as unknown as StartBatch
      const batch = await call.tenant.runs.startBatch(param(call, 'agent'), inputs, request, call.resourceId)
      return { status: 202, json: batch }
    },
  },
  {
    method: 'GET',
    path: '/v1/batches/{batch}',
    name: 'readBatch',
    summary: 'Returns the runs of a batch in the order of its inputs.',
    tag: 'batches',
    access: READERS,
    query: PAGE,
    answers: { 200: { description: 'A page of the batch.', schema: batchView } },
    handle: async (call) => ({
      status: 200,
      json: await call.tenant.runs.readBatch(param(call, 'batch'), call.query),
    }),
  },
]
