import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createMessagePoster } from '../../src/adapters/net/post-message.ts'
import { webhookGrants } from '../../src/settings/webhook-grants.ts'
import { decided, ended } from '../../src/testing/contracts/records-fixture.ts'
import { isSigned, isSignedWithKey } from './verify-message.ts'
import { type ReceivedMessage, receiver, until, webhookSite } from './webhooks-fixture.ts'

async function place(t: TestContext) {
  const receiving = await receiver(t)
  return { ...(await webhookSite(t, [receiving.host])), receiver: receiving }
}

const typesOf = (messages: readonly ReceivedMessage[]) => messages.map(({ body }) => JSON.parse(body).type)

describe('a webhook', () => {
  it('gets each change of a run once, signed with its secret', async (t) => {
    const { create, receiver, sender, asks, ends, request } = await place(t)
    const { id, secret } = await create({ url: `${receiver.url}/all` })
    await create({ url: `${receiver.url}/ended`, events: ['run.ended'] })
    await create({ url: `${receiver.url}/other`, agent_id: 'agent-2' })
    const run = await asks('r1', { user: 'ann' })
    await run.append(decided('bob', 2))
    await run.append(...ended('completed'))
    await run.run.close()
    await ends('child', { parent: { run_id: 'r1', root_run_id: 'r1' } })
    sender()
    await until(() => receiver.messages.length >= 5, 'five messages')
    const all = receiver.messages.filter(({ path }) => path === '/all')
    assert.deepEqual(typesOf(all).sort(), ['question.closed', 'question.opened', 'run.ended', 'run.waiting'])
    const last = all.find(({ body }) => body.includes('run.ended'))
    assert.ok(last !== undefined)
    const { timestamp, data } = JSON.parse(last.body)
    assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000)
    assert.deepEqual(data, {
      run_id: 'r1',
      root_run_id: 'r1',
      agent_id: 'agent-1',
      user: 'ann',
      session: null,
      status: 'completed',
      stop_reason: 'final',
      questions: 0,
      seq: 4,
      rehearsal: false,
    })
    for (const message of all) {
      assert.ok(isSigned(message, secret))
      assert.ok(!isSigned({ ...message, body: `${message.body} ` }, secret))
      assert.ok(!isSigned(message, `whsec_${Buffer.alloc(32).toString('base64')}`))
    }
    assert.deepEqual(typesOf(receiver.messages.filter(({ path }) => path === '/ended')), ['run.ended'])
    assert.equal(receiver.messages.length, 5)
    await until(async () => (await request('GET', `/v1/webhooks/${id}`)).delivered === 4, 'the count')
  })

  it('without a secret is verified with the published keys', async (t) => {
    const { create, receiver, sender, request, send } = await place(t)
    const { id, secret } = await create({ url: receiver.url, signature: 'v1a' })
    assert.equal(secret, undefined)
    await request('POST', `/v1/webhooks/${id}/test`)
    sender()
    await until(() => receiver.messages.length === 1, 'the message')
    const [message] = receiver.messages
    const { keys } = (await send('GET', '/.well-known/jwks.json')).json
    assert.ok(message !== undefined && isSignedWithKey(message, keys[0]))
    assert.ok(!isSignedWithKey({ ...message, body: '{}' }, keys[0]))
    assert.deepEqual(Object.keys(keys[0]).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  })

  it('with a new secret is signed with both; neither is in the database, an answer or the log', async (t) => {
    const { receiver, sender, request, send, admin, facts, database, logged } = await place(t)
    const url = `${receiver.url}/path-with-a-secret`
    const headers = { 'idempotency-key': 'one' }
    const json = { url }
    const first = await send('POST', '/v1/webhooks', { token: admin, headers, json })
    const again = await send('POST', '/v1/webhooks', { token: admin, headers, json })
    const { id, secret: old } = first.json
    assert.deepEqual([again.json.id, again.json.secret], [id, undefined])
    const { secret } = await request('PUT', `/v1/webhooks/${id}`, { url, new_secret: true })
    assert.match(secret, /^whsec_/)
    assert.notEqual(secret, old)
    assert.equal((await request('PUT', `/v1/webhooks/${id}`, { url })).secret, undefined)
    await request('POST', `/v1/webhooks/${id}/test`)
    sender()
    await until(() => receiver.messages.length === 1, 'the message')
    const [message] = receiver.messages
    for (const one of [old, secret]) assert.ok(message !== undefined && isSigned(message, one))
    const { rows } = await database.engine.query(`
      SELECT row_to_json(w)::text AS row FROM waybill.webhooks AS w UNION ALL SELECT row_to_json(d)::text FROM waybill.deliveries AS d
      UNION ALL SELECT row_to_json(a)::text FROM waybill.audit AS a UNION ALL SELECT row_to_json(i)::text FROM waybill.idempotency AS i`)
    const seen = [
      ...rows.map(({ row }) => row),
      ...logged,
      JSON.stringify(await request('GET', '/v1/webhooks')),
    ].join('\n')
    for (const one of [old, secret]) assert.ok(!seen.includes(one.slice('whsec_'.length)))
    const kinds = await facts('default')
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ['webhook.created', 'webhook.changed', 'webhook.changed'],
    )
    assert.ok(!JSON.stringify(kinds).includes('path-with-a-secret'))
  })

  it('is signed with a replaced secret for a day, and then with the new one only', async (t) => {
    const { create, receiver, sender, request, database } = await place(t)
    const made = []
    for (const path of ['/a', '/b']) {
      const url = `${receiver.url}${path}`
      const { id, secret: old } = await create({ url })
      const { secret } = await request('PUT', `/v1/webhooks/${id}`, { url, new_secret: true })
      made.push({ id, path, old, secret })
    }
    const [a, b] = made
    assert.ok(a !== undefined && b !== undefined)
    const { rows } = await database.engine.query(
      'SELECT extract(epoch FROM old_until - clock_timestamp())::float8 AS left FROM waybill.webhooks',
    )
    for (const { left } of rows) assert.ok(left > 86_400 - 120 && left <= 86_400, String(left))
    sender()
    const seen = async (path: string) => {
      const before = receiver.messages.length
      await request('POST', `/v1/webhooks/${path === '/a' ? a.id : b.id}/test`)
      await until(() => receiver.messages.length > before, 'the message')
      const message = receiver.messages.at(-1)
      assert.ok(message?.path === path)
      return [a.old, a.secret, b.old, b.secret].map((secret) => isSigned(message, secret))
    }
    /** Lets this much time pass for the secret of the first webhook. */
    const pass = (interval: string) =>
      database.engine.query(
        'UPDATE waybill.webhooks SET old_until = old_until - $2::interval WHERE id = $1',
        [a.id, interval],
      )
    assert.deepEqual(await seen('/a'), [true, true, false, false])
    await pass('23 hours 55 minutes')
    assert.deepEqual(await seen('/a'), [true, true, false, false])
    await pass('5 minutes')
    assert.deepEqual(await seen('/a'), [false, true, false, false])
    assert.deepEqual(await seen('/b'), [false, false, true, true])
  })

  it('of another organisation is answered like one that does not exist', async (t) => {
    const { create, receiver, request, send } = await place(t)
    const { id } = await create({ url: receiver.url })
    const { id: delivery } = await request('POST', `/v1/webhooks/${id}/test`)
    const { token } = (
      await request('POST', '/v1/organisations', { organisation: 'b', admin: { user: 'x' } })
    ).admin_token
    for (const [method, path, json] of [
      ['GET', ''],
      ['PUT', '', { url: receiver.url }],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['POST', `/deliveries/${delivery}/replay`],
      ['POST', '/test'],
    ] as const) {
      const [there, nowhere] = await Promise.all(
        [id, 'nowhere'].map((one) =>
          send(method, `/v1/webhooks/${one}${path}`, { token, ...(json && { json }) }),
        ),
      )
      assert.equal(there?.status, 404, `${method} ${path}`)
      assert.equal(there.text.replaceAll(id, 'X'), nowhere?.text.replaceAll('nowhere', 'X'))
    }
    assert.deepEqual((await send('GET', '/v1/webhooks', { token })).json.items, [])
    const replayed = await send('POST', `/v1/webhooks/${id}/deliveries/none/replay`, { token })
    assert.equal(replayed.json.code, 'WEBHOOK_NOT_FOUND')
  })

  it('is refused outside the hosts of the operator, also in other spellings', async (t) => {
    const { admin: token, send, request } = await webhookSite(t, ['hooks.example', '127.0.0.1:9'])
    for (const url of [
      'http://127.0.0.1:8080/',
      'http://169.254.169.254/latest/meta-data/',
      'http://localhost:9/',
      'http://a.localhost:9/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'https://other.example/',
      'https://hooks.example.evil.test/',
      'https://user:password@hooks.example/',
      'https://hooks.example@evil.test/',
      'file:///etc/passwd',
      'no url',
    ]) {
      const answer = await send('POST', '/v1/webhooks', { token, json: { url } })
      assert.equal(answer.status, 422, `${url} ${answer.text}`)
      assert.match(answer.json.code, /^(ENDPOINT_|REQUEST_INVALID)/, url)
      assert.ok(!answer.text.includes('password@'))
    }
    const { id } = await request('POST', '/v1/webhooks', { url: 'https://hooks.example/' })
    const changed = await send('PUT', `/v1/webhooks/${id}`, { token, json: { url: 'http://127.0.0.1/' } })
    assert.equal(changed.status, 422)
    assert.deepEqual((await request('GET', '/v1/webhooks')).items.length, 1)
  })

  it('whose name resolves to an address of this network is not connected to', async (t) => {
    const { receiver } = await place(t)
    const post = createMessagePoster(webhookGrants({ allow_hosts: ['hooks.example'] }), {
      lookup: (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
    })
    const message = { headers: {}, body: '', signal: AbortSignal.timeout(5000) }
    const url = receiver.url.replace('127.0.0.1', 'hooks.example')
    assert.deepEqual(await post(url, message), { error: 'ENDPOINT_ADDRESS_PRIVATE' })
    assert.equal(receiver.messages.length, 0)
  })
})
