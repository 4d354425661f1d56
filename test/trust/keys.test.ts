import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { keyIdOf, rawPublicKey } from '../../src/trust/ed25519.ts'
import { createKey, listOwnKeys, openPrivateKey, readOwnKey } from '../../src/trust/key-file.ts'
import { addTrustedKey, readTrustedKeys, revokeKey } from '../../src/trust/trust-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'waybill-keys-'))
after(() => rmSync(folder, { recursive: true }))
let homes = 0
const newHome = () => {
  const home = join(folder, `home${homes++}`)
  mkdirSync(join(home, 'trust'), { recursive: true })
  return home
}
const now = '2026-11-21T00:00:00.000Z'

describe('own keys', () => {
  test('are readable only by their owner, and never overwritten', () => {
    const keys = join(newHome(), 'keys')
    const made = createKey(keys, 'alice')
    assert.equal(statSync(join(keys, 'alice.key')).mode & 0o777, 0o600)
    assert.equal(statSync(join(keys, 'alice.pub')).mode & 0o777, 0o644)
    assert.equal(statSync(keys).mode & 0o777, 0o700)
    assert.equal(keyIdOf(openPrivateKey(keys, 'alice')), made.keyId)
    assert.equal(readOwnKey(keys, 'alice').keyId, made.keyId)
    const before = readFileSync(join(keys, 'alice.key'))
    assert.throws(() => createKey(keys, 'alice'), { code: 'KEY_EXISTS' })
    assert.deepEqual(readFileSync(join(keys, 'alice.key')), before)
    createKey(keys, 'bob')
    assert.deepEqual(
      listOwnKeys(keys).map(({ name }) => name),
      ['alice', 'bob'],
    )
  })

  test('that others can read are refused', {
    skip: process.platform === 'win32' && 'needs POSIX file modes',
  }, () => {
    const keys = join(newHome(), 'keys')
    createKey(keys, 'alice')
    for (const mode of [0o640, 0o604, 0o660, 0o644, 0o610]) {
      chmodSync(join(keys, 'alice.key'), mode)
      assert.throws(() => openPrivateKey(keys, 'alice'), { code: 'KEY_EXPOSED' }, mode.toString(8))
    }
    chmodSync(join(keys, 'alice.key'), 0o400)
    assert.ok(openPrivateKey(keys, 'alice'))
  })

  test('may be a JWK that was made elsewhere, with or without a .pub', () => {
    const keys = join(newHome(), 'keys')
    mkdirSync(keys)
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    writeFileSync(join(keys, 'carol.key'), JSON.stringify(privateKey.export({ format: 'jwk' })), {
      mode: 0o600,
    })
    assert.equal(keyIdOf(openPrivateKey(keys, 'carol')), keyIdOf(publicKey))
    assert.equal(readOwnKey(keys, 'carol').keyId, keyIdOf(publicKey))
  })

  test('that do not exist are refused with a list of the existing ones, and names cannot leave the folder', () => {
    const keys = join(newHome(), 'keys')
    createKey(keys, 'alice')
    assert.throws(
      () => openPrivateKey(keys, 'alise'),
      (error: { code: string; details: { hint: string } }) =>
        error.code === 'KEY_NOT_FOUND' && error.details.hint === 'existing keys: alice',
    )
    for (const name of ['../alice', 'a/b', '', '.hidden', 'a'.repeat(65), 'a\0']) {
      assert.throws(() => createKey(keys, name), { code: 'KEY_NAME_INVALID' }, name)
      assert.throws(() => openPrivateKey(keys, name), { code: 'KEY_NAME_INVALID' }, name)
    }
  })
})

describe('trusted keys', () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const base64 = rawPublicKey(publicKey).toString('base64')

  test('are kept with what they sign for, and revoking keeps that', () => {
    const home = newHome()
    addTrustedKey(home, 'bob', publicKey, { authoredBy: ['*@bob.example'] }, now)
    assert.deepEqual(
      readTrustedKeys(home).map(({ name, signsFor, revokedAt }) => ({ name, signsFor, revokedAt })),
      [{ name: 'bob', signsFor: { authoredBy: ['*@bob.example'] }, revokedAt: undefined }],
    )
    assert.throws(() => addTrustedKey(home, 'bob', publicKey, {}, now), { code: 'KEY_EXISTS' })
    revokeKey(home, 'bob', 'gone', now)
    revokeKey(home, 'bob', 'gone for good', '2027-01-01T00:00:00Z')
    const [bob] = readTrustedKeys(home)
    assert.deepEqual(
      [bob?.revokedAt, bob?.revokedReason, bob?.signsFor],
      [now, 'gone for good', { authoredBy: ['*@bob.example'] }],
    )
    assert.throws(() => addTrustedKey(home, 'bob', publicKey, {}, now), { code: 'KEY_EXISTS' })
  })

  test('own keys are known, and can be revoked; their names are taken', () => {
    const home = newHome()
    const own = createKey(join(home, 'keys'), 'alice')
    assert.deepEqual(
      readTrustedKeys(home).map(({ keyId }) => keyId),
      [own.keyId],
    )
    assert.throws(() => addTrustedKey(home, 'alice', publicKey, {}, now), { code: 'KEY_EXISTS' })
    revokeKey(home, 'alice', 'lost', now)
    const known = readTrustedKeys(home)
    assert.deepEqual(
      known.map(({ keyId, revokedAt }) => [keyId, revokedAt]),
      [[own.keyId, now]],
    )
    assert.throws(() => revokeKey(home, 'nobody', 'x', now), { code: 'KEY_NOT_FOUND' })
  })

  test('may be written by hand, as YAML or JSON', () => {
    const home = newHome()
    writeFileSync(join(home, 'trust/bob.json'), JSON.stringify({ public_key: base64 }))
    writeFileSync(
      join(home, 'trust/carol.yml'),
      `public_key: "${base64}"\nsigns_for:\n  source_platform: [Letta]\n`,
    )
    assert.deepEqual(
      readTrustedKeys(home).map(({ name, signsFor }) => [name, signsFor]),
      [
        ['bob', {}],
        ['carol', { sourcePlatform: ['Letta'] }],
      ],
    )
  })

  test('one entry that cannot be read stops verification: it might revoke a key', () => {
    const entries: readonly string[] = [
      '',
      'a: [',
      '- 1',
      'public_key: ""',
      `public_key: ${base64.slice(1)}`,
      `public_key: ${base64}\nrevoked_att: 2026-01-01`,
      `public_key: ${base64}\nrevoked_at: true`,
      `public_key: ${base64}\nkey_id: other`,
      `public_key: ${base64}\nsigns_for: [a]`,
      `public_key: ${base64}\nsigns_for: {authored_by: a}`,
      `public_key: ${base64}\nsigns_for: {author: [a]}`,
      `public_key: ${Buffer.alloc(32).toString('base64')}`,
    ]
    for (const entry of entries) {
      const home = newHome()
      writeFileSync(join(home, 'trust/bob.yaml'), entry)
      assert.throws(() => readTrustedKeys(home), { code: 'TRUST_STORE_INVALID' }, entry)
    }
  })
})
