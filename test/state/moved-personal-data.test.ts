import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { sealValue } from '../../src/policy/pii/sealed-value.ts'
import type { FidelityStatus } from '../../src/state/fidelity.ts'
import {
  claimsOf,
  isCarried,
  personalDataIn,
  readPersonalData,
  withPersonalData,
} from '../../src/state/moved-personal-data.ts'
import { readWaybillMember } from '../../src/state/read-waybill-member.ts'
import { assertStateChecksum } from '../../src/trust/checksum.ts'
import { openSealed } from '../../src/trust/seal-for.ts'
import { captureOf } from './captured.ts'
import { worldOf } from './captured-worlds.ts'

const sealed = sealValue('ada@example.com', Buffer.alloc(32, 1))
const bytes = (values: unknown, v: unknown = 1) => Buffer.from(JSON.stringify({ v, values }))

describe('values of personal data in a state', () => {
  test('are sealed in x-waybill, under the checksum, and bound to state, sender and receiver', async (t) => {
    const world = await worldOf(t, 'calls of tools')
    const document = captureOf(world, await world.start())
    assert.equal(personalDataIn(document), undefined)
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const move = { source: 'https://a.example', target: 'https://b.example' }
    const values = [{ text: '[email:1]', value: 'ada@example.com', identity: 'ada@example.com' }]
    const given = await withPersonalData(document, values, publicKey, move)
    assertStateChecksum(given as unknown as JsonObject)
    assert.notEqual(given.provenance?.checksum, document.provenance?.checksum)
    assert.equal(readWaybillMember(given).member?.v, 1)
    assert.equal(JSON.stringify(given).includes('ada@example.com'), false)
    const claims = claimsOf({ ...move, stateId: document.state_id })
    assert.deepEqual(claims, { iss: move.source, sub: document.state_id, aud: move.target })
    const opened = await openSealed(personalDataIn(given) ?? '', privateKey, claims)
    assert.deepEqual(readPersonalData(opened), values)
  })

  const value = 'ada@example.com'
  for (const [what, given] of [
    ['a placeholder with its value', { text: '[email:1]', value, identity: value }],
    ['the name of a placeholder', { text: '[email:1]' }],
    ['a sealed value', { text: sealed, value }],
    ['the name of a sealed value', { text: sealed }],
  ] as const)
    test(`${what} is read`, () => {
      assert.deepEqual(readPersonalData(bytes([given])), [given])
    })

  for (const [what, given] of [
    ['no text', { value, identity: value }],
    ['another text', { text: 'email', value, identity: value }],
    ['text around a placeholder', { text: ' [email:1]', value, identity: value }],
    ['text around a sealed value', { text: `${sealed} `, value }],
    ['a value that is no text', { text: '[email:1]', value: 1, identity: value }],
    ['an identity that is no text', { text: '[email:1]', value, identity: null }],
    ['a placeholder without identity', { text: '[email:1]', value }],
    ['a placeholder without value', { text: '[email:1]', identity: value }],
    ['a sealed value with an identity', { text: sealed, value, identity: value }],
    ['a text', value],
  ] as const)
    test(`${what} is refused, and the error does not name the value`, () => {
      assert.throws(
        () => readPersonalData(bytes([given])),
        (error: Error & { code?: string }) =>
          error.code === 'SEAL_UNREADABLE' && !`${error.message} ${error.stack}`.includes(value),
      )
    })

  test('a name that is there twice, another version and other content are refused', () => {
    const one = { text: '[email:1]', value, identity: value }
    for (const given of [
      bytes([one, one]),
      bytes([one], 2),
      bytes({}),
      Buffer.from(value),
      Buffer.from('[]'),
    ])
      assert.throws(() => readPersonalData(given), { code: 'SEAL_UNREADABLE' })
    assert.deepEqual(readPersonalData(bytes([])), [])
  })

  test('only a report that says so means that a platform can use them', () => {
    const report = (part: string, status: FidelityStatus) => ({
      entries: [{ part, status }],
      summary: { kept: 0, carried: 0, approximated: 0, left_behind: 0 },
    })
    assert.equal(isCarried(report('x-waybill.personal_data', 'carried')), true)
    assert.equal(isCarried(report('x-waybill.personal_data', 'left_behind')), false)
    assert.equal(isCarried(report('x-waybill.run', 'carried')), false)
  })
})
