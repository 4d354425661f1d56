import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOfflineEmbedder } from '../../src/adapters/memory/offline-embedder.ts'
import { rankItems } from '../../src/adapters/memory/rank-items.ts'

test('the local model finds texts of similar meaning without common words', async () => {
  const embed = createOfflineEmbedder()
  const items = [
    'She is allergic to peanuts.',
    'The quarterly invoice was paid in April.',
    'He supports a football club from Kiel.',
  ].map((content, index) => ({
    scope: 'user' as const,
    key: `k${index}`,
    content,
    saved_at: 0,
    expires_at: null,
  }))
  const similarity = {
    embed,
    vectorsOf: (list: readonly { content: string }[]) => embed(list.map((i) => i.content)),
  }
  const first = async (query: string) => (await rankItems('similarity', query, items, similarity))[0]?.key
  assert.equal(await first('Which food must be avoided?'), 'k0')
  assert.equal(await first('money and accounting'), 'k1')
  assert.equal(await first('sports teams'), 'k2')
  assert.deepEqual(await rankItems('keyword', 'Which food must be avoided?', items, undefined), [])
})
