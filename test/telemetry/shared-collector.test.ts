import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { openAgent, parseAgentDefinition } from 'waybill'
import { agent } from '../run/family.ts'
import { httpCollector } from './collector.ts'

const RUNS = 20

async function openReporting(t: TestContext, endpoint: string, home?: string) {
  const opened = await openAgent(parseAgentDefinition(agent('Clerk')), {
    env: { OPENAI_API_KEY: 'not-used' },
    telemetry: { otlpEndpoint: endpoint },
    modelPort: {
      ask: async () => ({
        message: { role: 'assistant', text: 'ok', calls: [] },
        finish: 'stop',
        usage: { input_tokens: 1, output_tokens: 1 },
        warnings: [],
      }),
    },
    ...(home !== undefined && { home }),
  })
  t.after(() => opened.close())
  return opened
}

describe('AAIF §4.7 runs of one agent', () => {
  test('share the requests to their collector, and are counted together', async (t) => {
    const collector = await httpCollector(t)
    const opened = await openReporting(t, collector.url)
    await Promise.all(Array.from({ length: RUNS }, () => opened.run('go')))
    await collector.runs(RUNS)
    await opened.close()
    const points = await collector.measured()
    const ended = points.filter(({ name }) => name === 'aaif_agent_run_total').map(({ value }) => value)
    assert.equal(Math.max(...ended), RUNS)
    const requests = collector.paths.filter((path) => path === '/v1/traces').length
    assert.ok(requests <= RUNS / 4, `${requests} requests`)
  })

  test('metrics that a flush has sent are not sent again when the agent is closed', async (t) => {
    const collector = await httpCollector(t)
    const home = mkdtempSync(join(tmpdir(), 'waybill-test-'))
    t.after(() => rmSync(home, { recursive: true, force: true }))
    const opened = await openReporting(t, collector.url, home)
    await opened.run('go')
    await collector.measured()
    await opened.close()
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.deepEqual(collector.paths.toSorted(), ['/v1/metrics', '/v1/traces'])
  })

  test('each run whose spans did not arrive has a warning', async (t) => {
    const opened = await openReporting(t, 'http://127.0.0.1:9')
    const warned = () =>
      new Promise<{ readonly code: string }>((resolve, reject) => {
        opened.run('go', { onWarning: resolve }).catch(reject)
      })
    assert.equal((await warned()).code, 'TELEMETRY_UNSENT')
    assert.equal((await warned()).code, 'TELEMETRY_UNSENT')
  })
})
