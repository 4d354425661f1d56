import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { extendedCollisions, withExtended } from '../../src/policy/extended-params.ts'
import { leftOutParams, type ParamName } from '../../src/policy/left-out-params.ts'
import { callableProvider, modelGrants } from '../../src/policy/model-providers.ts'

const ALL: readonly ParamName[] = [
  'temperature',
  'max_tokens',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'stop',
  'seed',
]

describe('parameters that a model does not accept', () => {
  const sampling = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']
  const penalties = ['frequency_penalty', 'presence_penalty']
  for (const [provider, model, leftOut] of [
    ['openai', 'o1', sampling],
    ['openai', 'o4-mini', sampling],
    ['openai', 'gpt-5', sampling],
    ['openai', 'gpt-10', sampling],
    ['openai', 'gpt-4o', []],
    ['openai', 'gpt-5-chat-latest', []],
    ['openai', 'my-o1', []],
    ['anthropic', 'claude-x', ['top_p', ...penalties, 'seed']],
    ['anthropic', 'x-claude', [...penalties, 'seed']],
    ['google', 'gemini-2.5-pro', penalties],
    ['google', 'gemini-3-pro', []],
    ['google', 'my-gemini-2.5', []],
    ['mistral', 'o1', []],
    ['groq', 'o1', []],
    ['openrouter', 'o1', []],
    ['custom', 'o1', []],
  ] as const) {
    test(`${provider} ${model} accepts all except ${leftOut.join(', ') || 'none'}`, () => {
      assert.deepEqual(leftOutParams({ provider, model }, ALL), leftOut)
      assert.deepEqual(leftOutParams({ provider, model }, []), [])
      assert.deepEqual(leftOutParams({ provider, model }, ['max_tokens', 'stop']), [])
    })
  }

  test('Claude accepts one of temperature and top_p: top_p alone is kept', () => {
    const claude = { provider: 'anthropic', model: 'claude-x' }
    assert.deepEqual(leftOutParams(claude, ['top_p']), [])
    assert.deepEqual(leftOutParams(claude, ['temperature']), [])
    assert.deepEqual(leftOutParams(claude, ['top_p', 'temperature']), ['top_p'])
  })
})

describe('AAIF §4.2 extended parameters', () => {
  for (const [extended, collisions] of [
    [{ Messages: 1 }, ['Messages']],
    [{ system_instruction: 1, systemInstruction: 1 }, ['system_instruction', 'systemInstruction']],
    [{ 'max-tokens': 1 }, ['max-tokens']],
    [{ generation_config: {} }, ['generation_config']],
    [{ generationConfig: {} }, []],
    [{ generationConfig: { topK: 1, thinkingConfig: {} } }, []],
    [
      { generationConfig: { seed: 1, topK: 2, top_p: 3 } },
      ['generationConfig.seed', 'generationConfig.top_p'],
    ],
    [{ generationConfig: null }, ['generationConfig']],
    [{ generationConfig: 'x' }, ['generationConfig']],
    [{ generationConfig: [] }, ['generationConfig']],
    // A name that collides in generationConfig only.
    [{ candidateCount: 1 }, []],
    [{ generationConfig: { candidateCount: 1 } }, ['generationConfig.candidateCount']],
  ] as const) {
    test(`AAIF-4.2-15: ${JSON.stringify(extended)} collides in ${collisions.join(', ') || 'no member'}`, () => {
      assert.deepEqual(extendedCollisions(extended as never), collisions)
    })
  }

  for (const [why, body, extended, sent] of [
    ['members stand beside those of the body', { a: 1 }, { b: { c: 2 } }, { a: 1, b: { c: 2 } }],
    [
      'both write in generationConfig',
      { generationConfig: { seed: 1 } },
      { generationConfig: { topK: 2 } },
      { generationConfig: { seed: 1, topK: 2 } },
    ],
    [
      'only the body has one',
      { generationConfig: { seed: 1 } },
      { b: 2 },
      { generationConfig: { seed: 1 }, b: 2 },
    ],
    [
      'only the definition has one',
      { a: 1 },
      { generationConfig: { topK: 2 } },
      { a: 1, generationConfig: { topK: 2 } },
    ],
    ['no other member is joined', { x: { a: 1 } }, { x: { b: 2 } }, { x: { b: 2 } }],
  ] as const) {
    test(`a request body has the extended parameters unchanged: ${why}`, () => {
      assert.deepEqual(withExtended(body, extended as never), sent)
    })
  }
})

describe('model providers', () => {
  for (const [route, callable] of [
    [{ provider: 'openai' }, true],
    [{ provider: 'custom', base_url: 'https://a.example' }, true],
    [{ provider: 'custom' }, false],
    [{ provider: 'unknown', base_url: 'https://a.example' }, false],
  ] as const)
    test(`${JSON.stringify(route)} is ${callable ? 'callable' : 'not callable'}`, () =>
      assert.equal(callableProvider(route), callable))

  test('model calls reach the public APIs and the granted hosts, but no local server without a grant', () => {
    const own = { host: 'a.example', private: true, source: 'flag' } as const
    const denied = [{ host: 'b.example' }]
    const grants = modelGrants({ hosts: [own], denied }, ['https://c.example/v1', 'http://d.example/v1'])
    assert.deepEqual(grants.hosts[0], own)
    assert.deepEqual(grants.denied, denied)
    const builtin = grants.hosts.slice(1)
    assert.ok(builtin.every((grant) => grant.source === 'builtin' && !grant.private))
    const hosts = builtin.map(({ host }) => host)
    assert.ok(hosts.includes('api.openai.com'))
    assert.ok(hosts.includes('c.example'))
    assert.ok(!hosts.includes('d.example'))
    assert.ok(!hosts.includes('127.0.0.1'))
  })
})
