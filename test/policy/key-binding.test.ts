import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { extendedCollisions } from '../../src/policy/extended-params.ts'
import { keyFor } from '../../src/policy/key-binding.ts'
import { secretGranted, secretUse } from '../../src/policy/secret-grant.ts'

describe('keys and their destinations', () => {
  test('a provider key is sent to the provider, and not to a base URL in a definition', () => {
    const key = { name: 'OPENAI_API_KEY', bound: true, origin: 'https://api.openai.com' }
    assert.deepEqual(keyFor({ provider: 'openai' }), key)
    assert.deepEqual(keyFor({ provider: 'openai', base_url: 'https://api.openai.com/v1/' }), key)
    for (const base_url of [
      'https://evil.example/v1',
      'http://api.openai.com/v1',
      'https://api.openai.com:8443/v1',
      'https://api.openai.com.evil.example/v1',
      'https://api.openai.com@evil.example/v1',
      'nonsense',
    ]) {
      assert.equal(keyFor({ provider: 'openai', base_url }).bound, false, base_url)
    }
  })

  test('the operator binds a key to an origin, independent of the path', () => {
    const bindings = { openai: ['https://proxy.example'], 'my.co-2': ['https://llm.my.co/v1'] }
    assert.equal(
      keyFor({ provider: 'openai', base_url: 'https://proxy.example/openai/v1' }, bindings).bound,
      true,
    )
    assert.equal(
      keyFor({ provider: 'anthropic', base_url: 'https://proxy.example/v1' }, bindings).bound,
      false,
    )
    const custom = { provider: 'custom', provider_id: 'my.co-2', base_url: 'https://llm.my.co/v2' }
    assert.deepEqual(keyFor(custom, bindings), {
      name: 'WAYBILL_KEY_MY_CO_2',
      bound: true,
      origin: 'https://llm.my.co',
    })
    assert.equal(keyFor(custom).bound, false)
    assert.equal(keyFor({ ...custom, provider_id: 'constructor' }, bindings).bound, false)
  })

  test('a provider without keys has no name', () => {
    assert.deepEqual(keyFor({ provider: 'anthropic' }), {
      name: 'ANTHROPIC_API_KEY',
      bound: true,
      origin: 'https://api.anthropic.com',
    })
    assert.deepEqual(keyFor({ provider: 'ollama' }), { bound: false })
  })

  test('a tool secret is granted for a pair of name and host', () => {
    const grants = [
      { name: 'CRM', host: 'crm.example' },
      { name: 'LOCAL', host: '127.0.0.1:8080' },
    ]
    assert.equal(secretGranted('CRM', new URL('https://crm.example/a'), grants), true)
    assert.equal(secretGranted('OTHER', new URL('https://crm.example/a'), grants), false)
    assert.equal(secretGranted('CRM', new URL('https://a.crm.example/'), grants), false)
    assert.equal(secretGranted('LOCAL', new URL('http://127.0.0.1:8080/'), grants), true)
    assert.equal(secretGranted('LOCAL', new URL('http://127.0.0.1:8081/'), grants), false)
  })
})

describe('a secret that is stored for hosts', () => {
  test('releases no secret of the environment to its hosts, unless the operator grants the host too', () => {
    const stored = { name: 'CRM', host: 'crm.example', stored: true } as const
    const url = new URL('https://crm.example/a')
    assert.deepEqual(secretUse('CRM', url, [stored]), { url, stored_only: true })
    assert.deepEqual(secretUse('CRM', url, [stored, { name: 'CRM', host: 'crm.example' }]), { url })
    assert.equal(secretUse('OTHER', url, [stored]), null)
  })
})

describe('extended parameters', () => {
  test('AAIF-4.2-15: members that the runtime sends collide, all others are accepted', () => {
    const all = [
      'model',
      'messages',
      'tools',
      'system',
      'stream',
      'response_format',
      'max_tokens',
      'temperature',
    ]
    assert.deepEqual(extendedCollisions(Object.fromEntries(all.map((name) => [name, 1]))), all)
    assert.deepEqual(extendedCollisions({ top_k: 3, thinking: { tools: 1 }, constructor: 1 }), [])
    assert.deepEqual(extendedCollisions(undefined), [])
  })
})
