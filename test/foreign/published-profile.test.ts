import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import type { AgentState } from '../../src/spec/aaif/generated/state.ts'
import { parseAgentState } from '../../src/spec/aaif/parse-agent-state.ts'
import { readHandoff } from '../../src/state/stream/read-handoff.ts'
import { assertStateChecksum, stateDigest } from '../../src/trust/checksum.ts'
import { readKeySet } from '../../src/trust/key-set.ts'
import { verifyMigrationToken } from '../../src/trust/migration-token.ts'
import { type Members, receive } from './foreign-platform.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/guides/other-platforms.md'), 'utf8')
const fences = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text ?? '')

function keysOnPage() {
  return (readKeySet(JSON.parse(fences[0] ?? '')) ?? []).map((key) => ({
    ...key,
    name: 'graphs',
    signsFor: {},
  }))
}

test('AAIF-8.2-02, AAIF-8.2-04: the token and the state on the page for implementers are verified', async () => {
  const document = parseAgentState(JSON.parse(fences[1] ?? '') as JsonObject) as AgentState
  assertStateChecksum(document as unknown as JsonObject)
  const expected = {
    nowSeconds: 1_767_225_600,
    stateId: document.state_id,
    agentId: document.agent_id,
    keys: keysOnPage(),
    bound: {
      profile: 'draft',
      issuers: ['LangGraph'],
      audiences: [],
      runId: document.run_id,
      digest: stateDigest(document as unknown as JsonObject),
    },
  } as const
  const token = document.provenance?.migration_token ?? ''
  const claims = await verifyMigrationToken(token, expected)
  assert.equal(claims.exp - claims.iat, 900)
  await assert.rejects(verifyMigrationToken(token, { ...expected, nowSeconds: claims.exp }), {
    code: 'STATE_TOKEN_EXPIRED',
  })
  await assert.rejects(
    verifyMigrationToken(token, { ...expected, bound: { ...expected.bound, profile: 'full' } }),
    { code: 'STATE_TOKEN_INVALID' },
  )
  // A reader that shares no code with the product agrees.
  receive(JSON.parse(fences[1] ?? '') as Members, JSON.parse(fences[0] ?? ''), claims.iat * 1000)
})

test('AAIF-8.3-10: the stream on the page is complete, and its checksum right', async () => {
  const input = (async function* () {
    yield Buffer.from(fences[2] ?? '')
  })()
  const { state } = await readHandoff(input, { verifyInit: async () => undefined })
  assert.deepEqual(state.conversation, [{ role: 'user', content: 'Collect what is overdue.' }])
})
