import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { signState } from '../../src/session/moves/sign-state.ts'
import { type ExpectedArrival, verifyArrival } from '../../src/session/moves/verify-arrival.ts'
import type { AgentState } from '../../src/spec/aaif/generated/state.ts'
import { withStateChecksum } from '../../src/trust/checksum.ts'
import { keyIdOf } from '../../src/trust/ed25519.ts'
import { AGENT } from '../platform/organisation.ts'

const AT = Date.parse('2026-03-01T08:00:00.000Z')
const SOURCE = 'https://there.example/organisations/acme'
const HERE = 'urn:waybill:home:here'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')
const trusted = (key = publicKey) => ({ name: 'there', keyId: keyIdOf(key), publicKey: key, signsFor: {} })

const state = {
  sc_standard: 'SC-006',
  state_id: '0198c0de-0000-4000-8000-000000000001',
  agent_id: AGENT,
  run_id: 'r9',
  checkpoint_at: '2026-03-01T08:00:00.000Z',
  status: 'migrating',
  conversation: [{ role: 'user', content: 'hello' }],
  provenance: { source_platform: SOURCE },
} as unknown as AgentState

const about = { jti: 'token-1', source: SOURCE, target: HERE, method: 'document', paused: false } as const

const signed = async (
  members: Partial<Parameters<typeof signState>[1]> = {},
  key = privateKey,
): Promise<JsonObject> => JSON.parse((await signState(state, { ...about, ...members }, key, AT)).document)

const expected: ExpectedArrival = {
  jti: 'token-1',
  runId: 'r9',
  source: SOURCE,
  places: ['urn:waybill:home:older', HERE],
  keys: [trusted()],
  nowSeconds: AT / 1000,
}

describe('a state that a home has fetched', () => {
  test('is accepted with the token of the platform for one of its places', async () => {
    const { document, claims } = await verifyArrival(await signed(), expected)
    assert.deepEqual([document.run_id, claims.aud], ['r9', HERE])
  })

  const refusals: readonly [what: string, code: string, given: () => Promise<JsonObject>, change?: object][] =
    [
      ['of another key', 'STATE_TOKEN_UNKNOWN_SIGNER', () => signed({}, other.privateKey)],
      ['of an unpinned platform', 'STATE_TOKEN_UNKNOWN_SIGNER', () => signed(), { keys: [] }],
      [
        'of a revoked key',
        'STATE_TOKEN_REVOKED',
        () => signed(),
        { keys: [{ ...trusted(), revokedAt: 'x' }] },
      ],
      ['for another machine', 'STATE_TOKEN_INVALID', () => signed({ target: 'urn:waybill:home:else' })],
      ['of another organisation', 'STATE_TOKEN_INVALID', () => signed({ source: `${SOURCE}-2` })],
      ['of another move', 'STATE_TOKEN_INVALID', () => signed({ jti: 'token-2' })],
      ['of another run', 'STATE_TOKEN_INVALID', () => signed(), { runId: 'r8' }],
      ['that has expired', 'STATE_TOKEN_EXPIRED', () => signed(), { nowSeconds: AT / 1000 + 901 }],
      ['of a stream', 'STATE_TOKEN_INVALID', () => signed({ method: 'stream' })],
      [
        'that was changed',
        'STATE_CHECKSUM_MISMATCH',
        async () => ({ ...(await signed()), variables: { x: 1 } }),
      ],
      [
        'that was changed, with a new checksum',
        'STATE_TOKEN_INVALID',
        async () => withStateChecksum({ ...(await signed()), variables: { x: 1 } }),
      ],
      [
        'without a token',
        'STATE_TOKEN_INVALID',
        async () => withStateChecksum(state as unknown as JsonObject),
      ],
    ]
  for (const [what, code, given, change] of refusals)
    test(`is refused: a state ${what}`, async () => {
      await assert.rejects(async () => verifyArrival(await given(), { ...expected, ...change }), { code })
    })
})
