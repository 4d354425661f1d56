import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { serveFake } from './served.ts'

const SCHEMA = { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false }

describe('routes that are registered later', () => {
  test('are behind the same checks: token, host, and a validator that changes nothing', async (t) => {
    const { send, token } = await serveFake(t, {
      register: (app, { tenantOf }) => {
        app.post('/more', { schema: { body: SCHEMA }, config: { scope: 'more:write' } }, async (request) => ({
          user: tenantOf(request).principal.user,
          body: request.body,
        }))
        app.get('/open', { config: { access: 'public' } }, async () => ({ ok: true }))
      },
    })
    assert.equal((await send('POST', '/more', { json: { a: 1 } })).status, 401)
    const good = await send('POST', '/more', { token, json: { a: 1 } })
    assert.deepEqual(good.json, { user: 'acme-admin', body: { a: 1 } })
    for (const json of [{ a: '1' }, { a: 1, b: 2 }]) {
      const refused = await send('POST', '/more', { token, json })
      assert.equal(refused.status, 422, refused.text)
      assert.equal(refused.json.code, 'REQUEST_INVALID')
    }
    assert.equal(
      (await send('POST', '/more', { token, json: { a: 1 }, headers: { host: 'evil.example' } })).status,
      421,
    )
    assert.equal((await send('GET', '/open')).status, 200)
  })

  test('HEAD gives the headers of GET without a body, also for a stream', async (t) => {
    const { send, token, platform } = await serveFake(t)
    const { runs, agents } = platform.tenant({ organisation: 'acme', user: 'u', roles: ['admin'] })
    await agents.upload(Buffer.from('{"agent_id":"x"}'), 'application/json')
    await runs.start('x', {}, 'r1')
    const list = await send('HEAD', '/v1/runs', { token })
    assert.equal(list.status, 200)
    assert.equal(list.text, '')
    const stream = await send('HEAD', '/v1/runs/r1/events', {
      token,
      headers: { accept: 'text/event-stream' },
    })
    assert.equal(stream.status, 200)
    assert.match(String(stream.headers['content-type']), /^text\/event-stream/)
    assert.equal(platform.open, 0)
  })
})
