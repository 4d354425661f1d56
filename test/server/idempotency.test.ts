import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { definition, serveFake } from './served.ts'

const AGENT = '0198c0de-0000-7000-8000-000000000001'
const RUNS = `/v1/agents/${AGENT}/runs`

async function served(t: Parameters<typeof serveFake>[0], options: Parameters<typeof serveFake>[1] = {}) {
  const found = await serveFake(t, options)
  await found.send('POST', '/v1/agents', {
    token: found.token,
    body: definition(AGENT),
    headers: { 'content-type': 'application/json' },
  })
  const runs = async () => (await found.send('GET', '/v1/runs', { token: found.token })).json.items.length
  return { ...found, runs }
}

describe('Idempotency-Key', () => {
  test('a repeated request gets the first answer, and starts nothing', async (t) => {
    const { send, token, runs } = await served(t)
    const sent = { token, json: { input: 'a' }, headers: { 'idempotency-key': 'k1' } }
    const first = await send('POST', RUNS, sent)
    const second = await send('POST', RUNS, sent)
    assert.equal(first.status, 202)
    assert.equal(first.headers['idempotency-replayed'], undefined)
    assert.equal(second.status, 202)
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.equal(second.text, first.text)
    assert.equal(await runs(), 1)
  })

  test('a request that is repeated while the first one is answered waits for its answer', async (t) => {
    const { send, token, runs } = await served(t)
    const sent = { token, json: { input: 'slow', wait_seconds: 0.2 }, headers: { 'idempotency-key': 'k1' } }
    const [a, b] = await Promise.all([send('POST', RUNS, sent), send('POST', RUNS, sent)])
    assert.equal(a.text, b.text)
    assert.equal(await runs(), 1)
  })

  test('refuses the same key with another body, or another media type of the same bytes', async (t) => {
    const { send, token, runs } = await served(t)
    const headers = { 'idempotency-key': 'k1' }
    await send('POST', RUNS, { token, json: { input: 'a' }, headers })
    const other = await send('POST', RUNS, { token, json: { input: 'b' }, headers })
    assert.equal(other.status, 409)
    assert.equal(other.json.code, 'IDEMPOTENCY_CONFLICT')
    const typed = await send('POST', RUNS, {
      token,
      body: '{"input":"a"}',
      headers: { ...headers, 'content-type': 'text/json' },
    })
    assert.equal(typed.status, 409)
    assert.equal(await runs(), 1)
  })

  test('the same key is another one for another principal and for another path', async (t) => {
    const { send, token, platform, runs } = await served(t)
    const headers = { 'idempotency-key': 'k1' }
    const colleague = platform.token('acme', 'operator')
    await send('POST', RUNS, { token, json: {}, headers })
    const theirs = await send('POST', RUNS, { token: colleague, json: {}, headers })
    assert.equal(theirs.headers['idempotency-replayed'], undefined)
    const session = { agent_id: AGENT }
    const created = await send('POST', '/v1/sessions', { token, json: session, headers })
    assert.equal(created.status, 201)
    assert.equal(await runs(), 2)
  })

  test('the id of the resource comes from the key: retry and message too', async (t) => {
    const { send, token, runs } = await served(t)
    const { run_id } = (await send('POST', RUNS, { token, json: {} })).json
    const sent = { token, headers: { 'idempotency-key': 'k1' } }
    const first = await send('POST', `/v1/runs/${run_id}/retry`, sent)
    const second = await send('POST', `/v1/runs/${run_id}/retry`, sent)
    assert.notEqual(first.json.run_id, run_id)
    assert.equal(second.json.run_id, first.json.run_id)
    assert.equal(await runs(), 2)
  })

  test('a request that was refused can be corrected under the same key', async (t) => {
    const { send, token } = await served(t)
    const headers = { 'idempotency-key': 'k1' }
    assert.equal((await send('POST', RUNS, { token, json: { inpt: 1 }, headers })).status, 422)
    assert.equal((await send('POST', RUNS, { token, json: { input: 1 }, headers })).status, 202)
  })

  test('a repeated request is answered although the limit of requests is reached', async (t) => {
    const { send, token } = await served(t, { limits: { requestsPerSecond: 0.001, burst: 2 } })
    const sent = { token, json: {}, headers: { 'idempotency-key': 'k1' } }
    const first = await send('POST', RUNS, sent)
    assert.equal(first.status, 202)
    assert.equal((await send('POST', RUNS, { token, json: {} })).status, 429)
    const repeated = await send('POST', RUNS, sent)
    assert.equal(repeated.status, 202)
    assert.equal(repeated.text, first.text)
    const unknown = await send('POST', RUNS, { ...sent, headers: { 'idempotency-key': 'k2' } })
    assert.equal(unknown.status, 429)
    assert.equal(unknown.headers['retry-after'], '1')
  })

  for (const key of ['', 'with space', 'ü', 'x'.repeat(256)]) {
    test(`refuses the key ${JSON.stringify(key.slice(0, 12))}`, async (t) => {
      const { send, token } = await served(t)
      const answer = await send('POST', RUNS, { token, json: {}, headers: { 'idempotency-key': key } })
      assert.equal(answer.status, 400)
      assert.equal(answer.json.code, 'HEADER_INVALID')
    })
  }
})

describe('limits', () => {
  test('refuses more requests per second than permitted, for each principal separately', async (t) => {
    const { send, token, platform } = await served(t, { limits: { requestsPerSecond: 0.001, burst: 3 } })
    assert.equal((await send('GET', '/v1/runs', { token })).status, 200)
    assert.equal((await send('GET', '/v1/runs', { token })).status, 200)
    const refused = await send('GET', '/v1/runs', { token })
    assert.equal(refused.status, 429)
    assert.equal(refused.json.code, 'RATE_EXCEEDED')
    const other = platform.token('rival', 'viewer')
    assert.equal((await send('GET', '/v1/runs', { token: other })).status, 200)
    assert.equal((await send('GET', '/healthz')).status, 200)
  })

  test('refuses more requests at once than permitted, and admits one again when another has ended', async (t) => {
    const { send, token } = await served(t, { limits: { concurrentRequests: 2 } })
    const slow = { token, json: { input: 'slow', wait_seconds: 0.3 } }
    const open = [send('POST', RUNS, slow), send('POST', RUNS, slow)]
    await new Promise((resolve) => setTimeout(resolve, 100))
    const refused = await send('GET', '/v1/runs', { token })
    assert.equal(refused.status, 429)
    assert.equal(refused.json.code, 'REQUESTS_EXCEEDED')
    for (const answer of await Promise.all(open)) assert.equal(answer.status, 202)
    assert.equal((await send('GET', '/v1/runs', { token })).status, 200)
  })
})
