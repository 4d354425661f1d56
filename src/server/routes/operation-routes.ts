import { type Answer, READERS, type Route } from '../../http/route.ts'
import { answer } from '../../http/schema.ts'
import type { Platform, Tenant } from '../../platform/platform.ts'
import { text } from '../../spec/schema-builder.ts'
import { metricsText, type RunMetrics } from '../run-metrics.ts'

const ok = answer('The state of the server.', { status: text('`ok`.') })

/** What an operator's monitoring reads. */
export function operationRoutes(
  platform: Platform,
  metrics: { readonly runs: RunMetrics; readonly public: boolean },
  stopping: AbortSignal,
): readonly Route<Tenant>[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      name: 'health',
      summary: 'Says that the process answers.',
      tag: 'operation',
      access: 'public',
      answers: { 200: { description: 'The process answers.', schema: ok } },
      handle: () => ({ status: 200, json: { status: 'ok' } }),
    },
    {
      method: 'GET',
      path: '/readyz',
      name: 'readiness',
      summary: 'Says whether requests can be served.',
      tag: 'operation',
      access: 'public',
      answers: { 200: { description: 'Requests can be served.', schema: ok } },
      async handle(): Promise<Answer> {
        stopping.throwIfAborted()
        await platform.assertReady()
        return { status: 200, json: { status: 'ok' } }
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      name: 'metrics',
      summary: 'Returns the metrics in the text format of Prometheus.',
      tag: 'operation',
      access: metrics.public ? 'public' : READERS,
      answers: { 200: { description: 'The metrics.', mediaTypes: ['text/plain'] } },
      handle: async () => ({
        status: 200,
        bytes: metricsText(metrics.runs, await platform.measure()),
        mediaType: 'text/plain; version=0.0.4; charset=utf-8',
      }),
    },
  ]
}
