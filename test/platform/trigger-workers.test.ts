import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPlatform } from '../../src/compose/open-platform.ts'
import { serve } from '../server/served.ts'
import { AGENT, definitionOf } from './organisation.ts'
import { testDatabase } from './postgres.ts'
import { until } from './webhooks-fixture.ts'

test('a worker fires schedules, and records why a run cannot start', async (t) => {
  const { ownerUrl } = await testDatabase(t)
  const home = mkdtempSync(join(tmpdir(), 'waybill-trigger-workers-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  let token = ''
  const opened = await openPlatform({
    home,
    data: join(home, 'data'),
    databaseUrl: ownerUrl,
    env: { OPENAI_API_KEY: 'not-used' },
    version: '9.9.9',
    worker: {},
    keepToken: (one) => {
      token = one
    },
    log: () => {},
  })
  t.after(() => opened.close())
  const { send } = await serve(t, opened.platform)
  // No run begins, so no model is asked.
  const io = { input_schema: { type: 'string' } }
  const events = { triggers: [{ type: 'schedule', schedule: '* * * * * *' }] }
  const uploaded = await send('POST', '/v1/agents', {
    token,
    json: definitionOf({ version: '1.0.0', io, events }),
  })
  assert.equal(uploaded.status, 201, uploaded.text)
  const { items } = (await send('GET', `/v1/triggers?agent_id=${AGENT}`, { token })).json
  const path = `/v1/triggers/${items[0].id}/firings`
  const fired = async () => (await send('GET', path, { token })).json.items.at(-1)
  await until(async () => (await fired())?.state === 'failed', 'a firing')
  const { why, slot, run_id } = await fired()
  assert.match(why, /^INPUT_INVALID: /)
  assert.match(slot, /\.000Z$/)
  assert.equal(run_id, null)
})
