import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { judgeSignature, policyFor, type SignatureState } from '../../src/policy/signature-policy.ts'
import { signatureChecker } from '../../src/settings/check-signature.ts'
import type { AgentDefinition } from '../../src/spec/aaif/generated/agent.ts'
import { createKey, openPrivateKey, readOwnKey } from '../../src/trust/key-file.ts'
import { signDocument } from '../../src/trust/sign.ts'
import { addTrustedKey, readTrustedKeys, revokeKey } from '../../src/trust/trust-store.ts'
import { definition } from '../run/fixture.ts'

const state = (policy: SignatureState['policy'], status: SignatureState['status']): SignatureState => ({
  policy,
  status,
  reason: 'r',
})

describe('AAIF §12 the signer of a definition', () => {
  test('AAIF-12-13: the verdict for every policy and state', () => {
    const verdicts = (status: SignatureState['status'], strict = false) =>
      (['require', 'prefer', 'ignore'] as const).map(
        (policy) => judgeSignature(state(policy, status), strict).verdict,
      )
    assert.deepEqual(verdicts('valid'), ['fine', 'fine', 'fine'])
    assert.deepEqual(verdicts('invalid'), ['refuse', 'refuse', 'fine'])
    assert.deepEqual(verdicts('revoked'), ['refuse', 'refuse', 'fine'])
    assert.deepEqual(verdicts('unsigned'), ['refuse', 'fine', 'fine'])
    assert.deepEqual(verdicts('unknown_signer'), ['refuse', 'note', 'fine'])
    assert.deepEqual(verdicts('unknown_signer', true), ['refuse', 'refuse', 'fine'])
  })

  test('the longest prefix of a source decides, and only at a path boundary', () => {
    const policies = { default: 'ignore', sources: { '/srv': 'prefer', '/srv/vendor': 'require' } } as const
    assert.equal(policyFor('/srv/vendor/a', policies), 'require')
    assert.equal(policyFor('/srv/vendors', policies), 'prefer')
    assert.equal(policyFor('/home', policies), 'ignore')
    assert.equal(policyFor(undefined, {}), 'prefer')
  })

  test('AAIF-12-13: a signature is valid, and a change, an unknown key and a revoked key are distinguished', (t) => {
    const home = mkdtempSync(join(tmpdir(), 'waybill-signed-'))
    t.after(() => rmSync(home, { recursive: true, force: true }))
    createKey(join(home, 'keys'), 'author')
    const plain = { ...definition(), provenance: { authored_by: 'ann' } } as never
    const signed = signDocument(plain, openPrivateKey(join(home, 'keys'), 'author'))
      .document as unknown as AgentDefinition
    const check = (document: AgentDefinition) =>
      signatureChecker({ keys: () => readTrustedKeys(home) }, {})(document, undefined).status
    assert.equal(check(signed), 'valid')
    assert.equal(check(definition()), 'unsigned')
    assert.notEqual(check({ ...signed, agent: { ...signed.agent, goal: 'Something else.' } }), 'valid')
    const elsewhere = mkdtempSync(join(tmpdir(), 'waybill-signed-'))
    t.after(() => rmSync(elsewhere, { recursive: true, force: true }))
    const there = (document: AgentDefinition) =>
      signatureChecker({ keys: () => readTrustedKeys(elsewhere) }, {})(document, undefined).status
    assert.equal(there(signed), 'unknown_signer')
    const { publicKey } = readOwnKey(join(home, 'keys'), 'author')
    addTrustedKey(elsewhere, 'ann', publicKey, { authoredBy: ['ann'] }, '2026-01-01T00:00:00Z')
    assert.equal(there(signed), 'valid')
    assert.equal(there({ ...signed, agent: { ...signed.agent, goal: 'Something else.' } }), 'invalid')
    revokeKey(elsewhere, 'ann', 'lost', '2026-02-01T00:00:00Z')
    assert.equal(there(signed), 'revoked')
  })
})
