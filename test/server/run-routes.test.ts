import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { definition, serveFake } from './served.ts'

const AGENT = '0198c0de-0000-7000-8000-000000000001'

describe('runs over HTTP', () => {
  test('a run is answered with its id at once, and with its result if it ends in time', async (t) => {
    const { send, token } = await serveFake(t)
    const made = await send('POST', '/v1/agents', {
      token,
      body: definition(AGENT),
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(made.status, 201, made.text)
    const started = await send('POST', `/v1/agents/${AGENT}/runs`, { token, json: { input: 'hello' } })
    assert.equal(started.status, 202, started.text)
    assert.deepEqual(Object.keys(started.json), ['run_id', 'status'])
    const waited = await send('POST', `/v1/agents/${AGENT}/runs`, {
      token,
      json: { input: 'hello', wait_seconds: 5 },
    })
    assert.equal(waited.status, 200, waited.text)
    assert.equal(waited.json.status, 'completed')
    const slow = await send('POST', `/v1/agents/${AGENT}/runs`, {
      token,
      json: { input: 'slow', wait_seconds: 0.01 },
    })
    assert.equal(slow.status, 202, slow.text)
    assert.equal(slow.json.status, 'queued')
    const listed = await send('GET', '/v1/runs?limit=2', { token })
    assert.equal(listed.json.items.length, 2)
    assert.ok(listed.json.next)
  })
})
