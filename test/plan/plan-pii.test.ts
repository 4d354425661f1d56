import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NOTHING_INHERITED } from '../../src/plan/inherited.ts'
import type { PiiKey } from '../../src/plan/operator-settings.ts'
import type { PlannedMemory, PlannedPii } from '../../src/plan/plan.ts'
import { piiRefusals, planPii, withoutPiiInMemory } from '../../src/plan/plan-pii.ts'
import type { PiiHandling } from '../../src/policy/pii/pii-handling.ts'
import { definition, SETTINGS } from '../run/fixture.ts'

const HANDLINGS: readonly PiiHandling[] = ['none', 'detect', 'anonymize', 'encrypt', 'reject']
const planned = (
  own: PiiHandling | undefined,
  inherited: PiiHandling = 'none',
  pii: object | undefined = undefined,
  prompt = 'Answer.',
) =>
  planPii(
    definition(own === undefined ? {} : { compliance: { pii_handling: own } }),
    { ...NOTHING_INHERITED, pii: inherited },
    { ...SETTINGS, ...(pii !== undefined && { pii }) },
    prompt,
  )

describe('AAIF-4.9-07: how personal data is handled', () => {
  test('detect is the default, and the stricter of the own and the inherited handling holds', () => {
    assert.deepEqual(planned(undefined), { handling: 'detect' })
    assert.deepEqual(planned('none'), { handling: 'none' })
    assert.deepEqual(planned('none', 'anonymize'), { handling: 'anonymize', inherited: true })
    assert.deepEqual(planned('anonymize', 'anonymize'), { handling: 'anonymize' })
    assert.deepEqual(planned('reject', 'detect'), { handling: 'reject' })
  })

  for (const handling of HANDLINGS) {
    test(`${handling}: ${/anon|enc/.test(handling) ? 'the plan names the key' : 'no key is needed'}`, () => {
      const withKey = handling === 'anonymize' || handling === 'encrypt'
      assert.equal(planned(handling, 'none', { key_env: 'KEY' }).key_env, withKey ? 'KEY' : undefined)
      assert.ok(!('key_env' in planned(handling, 'none', {})))
    })
  }

  test('personal data of the system prompt is counted by kind, unless pii_handling is `none`', () => {
    const prompt = 'Write to ada@example.org and bob@example.org.'
    assert.deepEqual(planned('detect', 'none', undefined, prompt), {
      handling: 'detect',
      in_system_prompt: [{ kind: 'email', count: 2 }],
    })
    assert.deepEqual(planned('none', 'none', undefined, prompt), { handling: 'none' })
  })
})

describe('what keeps personal data from being handled', () => {
  const hint =
    'set KEY to the output of `openssl rand -base64 32`; keep this key: without it the data cannot be decrypted'
  const missing = ['PII_KEY_MISSING', 'pii_handling is anonymize, and the key KEY is not set', hint]
  const cases: readonly (readonly [
    PlannedPii,
    'missing' | 'invalid' | 'present',
    readonly string[] | null,
  ])[] = [
    [{ handling: 'none' }, 'missing', null],
    [{ handling: 'detect', key_env: 'KEY' }, 'missing', null],
    [{ handling: 'reject' }, 'missing', null],
    [{ handling: 'anonymize' }, 'missing', null],
    [{ handling: 'anonymize', key_env: 'KEY' }, 'present', null],
    [{ handling: 'anonymize', key_env: 'KEY' }, 'missing', missing],
    [
      { handling: 'anonymize', key_env: 'KEY' },
      'invalid',
      ['PII_KEY_INVALID', 'KEY does not contain a key of 32 bytes', hint],
    ],
    [{ handling: 'encrypt', key_env: 'KEY' }, 'present', null],
    [
      { handling: 'encrypt', key_env: 'KEY' },
      'missing',
      ['PII_KEY_MISSING', 'pii_handling is encrypt, and the key KEY is not set', hint],
    ],
    [
      { handling: 'encrypt' },
      'missing',
      [
        'PII_KEY_MISSING',
        'pii_handling is encrypt, and no key is configured',
        'set `pii: { key_env: NAME }` in config.yaml, and set that variable to the output of `openssl rand -base64 32`',
      ],
    ],
    [
      { handling: 'encrypt', key_env: 'KEY' },
      'invalid',
      ['PII_KEY_INVALID', 'KEY does not contain a key of 32 bytes', hint],
    ],
  ]
  for (const [pii, key, refusal] of cases) {
    test(`${pii.handling} with ${pii.key_env ?? 'no name'}, the key ${key}: ${refusal?.[0] ?? 'no refusal'}`, () => {
      assert.deepEqual(
        piiRefusals(pii, key).map(({ code, message, hint }) => [code, message, hint]),
        refusal === null ? [] : [refusal],
      )
    })
  }
})

describe('declared items of memory', () => {
  const item = (content: string): PlannedMemory => ({
    scope: 'long_term',
    key: 'k',
    content,
    kept_in: 'sqlite',
    retrieval_strategy: 'recency',
    top_k: 5,
    ttl_seconds: 0,
    gate: 'allow',
  })
  const items = [item('No data.'), item('Write to ada@example.org.')]
  const PRESENT: PiiKey = { state: 'present', seal: (value) => `sealed(${value.length})` }
  const MISSING: PiiKey = { state: 'missing' }
  const contents: readonly (readonly [PiiHandling, PiiKey, string])[] = [
    ['none', MISSING, 'Write to ada@example.org.'],
    ['detect', MISSING, 'Write to ada@example.org.'],
    ['anonymize', MISSING, 'Write to [email withheld].'],
    ['anonymize', PRESENT, 'Write to [email withheld].'],
    ['encrypt', MISSING, 'Write to [email withheld].'],
    ['encrypt', PRESENT, 'Write to sealed(15).'],
    ['reject', MISSING, 'Write to [email withheld].'],
  ]
  for (const [handling, key, content] of contents) {
    test(`${handling} with the key ${key.state} keeps "${content}"`, () => {
      const { memory, refusals } = withoutPiiInMemory(items, { handling }, key)
      assert.deepEqual(memory, [items[0], item(content)])
      assert.deepEqual(
        refusals.map(({ code, pointer, message }) => [code, pointer, message]),
        handling === 'reject'
          ? [
              [
                'PII_REJECTED',
                '/agent/memory/1/content',
                'a memory item contains personal data: 1 email (/agent/memory/1/content)',
              ],
            ]
          : [],
      )
    })
  }
})
