import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { requestsOf } from '../../src/platform/requests.ts'
import { testDatabase } from './postgres.ts'

describe('requests that clients send again', () => {
  it('an answer that is stale is forgotten: the request is performed again, once for all clients', async (t) => {
    const { database } = await testDatabase(t)
    const requests = requestsOf(database.app, 'o', 'u')
    let performed = 0
    const act = async (id: string) => ({ status: 200, body: `${++performed} ${id}` })
    const ask = (stale?: (answer: { readonly body: string }) => Promise<boolean>) =>
      requests.once({ operation: 'x', key: 'k', bodyHash: 'h', ...(stale !== undefined && { stale }) }, act)
    const first = await ask()
    assert.deepEqual(await ask(async () => false), { ...first, repeated: true })
    const isFirst = async ({ body }: { readonly body: string }) => body === first.body
    const again = await Promise.all([ask(isFirst), ask(isFirst), ask(isFirst)])
    assert.equal(performed, 2)
    assert.equal(new Set(again.map(({ body }) => body)).size, 1)
    assert.notEqual(again[0]?.body, first.body)
    assert.equal(again.filter(({ repeated }) => !repeated).length, 1)
  })
})
