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

  const required = (source: string) =>
    policyFor(source, { default: 'ignore', sources: { 'http://127.0.0.1:8080/b': 'require' } }) === 'require'

  for (const source of [
    'HTTP://127.0.0.1:8080/b/a.json',
    'http://127.1:8080/b/a.json',
    'http://2130706433:8080/b/a.json',
    'http://0x7f.0.0.1:8080/b/a.json',
    'http://[::ffff:7f00:1]:8080/b/a.json',
    'http://localhost.:8080/b/a.json',
    'http://127.0.0.1.:8080/b/a.json',
    'https://127.0.0.1:8080/b/a.json',
    'http://user:pw@127.0.0.1:8080/b/a.json',
    'http://127.0.0.1:8080\\b\\a.json',
    'http://127.0.0.1:8080/x/../b/a.json',
    'http://127.0.0.1:8080/x/%2e%2E/b/a.json',
    'http://127.0.0.1:8080/x%2f..%2Fb/a.json',
    'http://127.0.0.1:8080/%62/a.json',
    'http://127.0.0.1:8080/%2562/a.json',
    'http://127.0.0.1:8080//b//a.json',
    'http://127.0.0.1:8080/B/a.json',
    'http://127.0.0.1:8080/b;v=1/a.json',
    'http://127.0.0.1:8080/b%00/a.json',
    'http://127.0.0.1:8080/b./a.json',
    'http://127.0.0.1:8080/b?of=x',
    'http://127.0.0.1:8080/b#x',
  ])
    test(`the requirement for a URL also applies when the URL is written ${source}`, () =>
      assert.ok(required(source)))

  for (const source of [
    'http://127.0.0.1:8080/bb/a.json',
    'http://127.0.0.1:8080/a/b/a.json',
    'http://127.0.0.1:8080/c%2Fb/a.json',
    'http://127.0.0.1:8081/b/a.json',
    'http://127.0.0.1.example:8080/b/a.json',
    'http://198.51.100.1:8080/b/a.json',
    'http://127.0.0.1:8080/?/b/a.json',
  ])
    test(`and does not apply to ${source}`, () => assert.ok(!required(source)))

  for (const [source, policy] of [
    ['HTTPS://Ours.Example:443/agents/a.json', 'ignore'],
    ['https://ours.example./agents/a.json', 'ignore'],
    ['https://ours.example/agents/team/a.json?v=2', 'ignore'],
    ['http://ours.example/agents/a.json', 'require'],
    ['https://ours.example/agents/..%2fa.json', 'require'],
    ['https://ours.example/Agents/a.json', 'require'],
    ['https://ours.example/agents-of-others/a.json', 'require'],
    ['https://ours.example@evil.example/agents/a.json', 'require'],
  ] as const)
    test(`an exception for a URL must hold in every reading of ${source}: ${policy}`, () =>
      assert.equal(
        policyFor(source, { default: 'require', sources: { 'https://ours.example/agents': 'ignore' } }),
        policy,
      ))

  test('a prefix with a query covers that query only, and a scheme covers all of its hosts', () => {
    const sources = { 'https://api.example/get?id=1': 'ignore', 'http://': 'require' } as const
    assert.equal(policyFor('https://api.example/get?id=1', { sources }), 'ignore')
    assert.equal(policyFor('https://api.example/get?id=2', { sources }), 'prefer')
    assert.equal(policyFor('http://any.example/a.json', { sources }), 'require')
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
