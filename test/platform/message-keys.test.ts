import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { homeKeys } from '../../src/compose/home-keys.ts'
import { createKey, readOwnKey } from '../../src/trust/key-file.ts'
import { sealFor } from '../../src/trust/seal-for.ts'
import { addTrustedKey, revokeKey } from '../../src/trust/trust-store.ts'

function homeOf(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), 'waybill-message-keys-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const keys = join(home, 'keys')
  const { messages } = homeKeys(home)
  const ids = () => (messages.jwks().keys as { kid: string }[]).map(({ kid }) => kid)
  return { home, keys, messages, ids }
}

describe('the keys for messages', () => {
  it('are those of the audit log: the newest signs, and old secrets stay as they are', (t) => {
    const { home, keys, messages, ids } = homeOf(t)
    assert.deepEqual(ids(), [])
    const first = messages.current()
    const secret = messages.secret(first, 'salt', 'webhook a')
    createKey(keys, 'audit-10')
    createKey(keys, 'audit-2')
    createKey(keys, 'other')
    const last = readOwnKey(keys, 'audit-10').keyId
    assert.equal(messages.current(), last)
    assert.deepEqual(ids(), [first, readOwnKey(keys, 'audit-2').keyId, last])
    assert.deepEqual(homeKeys(home).messages.secret(first, 'salt', 'webhook a'), secret)
    const others = [
      messages.secret(last, 'salt', 'webhook a'),
      messages.secret(first, 'salt 2', 'webhook a'),
      messages.secret(first, 'salt', 'webhook b'),
    ]
    assert.equal(new Set([secret, ...others].map((one) => one.toString('hex'))).size, 4)
  })

  it('that are unknown or revoked are refused', (t) => {
    const { home, keys, messages, ids } = homeOf(t)
    const first = messages.current()
    assert.throws(() => messages.secret('unknown', 'salt', 'webhook a'), { code: 'AUDIT_KEY_WRONG' })
    addTrustedKey(home, 'lost', readOwnKey(keys, 'audit').publicKey, {}, '2026-01-01T00:00:00Z')
    assert.deepEqual(ids(), [first])
    revokeKey(home, 'lost', 'it was copied', '2026-02-01T00:00:00Z')
    assert.deepEqual(ids(), [])
    assert.throws(() => messages.sign(Buffer.from('msg_1')), { code: 'AUDIT_KEY_WRONG' })
  })

  it('open what others have sealed for them: also for an older key, and for no key that is revoked or not here', async (t) => {
    const { home, keys, messages } = homeOf(t)
    messages.current()
    createKey(keys, 'audit-2')
    createKey(keys, 'other')
    const about = { iss: 'a', sub: 's', aud: 'b' }
    const sealed = (name: string) =>
      sealFor(Buffer.from('text'), readOwnKey(keys, name).publicKey, 'text/plain', about)
    const { unseal } = homeKeys(home)
    for (const name of ['audit', 'audit-2'])
      assert.equal((await unseal(await sealed(name), about)).toString(), 'text', name)
    await assert.rejects(async () => unseal(await sealed('audit'), { ...about, sub: 'x' }), {
      code: 'SEAL_UNREADABLE',
    })
    await assert.rejects(async () => unseal(await sealed('other'), about), { code: 'AUDIT_KEY_WRONG' })
    addTrustedKey(home, 'lost', readOwnKey(keys, 'audit').publicKey, {}, '2026-01-01T00:00:00Z')
    revokeKey(home, 'lost', 'it was copied', '2026-02-01T00:00:00Z')
    await assert.rejects(async () => unseal(await sealed('audit'), about), { code: 'AUDIT_KEY_WRONG' })
  })
})
