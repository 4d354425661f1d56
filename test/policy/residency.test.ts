import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeResidency, type ResidencyClaims } from '../../src/policy/residency.ts'

describe('AAIF §4.9 data_residency', () => {
  type Target = Parameters<typeof judgeResidency>[1]
  const cases: readonly (readonly [
    declared: string | undefined,
    target: Target,
    claims: ResidencyClaims,
    inside: boolean,
  ])[] = [
    [undefined, { url: 'https://a.example' }, {}, true],
    ['global', { url: 'https://a.example' }, {}, true],
    ['EU', { url: 'https://a.example' }, {}, false],
    // Data that stays on this machine.
    ['EU', { url: 'http://localhost:1' }, {}, true],
    ['EU', { url: 'http://x.localhost:1' }, {}, true],
    ['EU', { url: 'http://localhost.:1' }, {}, true],
    ['custom', { url: 'http://127.0.0.1:1' }, {}, true],
    ['EU', { url: 'http://[::1]:1' }, {}, true],
    ['EU', { url: 'http://127.255.0.9' }, {}, true],
    ['EU', { url: 'http://xlocalhost' }, {}, false],
    ['EU', { url: 'http://localhost.example' }, {}, false],
    ['EU', { url: 'http://128.0.0.1' }, {}, false],
    // The known region of a provider applies only at its own address.
    ['EU', { provider: 'mistral' }, {}, true],
    ['EU', { provider: 'mistral', url: 'https://api.mistral.ai/v1' }, {}, true],
    ['EU', { provider: 'mistral', url: 'https://gateway.example/v1' }, {}, false],
    ['US', { provider: 'mistral' }, {}, false],
    ['EU', { provider: 'openai' }, {}, false],
    // The operator's claims, by host, by name in the plan, and by provider.
    ['EU', { url: 'https://gateway.example/v1' }, { 'gateway.example': ['EU'] }, true],
    ['EU', { url: 'https://gateway.example/v1' }, { 'gateway.example': ['US', 'EU'] }, true],
    ['EU', { url: 'https://gateway.example/v1' }, { 'gateway.example': ['US'] }, false],
    ['EU', { provider: 'openai' }, { openai: ['EU'] }, true],
    ['EU', { provider: 'openai', url: 'https://gateway.example' }, { openai: ['EU'] }, false],
    ['EU', { provider_id: 'ours', url: 'https://gateway.example' }, { ours: ['EU'] }, true],
    ['EU', { url: 'https://openai/v1' }, { openai: ['EU'] }, false],
    // What custom stands for is known to the operator alone.
    ['custom', { provider: 'openai' }, { openai: ['custom'] }, true],
    ['custom', { provider: 'mistral' }, { mistral: ['EU'] }, false],
    ['custom', { url: 'https://crm.example' }, { 'crm.example': ['custom'] }, true],
    ['EU', { provider: 'openai' }, { openai: ['custom'] }, false],
    // A claim replaces the known region of the provider.
    ['EU', { provider: 'mistral' }, { mistral: ['US'] }, false],
    ['EU', { provider: 'toString' }, {}, false],
  ]
  for (const [declared, target, claims, inside] of cases) {
    const name = `${declared} at ${JSON.stringify(target)} with ${JSON.stringify(claims)}`
    test(`${name}: ${inside ? 'inside' : 'outside'}`, () => {
      assert.equal(judgeResidency(declared, target, claims).inside, inside)
    })
  }

  test('the reason names the configuration', () => {
    const reason = (declared: string, target: Target) => {
      const verdict = judgeResidency(declared, target, {})
      return verdict.inside ? '' : verdict.reason
    }
    assert.match(reason('EU', { provider: 'openai' }), /residency: \{ openai: \[EU\] \}/)
    assert.match(reason('EU', { url: 'https://a.example/v1' }), /residency: \{ a\.example: \[EU\] \}/)
    assert.match(reason('custom', { provider: 'openai' }), /residency: { openai: \[custom\] }/)
  })
})
