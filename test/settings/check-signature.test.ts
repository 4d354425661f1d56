import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Json } from '../../src/document/json.ts'
import { signatureChecker } from '../../src/settings/check-signature.ts'
import type { AgentDefinition } from '../../src/spec/aaif/generated/agent.ts'
import { keyIdOf } from '../../src/trust/ed25519.ts'
import { signDocument } from '../../src/trust/sign.ts'
import type { TrustedKey } from '../../src/trust/trust-store.ts'
import { minimal } from '../spec/aaif/samples.ts'

const ann = generateKeyPairSync('ed25519')
const annsKey: TrustedKey = {
  name: 'ann',
  keyId: keyIdOf(ann.publicKey),
  publicKey: ann.publicKey,
  signsFor: {},
}
const unsigned = minimal as unknown as AgentDefinition
const signed = signDocument(minimal as Json & object, ann.privateKey).document as unknown as AgentDefinition

/** A trust store that counts how often it is read. */
function trustOf(...keys: readonly TrustedKey[]) {
  const store = {
    reads: 0,
    keys() {
      store.reads++
      return keys
    },
  }
  return store
}

describe('checking signatures', () => {
  test('an unsigned definition reads no key', () => {
    const trust = trustOf(annsKey)
    const check = signatureChecker(trust, {})
    assert.deepEqual(check(unsigned, undefined), {
      policy: 'prefer',
      status: 'unsigned',
      reason: 'it is not signed',
    })
    const { provenance, ...bare } = unsigned
    assert.equal(check(bare as AgentDefinition, undefined).status, 'unsigned')
    assert.equal(trust.reads, 0)
  })

  test('a valid signature names its signer; the keys are read once', () => {
    const trust = trustOf(annsKey)
    const check = signatureChecker(trust, {})
    for (let round = 0; round < 2; round++) {
      const { status, signer } = check(signed, undefined)
      assert.deepEqual({ status, signer }, { status: 'valid', signer: 'ann' })
    }
    assert.equal(trust.reads, 1)
  })

  test('without a known key there is no signer', () => {
    const state = signatureChecker(trustOf(), {})(signed, undefined)
    assert.equal(state.status, 'unknown_signer')
    assert.equal('signer' in state, false)
  })

  test('a folder has its policy under all its names, and a definition that of the strictest place', (t) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waybill-sources-')))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    mkdirSync(join(folder, 'vendor'))
    symlinkSync(join(folder, 'vendor'), join(folder, 'link'))
    writeFileSync(join(folder, 'vendor', 'a.yaml'), '')
    symlinkSync(join(folder, 'vendor', 'a.yaml'), join(folder, 'a.yaml'))
    for (const name of ['vendor', 'link']) {
      const check = signatureChecker(trustOf(), { sources: { [join(folder, name)]: 'require' } })
      for (const path of ['vendor/a.yaml', 'link/a.yaml', 'a.yaml', 'link/../vendor/a.yaml'])
        assert.equal(check(unsigned, join(folder, path)).policy, 'require', `${name}: ${path}`)
      assert.equal(check(unsigned, join(folder, 'b.yaml')).policy, 'prefer')
      assert.equal(check(unsigned, join(folder, 'b.yaml'), join(folder, 'a.yaml')).policy, 'require')
    }
    const own = signatureChecker(trustOf(), {
      default: 'require',
      sources: { [join(folder, 'link')]: 'ignore' },
    })
    assert.equal(own(unsigned, join(folder, 'link/a.yaml')).policy, 'ignore')
    assert.equal(own(unsigned, join(folder, 'vendor/a.yaml')).policy, 'ignore')
  })

  test('the policy is that of the source', () => {
    const check = signatureChecker(trustOf(annsKey), {
      default: 'ignore',
      sources: { '/srv/vendor': 'require' },
    })
    for (const definition of [signed, unsigned]) {
      assert.equal(check(definition, '/srv/vendor/a.yaml').policy, 'require')
      assert.equal(check(definition, '/srv/a.yaml').policy, 'ignore')
      assert.equal(check(definition, undefined).policy, 'ignore')
    }
  })
})
