import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type KeyedRequest, type Requests, requestsOf } from '../../src/platform/records/requests.ts'
import { refused } from '../../src/testing/contracts/records-fixture.ts'
import { testDatabase } from './postgres.ts'

const REQUEST: KeyedRequest = { operation: 'POST /v1/runs', key: 'k', bodyHash: 'h' }

/** A database, and a request that counts how often it is performed. */
async function world(t: TestContext) {
  const { database } = await testDatabase(t)
  const performed: string[] = []
  const act = async (id: string) => {
    performed.push(id)
    return { status: 202, body: `${performed.length} ${id}` }
  }
  const requests = requestsOf(database.app, 'o', 'u')
  const ask = (changed: Partial<KeyedRequest> = {}) => requests.once({ ...REQUEST, ...changed }, act)
  return { database, performed, requests, act, ask }
}

/** A request in progress, which the test ends. */
async function inProgress(requests: Requests, body: string) {
  const begun = Promise.withResolvers<string>()
  const ended = Promise.withResolvers<void>()
  const answer = requests.once(REQUEST, async (id) => {
    begun.resolve(id)
    await ended.promise
    return { status: 200, body }
  })
  return { id: await begun.promise, answer, end: ended.resolve }
}

describe('requests that clients send again', () => {
  it('get the first answer, also at another process and after a restart', async (t) => {
    const { database, performed, act, ask } = await world(t)
    const first = await ask()
    assert.equal(first.repeated, false)
    const again = await requestsOf(database.app, 'o', 'u').once(REQUEST, act)
    assert.deepEqual(again, { status: 202, body: first.body, repeated: true })
    assert.equal(performed.length, 1)
  })

  it('wait for the answer while the first one is performed', async (t) => {
    const { requests, performed, ask } = await world(t)
    const first = await inProgress(requests, 'first')
    const second = ask()
    assert.equal(await Promise.race([second, new Promise((done) => setTimeout(done, 250, 'waits'))]), 'waits')
    first.end()
    assert.equal((await first.answer).repeated, false)
    assert.deepEqual(await second, { status: 200, body: 'first', repeated: true })
    assert.deepEqual(performed, [])
  })

  it('are refused with another body, also while the first one is performed', async (t) => {
    const { requests, performed, ask } = await world(t)
    const first = await inProgress(requests, 'first')
    await refused('IDEMPOTENCY_CONFLICT', () => ask({ bodyHash: 'other' }))
    first.end()
    await first.answer
    await refused('IDEMPOTENCY_CONFLICT', () => ask({ bodyHash: 'other' }))
    assert.deepEqual(performed, [])
  })

  it('are others of another organisation, principal, operation or key', async (t) => {
    const { database, performed, act, ask } = await world(t)
    await ask()
    await ask({ operation: 'POST /v1/agents' })
    await ask({ key: 'l' })
    await requestsOf(database.app, 'p', 'u').once(REQUEST, act)
    await requestsOf(database.app, 'o', 'v').once(REQUEST, act)
    assert.equal(new Set(performed).size, 5)
  })

  it('are performed with the id of the first one if its process died, and its late answer does not count', async (t) => {
    const { database, requests, performed, ask } = await world(t)
    const dead = await inProgress(requests, 'late')
    await database.engine.query(`UPDATE waybill.idempotency SET held_until = now() - interval '1 second'`)
    const answer = await ask()
    assert.deepEqual([answer.repeated, performed], [false, [dead.id]])
    dead.end()
    await dead.answer
    assert.equal((await ask()).body, answer.body)
  })

  it('can be corrected after the first one was refused', async (t) => {
    const { requests, performed, ask } = await world(t)
    await assert.rejects(
      requests.once(REQUEST, async () => {
        throw new Error('refused')
      }),
      /refused/,
    )
    assert.equal((await ask({ bodyHash: 'corrected' })).repeated, false)
    assert.equal(performed.length, 1)
  })

  it('are performed again, once for all clients, if the answer is stale', async (t) => {
    const { performed, ask } = await world(t)
    const first = await ask()
    assert.deepEqual(await ask({ stale: async () => false }), { ...first, repeated: true })
    const stale = async ({ body }: { readonly body: string }) => body === first.body
    const again = await Promise.all([ask({ stale }), ask({ stale }), ask({ stale })])
    assert.equal(performed.length, 2)
    assert.equal(new Set(again.map(({ body }) => body)).size, 1)
    assert.notEqual(again[0]?.body, first.body)
    assert.equal(again.filter(({ repeated }) => !repeated).length, 1)
  })
})
