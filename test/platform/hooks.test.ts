import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AGENT } from './organisation.ts'
import { githubHeaders, standardHeaders, triggerSite } from './triggers-fixture.ts'

const BODY = JSON.stringify({ type: 'order.paid', amount: 5 })
const MINUTES = 60_000

test('inbound webhooks', async (t) => {
  const site = await triggerSite(t)
  const { request, firings } = site
  const make = (json: object = {}) => site.create({ kind: 'webhook', ...json })
  const post = (path: string, headers: Record<string, string>, body = BODY) =>
    site.send('POST', path, { headers, body })

  await t.test('a signed message starts one run, however often it is delivered', async () => {
    const { id, path, secret } = await make()
    const headers = standardHeaders(secret, BODY)
    const first = await post(path, headers)
    assert.equal(first.status, 202, first.text)
    assert.equal(first.json.state, 'started')
    const again = await Promise.all([post(path, headers), post(path, headers)])
    assert.deepEqual(
      again.map(({ status, json }) => [status, json.run_id]),
      [
        [200, first.json.run_id],
        [200, first.json.run_id],
      ],
    )
    const many = await Promise.all(
      Array.from({ length: 10 }, () => post(path, standardHeaders(secret, BODY, { id: 'same' }))),
    )
    assert.deepEqual(many.map(({ status }) => status).toSorted(), [...Array(9).fill(200), 202])
    assert.equal((await firings(id)).length, 2)
    const { input } = (await request('GET', `/v1/runs/${first.json.run_id}/events`)).items[0]?.fact ?? {}
    assert.equal(input, undefined)
    const { rows } = await site.engine.query('SELECT first FROM waybill.runs WHERE run_id = $1', [
      first.json.run_id,
    ])
    const begun = JSON.parse(rows[0].first)
    assert.equal(begun.triggered, true)
    const { at, ...payload } = begun.input
    assert.ok(at)
    assert.deepEqual(payload, {
      type: 'webhook',
      id: 'msg_1',
      headers: { 'content-type': 'application/json' },
      body: { type: 'order.paid', amount: 5 },
    })
  })

  await t.test('what is not signed correctly is refused, with the bytes of an unknown hook', async () => {
    const { id, path, secret } = await make()
    const other = await make()
    const good = standardHeaders(secret, BODY, { id: 'm' })
    const { 'webhook-signature': signature = '' } = good
    const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name))
    const unknown = await post(`/v1/hooks/${'A'.repeat(43)}`, good)
    assert.equal(unknown.status, 401)
    const table: readonly (readonly [string, Record<string, string>, string?])[] = [
      ['no id', without('webhook-id')],
      ['no time', without('webhook-timestamp')],
      ['no signature', without('webhook-signature')],
      ['another id', { ...good, 'webhook-id': 'n' }],
      ['another body', good, `${BODY} `],
      ['an empty signature', { ...good, 'webhook-signature': 'v1,' }],
      ['a short signature', { ...good, 'webhook-signature': signature.slice(0, 20) }],
      ['another version', { ...good, 'webhook-signature': signature.replace('v1', 'v1a') }],
      ['six minutes old', standardHeaders(secret, BODY, { at: Date.now() - 6 * MINUTES })],
      ['six minutes early', standardHeaders(secret, BODY, { at: Date.now() + 6 * MINUTES })],
      ['a time that is no number', { ...good, 'webhook-timestamp': 'now' }],
      ['the secret of another trigger', standardHeaders(other.secret, BODY)],
      ['the other format', githubHeaders(secret, BODY)],
      ['a long id', standardHeaders(secret, BODY, { id: 'x'.repeat(201) })],
    ]
    for (const [what, headers, body] of table) {
      const answer = await post(path, headers, body)
      assert.deepEqual([answer.status, answer.text], [401, unknown.text], what)
    }
    assert.deepEqual(await firings(id), [])
    const nearly = [4, -4].map((minutes) => ({ id: `near${minutes}`, at: Date.now() + minutes * MINUTES }))
    for (const one of nearly) assert.equal((await post(path, standardHeaders(secret, BODY, one))).status, 202)
    const two = { ...good, 'webhook-signature': `v1,${'A'.repeat(43)}= v1a,xyz ${signature}` }
    assert.equal((await post(path, two)).status, 202)
    await request('PUT', `/v1/triggers/${id}`, { enabled: false })
    const stored = await firings(id)
    const zeros = Buffer.alloc(32)
    for (const one of [secret, `whsec_${zeros.toString('base64')}`, 'whsec_', other.secret]) {
      const disabled = await post(path, standardHeaders(one, BODY, { id: 'later' }))
      assert.deepEqual([disabled.status, disabled.text], [401, unknown.text])
    }
    const nowhere = standardHeaders(`whsec_${zeros.toString('base64')}`, BODY, { id: 'later' })
    assert.equal((await post(`/v1/hooks/${'A'.repeat(43)}`, nowhere)).status, 401)
    // Nothing is stored for a hook that is disabled, and the other one still accepts.
    assert.deepEqual(await firings(id), stored)
    assert.equal((await post(other.path, standardHeaders(other.secret, BODY, { id: 'later' }))).status, 202)
  })

  await t.test('the form of GitHub: each header, and the types of events', async () => {
    const { id, path, secret } = await make({ format: 'github', events: ['push'] })
    const good = githubHeaders(secret, BODY)
    const signature = good['x-hub-signature-256'] ?? ''
    const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name))
    const table: readonly (readonly [string, Record<string, string>, string?])[] = [
      ['no delivery', without('x-github-delivery')],
      ['no signature', without('x-hub-signature-256')],
      ['SHA-1', { ...without('x-hub-signature-256'), 'x-hub-signature': signature }],
      ['another algorithm', { ...good, 'x-hub-signature-256': signature.replace('sha256', 'sha512') }],
      ['another body', good, '{}'],
      ['another secret', githubHeaders('secret', BODY)],
      ['a secret of zeros', githubHeaders(Buffer.alloc(32).toString('base64url'), BODY)],
    ]
    for (const [what, headers, body] of table)
      assert.equal((await post(path, headers, body)).status, 401, what)
    assert.equal((await post(path, good)).json.state, 'started')
    assert.equal((await post(path, good)).status, 200)
    const issue = await post(path, githubHeaders(secret, BODY, 'd2', 'issues'))
    assert.deepEqual([issue.status, issue.json.state, issue.json.run_id], [202, 'skipped', null])
    assert.deepEqual(
      (await firings(id)).map(({ state }) => state),
      ['started', 'skipped'],
    )
  })

  await t.test('filters see the chosen headers and the body; one that fails starts no run', async () => {
    const expr = "input.body.amount > 3 && input.headers['x-shop'] == 'a'"
    const { path, secret } = await make({
      filter: { lang: 'cel', expr },
      headers: ['x-shop'],
      events: ['order.paid'],
    })
    const table: readonly (readonly [object, string, string, RegExp | null])[] = [
      [{ type: 'order.paid', amount: 5 }, 'a', 'started', null],
      [{ type: 'order.paid', amount: 1 }, 'a', 'skipped', /does not match/],
      [{ type: 'order.paid' }, 'a', 'skipped', /cannot be evaluated/],
      [{ type: 'order.paid', amount: 5 }, 'b', 'skipped', /does not match/],
      [{ type: 'order.sent', amount: 5 }, 'a', 'skipped', /of the type "order.sent"/],
      [{ amount: 5 }, 'a', 'skipped', /does not name the type/],
    ]
    for (const [n, [body, shop, state, why]] of table.entries()) {
      const text = JSON.stringify(body)
      const headers = { ...standardHeaders(secret, text, { id: `f${n}` }), 'x-shop': shop }
      const { json } = await post(path, headers, text)
      assert.equal(json.state, state, JSON.stringify(json))
      if (why !== null) assert.match(json.why, why)
    }
  })

  await t.test('bodies: text, unreadable ones, and too large ones', async () => {
    const { path, secret } = await make()
    const send = (body: string, type: string) =>
      post(path, standardHeaders(secret, body, { id: body.slice(0, 9), type }), body)
    assert.equal((await send('hello', 'text/plain')).status, 202)
    assert.equal((await send('{"a":', 'application/json')).json.code, 'BODY_UNREADABLE')
    assert.equal((await send('['.repeat(2000), 'application/json')).json.code, 'BODY_UNREADABLE')
    assert.equal((await send('x'.repeat(1024 * 1024 + 1), 'text/plain')).status, 413)
  })

  await t.test('a new secret ends the old one, at once or later', async () => {
    const { id, path, secret } = await make()
    const renew = (json?: object) => request('POST', `/v1/triggers/${id}/secret`, json)
    const status = async (text: string, message: string) =>
      (await post(path, standardHeaders(text, BODY, { id: message }))).status
    const { secret: second } = await renew({ old_valid_seconds: 60 })
    assert.deepEqual([await status(secret, 'a'), await status(second, 'b')], [202, 202])
    const { secret: third } = await renew()
    assert.deepEqual(
      [await status(secret, 'c'), await status(second, 'd'), await status(third, 'e')],
      [401, 401, 202],
    )
    const shown = JSON.stringify([
      await request('GET', `/v1/triggers/${id}`),
      await request('GET', '/v1/triggers'),
      await request('GET', '/v1/audit?limit=1000'),
      (await site.engine.query('SELECT * FROM waybill.triggers')).rows,
    ])
    for (const text of [secret, second, third]) assert.ok(!shown.includes(text.slice(6)))
  })

  await t.test('each hook has a rate of its own, and takes no key of repeated requests', async () => {
    const { path, secret } = await make()
    const headers = standardHeaders(secret, BODY, { id: 'rate' })
    assert.equal((await post(path, { ...headers, 'idempotency-key': 'k' })).status, 202)
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) {
      const some = await Promise.all(
        Array.from({ length: 15 }, () => post(path, { ...headers, 'webhook-id': 'x' })),
      )
      statuses.push(...some.map(({ status }) => status))
    }
    assert.deepEqual([...new Set(statuses)].toSorted(), [401, 429])
    const other = await make()
    assert.equal((await post(other.path, standardHeaders(other.secret, BODY, { id: 'rate' }))).status, 202)
  })

  await t.test('a definition declares a webhook; its secret is made by a person', async () => {
    const triggers = [{ type: 'webhook', webhook_path: '/orders' }]
    await site.upload('3.0.0', { events: { triggers } })
    const [declared] = (await request('GET', `/v1/triggers?agent_id=${AGENT}`)).items.filter(
      ({ source }: { source: string }) => source === 'definition',
    )
    const { secret } = await request('POST', `/v1/triggers/${declared.id}/secret`)
    const { status, json } = await post(declared.path, standardHeaders(secret, BODY))
    assert.deepEqual([status, json.state], [202, 'started'])
  })
})
