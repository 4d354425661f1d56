import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { retire } from '../../src/platform/engine/retention.ts'
import { TABLES } from '../../src/platform/features.ts'
import { claimDeliveries } from '../../src/platform/webhooks/deliveries.ts'
import { receiver, status, until, webhookSite } from './webhooks-fixture.ts'

async function place(t: TestContext) {
  const receiving = await receiver(t)
  return { ...(await webhookSite(t, [receiving.host])), receiver: receiving }
}

describe('a delivery', () => {
  it('to a receiver that fails is repeated with the same id and body until it succeeds', async (t) => {
    const { create, receiver, sender, ends, deliveries } = await place(t)
    const { id } = await create({ url: receiver.url, events: ['run.ended'] })
    receiver.behaves.set('/', status(500))
    await ends('r1')
    sender({ delaysMs: Array(50).fill(1) })
    await until(() => receiver.messages.length >= 3, 'three attempts')
    receiver.behaves.delete('/')
    await until(async () => (await deliveries(id))[0].state === 'delivered', 'the delivery')
    const [first] = receiver.messages
    for (const message of receiver.messages)
      assert.deepEqual([message.id, message.body], [first?.id, first?.body])
    const [delivery] = await deliveries(id)
    assert.equal(delivery.attempts, receiver.messages.length)
    assert.deepEqual([delivery.status, delivery.error, delivery.next_at], [204, null, null])
  })

  it('to a receiver that is down arrives when it is up again', async (t) => {
    const { create, receiver, sender, ends, deliveries } = await place(t)
    const { id } = await create({ url: receiver.url, events: ['run.ended'] })
    await receiver.stop()
    const user = 'a \u0000 "quoted" \ud800'
    await ends('"r\u0000', { user })
    sender({ delaysMs: Array(500).fill(1) })
    await until(async () => (await deliveries(id))[0].error === 'ECONNREFUSED', 'a refused connection')
    await receiver.start()
    await until(() => receiver.messages.length === 1, 'the message')
    const { data } = JSON.parse(receiver.messages[0]?.body ?? '')
    assert.deepEqual([data.run_id, data.user], ['"r\u0000', user])
    assert.equal((await deliveries(id))[0].run_id, '"r\u0000')
  })

  it('that was never accepted is given up, and can be sent again by hand', async (t) => {
    const { create, receiver, sender, ends, deliveries, request, facts } = await place(t)
    const { id } = await create({ url: receiver.url, events: ['run.ended'] })
    receiver.behaves.set('/', status(302, { location: '/elsewhere' }))
    await ends('r1')
    sender({ delaysMs: [1] })
    await until(async () => (await deliveries(id))[0].state === 'failed', 'the end of the attempts')
    const [delivery] = await deliveries(id)
    assert.deepEqual([delivery.attempts, delivery.error], [2, 'ENDPOINT_REDIRECT_REFUSED'])
    assert.deepEqual(
      receiver.messages.map(({ path }) => path),
      ['/', '/'],
    )
    // Sent again by hand, it has as many attempts as at first.
    await request('POST', `/v1/webhooks/${id}/deliveries/${delivery.id}/replay`)
    await until(async () => (await deliveries(id))[0].attempts === 4, 'two further attempts')
    await until(async () => (await deliveries(id))[0].state === 'failed', 'their end')
    assert.equal(receiver.messages.length, 4)
    receiver.behaves.delete('/')
    const again = await request('POST', `/v1/webhooks/${id}/deliveries/${delivery.id}/replay`)
    assert.equal(again.state, 'pending')
    await until(async () => (await deliveries(id))[0].state === 'delivered', 'the delivery')
    assert.equal(receiver.messages.at(-1)?.id, delivery.id)
    assert.equal((await facts('default')).at(-1)?.kind, 'webhook.replayed')
    const { failed, delivered, failures } = await request('GET', `/v1/webhooks/${id}`)
    assert.deepEqual({ failed, delivered, failures }, { failed: 2, delivered: 1, failures: 0 })
  })

  it('is delivered by a status from 200 to 299 only', async (t) => {
    const { create, receiver, sender, deliveries, request } = await place(t)
    const states: Record<number, string> = {}
    const made: [number, string][] = []
    for (const code of [200, 202, 299, 300, 304, 399, 400, 500]) {
      receiver.behaves.set(`/${code}`, (_request, response) => response.writeHead(code).end())
      const { id } = await create({ url: `${receiver.url}/${code}` })
      await request('POST', `/v1/webhooks/${id}/test`)
      made.push([code, id])
    }
    sender({ delaysMs: [] })
    for (const [code, id] of made) {
      await until(async () => (await deliveries(id))[0].state !== 'pending', `the end of ${code}`)
      states[code] = (await deliveries(id))[0].state
    }
    assert.deepEqual(states, {
      200: 'delivered',
      202: 'delivered',
      299: 'delivered',
      300: 'failed',
      304: 'failed',
      399: 'failed',
      400: 'failed',
      500: 'failed',
    })
  })

  it('that is interrupted because its worker stops is sent by another at once', async (t) => {
    const { create, receiver, sender, ends, deliveries, request } = await place(t)
    const { id } = await create({ url: receiver.url, events: ['run.ended'] })
    receiver.behaves.set('/', () => {})
    await ends('r1')
    const first = sender()
    await until(() => receiver.messages.length === 1, 'the first attempt')
    await first.stop()
    receiver.behaves.delete('/')
    sender()
    await until(async () => (await deliveries(id))[0].state === 'delivered', 'the delivery')
    assert.deepEqual(new Set(receiver.messages.map((message) => message.id)).size, 1)
    assert.equal((await request('GET', `/v1/webhooks/${id}`)).failures, 0)
  })

  it('for a webhook that is removed while it is stored is given up', async (t) => {
    const { create, receiver, sender, ends, database, request } = await place(t)
    const { id } = await create({ url: receiver.url, events: ['run.ended'] })
    await ends('r1')
    const of = 'UPDATE waybill.deliveries SET webhook = $1'
    await database.engine.query(of, ['removed'])
    sender()
    const { engine } = database
    const states = async () => (await engine.query('SELECT state FROM waybill.deliveries')).rows
    await until(async () => (await states())[0]?.state === 'failed', 'the end of the delivery')
    assert.equal(receiver.messages.length, 0)
    await engine.query(of, [id])
    assert.deepEqual(await request('DELETE', `/v1/webhooks/${id}`), { removed: 1 })
    assert.deepEqual(await states(), [])
  })

  it('is sent once by several workers', async (t) => {
    const { create, receiver, sender, ends } = await place(t)
    await create({ url: receiver.url, events: ['run.ended'] })
    for (let n = 0; n < 40; n++) await ends(`r${n}`)
    for (let n = 0; n < 3; n++) sender()
    await until(() => receiver.messages.length >= 40, 'forty messages')
    assert.equal(new Set(receiver.messages.map(({ id }) => id)).size, 40)
    assert.equal(receiver.messages.length, 40)
  })

  it('is claimed by one of many workers that find it at the same moment', async (t) => {
    const { create, receiver, ends, database, open } = await place(t)
    const { id: webhook } = await create({ url: receiver.url, events: ['run.ended'] })
    await ends('r1')
    await database.engine.query(`
      INSERT INTO waybill.deliveries (org, webhook, id, type, body)
      SELECT org, webhook, 'msg_' || i, type, body FROM waybill.deliveries, generate_series(1, 199) AS i`)
    const { rows } = await database.engine.query('SELECT id FROM waybill.deliveries')
    const due = rows.map(({ id }) => ({ org: 'default', webhook, id, receiver: receiver.url }))
    const pools = [database.engine, (await open()).engine]
    // Each connection is opened before, so that the claims overlap.
    const each = <T>(act: (pool: (typeof pools)[0]) => Promise<T>) =>
      Promise.all([...pools, ...pools, ...pools].map(act))
    await each((pool) => pool.query('SELECT pg_sleep(0.05)'))
    for (let round = 0; round < 5; round++) {
      const claimed = (await each((pool) => claimDeliveries(pool, due, 60_000))).flat()
      assert.deepEqual([claimed.length, new Set(claimed.map(({ id }) => id)).size], [200, 200])
      await database.engine.query('UPDATE waybill.deliveries SET due_at = now()')
    }
  })

  it('to a slow receiver delays no other, and it gets a few at a time', async (t) => {
    const [slow, quick] = [await receiver(t), await receiver(t)]
    const { create, sender, ends, deliveries } = await webhookSite(t, [slow.host, quick.host])
    slow.behaves.set('/', () => {})
    const { id } = await create({ url: slow.url, events: ['run.ended'] })
    for (let n = 0; n < 30; n++) await ends(`r${n}`)
    await create({ url: quick.url, events: ['run.ended'] })
    sender({ timeoutMs: 1500 })
    await until(() => slow.messages.length >= 4, 'the first attempts')
    for (let n = 30; n < 60; n++) await ends(`r${n}`)
    await until(() => quick.messages.length === 30, 'all messages of the other')
    const timedOut = (one: { readonly error: string | null }) => one.error === 'TIMEOUT'
    await until(async () => (await deliveries(id)).some(timedOut), 'a timeout')
    assert.equal(slow.most(), 4)
  })

  it('to a receiver that answers 410 is the last one: the webhook is deactivated, visibly', async (t) => {
    const { create, receiver, sender, ends, request, facts, send, admin: token, deliveries } = await place(t)
    const { id } = await create({ url: receiver.url, events: ['run.ended'] })
    receiver.behaves.set('/', status(410))
    await ends('r1')
    sender()
    await until(async () => (await request('GET', `/v1/webhooks/${id}`)).state === 'deactivated', 'the state')
    const { why, deactivated_at } = await request('GET', `/v1/webhooks/${id}`)
    assert.match(why, /410/)
    assert.ok(Math.abs(Date.parse(deactivated_at) - Date.now()) < 60_000)
    const last = (await facts('default')).at(-1) as unknown as Record<string, string>
    assert.deepEqual([last.kind, last.webhook, last.by], ['webhook.deactivated', id, 'the platform'])
    await ends('r2')
    assert.deepEqual(
      (await deliveries(id)).map(({ state }: { state: string }) => state),
      ['failed'],
    )
    const test = await send('POST', `/v1/webhooks/${id}/test`, { token })
    assert.deepEqual([test.status, test.json.code], [409, 'WEBHOOK_INACTIVE'])
    receiver.behaves.delete('/')
    await request('PUT', `/v1/webhooks/${id}`, { url: receiver.url })
    await ends('r3')
    await until(() => receiver.messages.length === 2, 'the next message')
    assert.equal((await request('GET', `/v1/webhooks/${id}`)).why, null)
  })

  it('that fails for days deactivates its webhook; one that is down for an hour stays active', async (t) => {
    const { create, receiver, sender, ends, request, deliveries, database } = await place(t)
    const { id } = await create({ url: receiver.url, events: ['run.ended'] })
    receiver.behaves.set('/', status(503))
    const since = (hours: number) =>
      database.engine.query(
        `UPDATE waybill.webhooks SET failing_since = now() - $1 * interval '1 hour', failures = 9`,
        [hours],
      )
    const one = sender({ delaysMs: [] })
    for (const [run, hours, state] of [
      ['r1', 1, 'active'],
      ['r2', 73, 'deactivated'],
    ] as const) {
      await since(hours)
      await ends(run)
      await until(async () => (await deliveries(id))[0].state === 'failed', run)
      assert.equal((await request('GET', `/v1/webhooks/${id}`)).state, state)
    }
    await one.stop()
    assert.match((await request('GET', `/v1/webhooks/${id}`)).why, /3 days/)
  })

  it('is kept for 30 days', async (t) => {
    const { create, receiver, ends, deliveries, database } = await place(t)
    const { id } = await create({ url: receiver.url, events: ['run.ended'] })
    for (const run of ['r1', 'r2', 'r3']) await ends(run)
    await database.engine.query(`
      UPDATE waybill.deliveries SET state = 'delivered', due_at = NULL WHERE run_id <> 'r3';
      UPDATE waybill.deliveries SET created_at = now() - interval '31 days' WHERE run_id <> 'r2'`)
    await retire(database.engine, TABLES.sweeps)
    assert.deepEqual(
      (await deliveries(id)).map(({ run_id }: { run_id: string }) => run_id),
      ['r3', 'r2'],
    )
  })
})
