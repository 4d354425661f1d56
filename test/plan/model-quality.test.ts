import assert from 'node:assert/strict'
import { test } from 'node:test'
import { qualityOf } from '../../src/plan/model-quality.ts'

const rank = (model: string, overrides: Record<string, number> = {}) => qualityOf('acme', model, overrides)

test('a model has one rank for all spellings of providers', () => {
  const llama = rank('llama-3.3-70b-instruct')
  assert.ok(llama !== undefined)
  for (const name of ['meta-llama/Llama-3.3-70B-Instruct-Turbo', 'llama3.3:70b', 'llama-3-3-70b-versatile'])
    assert.equal(rank(name), llama, name)
  assert.equal(rank('claude-sonnet-4-5-20250929'), rank('anthropic/claude-sonnet-4.5'))
  assert.equal(rank('gpt-4o-2024-08-06'), rank('gpt-4o'))
})

test('similar names of different models have different ranks', () => {
  const pairs: [string, string][] = [
    ['gpt-4-1106-preview', 'gpt-4.1'],
    ['gpt-4o-mini', 'gpt-4o'],
    ['o3-mini', 'o3'],
    ['gemini-2.5-flash-lite', 'gemini-2.5-flash'],
  ]
  for (const [one, other] of pairs) {
    assert.ok((rank(one) ?? 0) < (rank(other) ?? 0), `${one} is below ${other}`)
    assert.ok(rank(one) !== undefined)
  }
})

test('an unlisted version gets the best rank of its family; a smaller model is unknown', () => {
  assert.equal(rank('claude-opus-4-9'), rank('claude-opus-4-5'))
  assert.equal(rank('gpt-5.9'), Math.max(rank('gpt-5') ?? 0, rank('gpt-5.1') ?? 0))
  assert.equal(rank('gpt-5.9-mini'), undefined)
  assert.equal(rank('claude-opus-4-20250514'), rank('claude-opus-4'))
  assert.equal(rank('something-else'), undefined)
  assert.equal(rank('constructor'), undefined)
})

test('the ranks of the operator take precedence, and the first match applies', () => {
  const own = { 'acme/gpt-4o': 7, 'gpt-*-mini': 5, 'gpt-*': 3, 'a*b*c': 1 }
  assert.equal(rank('gpt-4o', own), 7)
  assert.equal(qualityOf('openai', 'gpt-4o', own), 3)
  assert.equal(rank('gpt-4o-mini', own), 5)
  assert.equal(rank('gpt--mini', own), 5)
  assert.equal(rank('gpt-mini', own), 3)
  assert.equal(rank('axxbyyc', own), 1)
  assert.equal(rank('abbc', own), 1)
  assert.equal(rank('acb', own), undefined)
  // A part between stars must be there, in its order, and not inside the end.
  assert.equal(rank('axc', own), undefined)
  assert.equal(rank('axxc', own), undefined)
  const between = (pattern: string, name: string) => rank(name, { [pattern]: 1 }) === 1
  for (const [pattern, name, expected] of [
    ['zz*b*b', 'zzb', false],
    ['zz*b*b', 'zzbb', true],
    ['zz*b*b', 'zzxbxb', true],
    ['*zz*', 'zz', true],
    ['*zz*', 'z', false],
    ['*z*y*', 'zy', true],
    ['*z*y*', 'yz', false],
    ['*z*y*', 'yzy', true],
    ['zz**', 'zz', true],
    ['*', '', true],
    ['zz*zz', 'zzz', false],
    ['zz*zz', 'zzzz', true],
    ['zz*b*bc', 'zzbc', false],
    ['zz*b*bc', 'zzbbc', true],
  ] as const)
    assert.equal(between(pattern, name), expected, `${pattern} and ${name}`)
  assert.equal(rank('my-gpt-4o', own), undefined)
})
