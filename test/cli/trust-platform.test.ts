import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import { keyIdOf } from '../../src/trust/ed25519.ts'
import { Place, waybill } from './fixture.ts'

const keys = [1, 2, 3].map(() => generateKeyPairSync('ed25519').publicKey)
const ids = keys.map(keyIdOf)
const setOf = (...which: readonly number[]) =>
  JSON.stringify({ keys: which.map((n) => keys[n]?.export({ format: 'jwk' })) })
const URL_THERE = 'https://there.example'

const trust = (place: Place, name: string, set: string, ...options: readonly string[]) => {
  place.write('set.json', set)
  return waybill(place, ['keys', 'trust', name, 'set.json', '--json', ...options])
}

const trusted = async (place: Place): Promise<readonly (readonly unknown[])[]> => {
  const { out } = await waybill(place, ['keys', 'list', '--json'])
  return JSON.parse(out).trusted.map((key: { name: string; key_id: string; source_platform: string[] }) => [
    key.name,
    key.key_id,
    key.source_platform,
  ])
}

const PLACES = [URL_THERE, `${URL_THERE}/organisations/*`]

describe('keys of platforms', () => {
  test('all keys of a platform are pinned, and new ones are added by the same command', async (t: TestContext) => {
    const place = new Place(t)
    const first = await trust(place, 'prod', setOf(0, 1), '--platform', `${URL_THERE}/`)
    assert.equal(first.code, 0, first.out)
    assert.deepEqual(await trusted(place), [
      ['prod-2', ids[1], PLACES],
      ['prod', ids[0], PLACES],
    ])
    await waybill(place, ['keys', 'revoke', 'prod', '--reason', 'lost'])
    const again = await trust(place, 'prod', setOf(0, 1, 2), '--platform', URL_THERE)
    assert.deepEqual(
      JSON.parse(again.out).keys.map((key: { key_id: string; revoked_at?: string }) => [
        key.key_id,
        key.revoked_at !== undefined,
      ]),
      [
        [ids[0], true],
        [ids[1], false],
        [ids[2], false],
      ],
    )
    assert.equal((await trusted(place)).length, 3)
    const other = await trust(place, 'prod', setOf(2), '--platform', 'https://else.example')
    assert.match(other.out, /KEY_EXISTS/)
  })

  for (const [what, set, options, why] of [
    ['a set without its platform', setOf(0), [], /name it with --platform/],
    [
      'a set of two platforms',
      setOf(0),
      ['--platform', URL_THERE, '--platform', 'https://b.example'],
      /one platform/,
    ],
    ['an empty set', '{"keys":[]}', ['--platform', URL_THERE], /has no keys/],
    ['a set that is no list', '{"keys":{}}', ['--platform', URL_THERE], /has no keys/],
    ['a platform without encryption', setOf(0), ['--platform', 'http://there.example'], /https/],
    ['another kind of key', '{"keys":[{"kty":"RSA"}]}', ['--platform', URL_THERE], /KEY_INVALID/],
  ] as const)
    test(`is refused: ${what}`, async (t: TestContext) => {
      const place = new Place(t)
      const { code, out } = await trust(place, 'prod', set, ...options)
      assert.notEqual(code, 0)
      assert.match(out, why)
      assert.deepEqual(await trusted(place), [])
    })

  test('one key is trusted for a platform as before', async (t: TestContext) => {
    const place = new Place(t)
    place.write('one.json', JSON.stringify(keys[0]?.export({ format: 'jwk' })))
    await waybill(place, ['keys', 'trust', 'bob', 'one.json', '--platform', 'bob/*'])
    assert.deepEqual(await trusted(place), [['bob', ids[0], ['bob/*']]])
  })

  test('the keys of this machine are exported as a set, always the same', async (t: TestContext) => {
    const place = new Place(t)
    const one = await waybill(place, ['keys', 'export', '--jwks'])
    const [key, ...others] = JSON.parse(one.out).keys
    assert.deepEqual([key.kty, key.crv, key.d, others], ['OKP', 'Ed25519', undefined, []])
    assert.equal((await waybill(place, ['keys', 'export', '--jwks'])).out, one.out)
    for (const argv of [
      ['keys', 'export'],
      ['keys', 'export', 'audit', '--jwks'],
    ])
      assert.match((await waybill(place, argv)).err, /use --jwks without a name/)
    const shown = await waybill(place, ['keys', 'export', '--jwks'], { errIsTty: true })
    assert.match(shown.err, new RegExp(`urn:waybill:home:${key.kid}`))
  })
})
