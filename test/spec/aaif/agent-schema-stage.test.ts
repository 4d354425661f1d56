import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Issue, WaybillError } from '../../../src/document/issue.ts'
import type { Json } from '../../../src/document/json.ts'
import { readDocument } from '../../../src/document/read-document.ts'
import { parseAgentDefinition } from '../../../src/spec/aaif/parse-agent-definition.ts'
import { validateAgentDefinition } from '../../../src/spec/aaif/validate-agent-definition.ts'
import { copyOf, full, minimal } from './samples.ts'

const errorsOf = (value: Json): Issue[] =>
  validateAgentDefinition(value).filter(({ severity }) => severity === 'error')

/** Returns `full` with one value set, or removed if it is undefined. */
function fullWith(pointer: string, value: Json | undefined): Json {
  const copy = copyOf(full)
  const steps = pointer.slice(1).split('/')
  const last = steps.pop() as string
  let target = copy
  for (const step of steps) target = target[step]
  if (value === undefined) delete target[last]
  else target[last] = value
  return copy
}

function accepts(pointer: string, ...values: Json[]): void {
  for (const value of values)
    assert.deepEqual(errorsOf(fullWith(pointer, value)), [], `${pointer} = ${JSON.stringify(value)}`)
}

function refuses(rule: string, code: string, pointer: string, ...values: Json[]): void {
  for (const value of values) {
    const errors = errorsOf(fullWith(pointer, value))
    const found = errors.map((error) => [error.code, error.pointer, error.rule])
    assert.deepEqual(found, [[code, pointer, rule]], `${pointer} = ${JSON.stringify(value)}`)
    assert.ok(errors[0]?.hint, 'has a hint')
  }
}

function requires(rule: string, pointer: string): void {
  const found = errorsOf(fullWith(pointer, undefined)).map((error) => [error.code, error.pointer, error.rule])
  assert.deepEqual(found, [['REQUIRED_MISSING', pointer, rule]])
}

describe('AAIF §4 the document', () => {
  test('AAIF-4-01: a root that is not an object is refused with one issue', () => {
    for (const root of [[], ['SC-006'], 'SC-006', 6, null, true] as Json[]) {
      assert.deepEqual(
        validateAgentDefinition(root).map(({ code, rule }) => [code, rule]),
        [['NOT_AAIF', 'AAIF-4-01']],
      )
    }
  })
  test('AAIF-4-02: sc_standard, agent.name and agent.goal are a complete definition', () => {
    assert.deepEqual(validateAgentDefinition(minimal), [])
  })
  test('AAIF-4-03: each missing required member is named by its path', () => {
    for (const pointer of ['/sc_standard', '/agent', '/agent/name', '/agent/goal'])
      requires('AAIF-4-03', pointer)
    const [error] = errorsOf(fullWith('/agent/goal', undefined))
    assert.match(error?.message ?? '', /agent\.goal/)
    assert.equal(errorsOf({}).length, 2)
  })
  test('AAIF-4-05: each root member is accepted alone and with all others', () => {
    assert.deepEqual(errorsOf(full), [])
    for (const member of ['sc_version', 'agent_id', 'status', 'tags', 'provenance']) {
      assert.deepEqual(errorsOf({ ...minimal, [member]: full[member] as Json }), [], member)
    }
  })
  test('AAIF-4-06: a definition with all 19 members of agent is valid', () => {
    assert.equal(Object.keys(full.agent as object).length, 19)
    assert.deepEqual(validateAgentDefinition(full), [])
  })
  test('AAIF-4-07: provenance accepts only its seven members, each optional', () => {
    assert.equal(Object.keys(full.provenance as object).length, 7)
    for (const name of Object.keys(full.provenance as object)) {
      assert.deepEqual(errorsOf(fullWith(`/provenance/${name}`, undefined)), [])
    }
    refuses('AAIF-4-07', 'UNKNOWN_MEMBER', '/provenance/author', 'me')
  })
  test('AAIF-4-08: parsing and writing again loses nothing', () => {
    const text = JSON.stringify(full, null, 2)
    assert.equal(JSON.stringify(parseAgentDefinition(text), null, 2), text)
  })
  test('AAIF-4.1-01: any other sc_standard is refused as not AAIF before other members are checked', () => {
    for (const other of ['sc-006', 'SC-007', 6, null, ['SC-006'], '']) {
      const issues = validateAgentDefinition({ sc_standard: other as Json, junk: 1, agent: 7 })
      assert.deepEqual(
        issues.map(({ code, pointer, rule }) => [code, pointer, rule]),
        [['NOT_AAIF', '/sc_standard', 'AAIF-4.1-01']],
      )
    }
  })
  test('AAIF-4.1-07: status is draft, active or deprecated', () => {
    accepts('/status', 'draft', 'active', 'deprecated')
    refuses('AAIF-4.1-07', 'NOT_IN_ENUM', '/status', 'running', 'Active')
  })
  test('sc_version is three numbers', () => {
    accepts('/sc_version', '3.4.0', '1.0.0')
    refuses('AAIF-4-04', 'PATTERN_MISMATCH', '/sc_version', '3.4', 'v3.4.0', '3.4.0-rc1', ' 3.4.0')
  })
})

describe('AAIF §4.2 to §4.9, enumerations and bounds', () => {
  test('SPEC-D-03: the name is not empty, and versions are digits only', () => {
    accepts('/agent/name', 'x', '\u{1F600}')
    refuses('SPEC-D-03', 'TOO_SHORT', '/agent/name', '')
    refuses('SPEC-D-03', 'PATTERN_MISMATCH', '/agent/version', '1.0.0-rc1', '1.0')
  })
  test('SPEC-D-04: tags, skills and required_capabilities hold unique strings', () => {
    for (const list of ['/tags', '/agent/skills', '/agent/required_capabilities']) {
      accepts(list, [], ['a.b', 'a.c'])
      const twice = errorsOf(fullWith(list, ['a.b', 'c.d', 'a.b']))
      assert.deepEqual(
        twice.map((error) => [error.code, error.pointer, error.rule]),
        [['DUPLICATE_ITEMS', `${list}/2`, 'SPEC-D-04']],
      )
      assert.deepEqual(
        errorsOf(fullWith(list, [1])).map(({ code }) => code),
        ['WRONG_TYPE'],
      )
    }
  })
  test('AAIF-4.2-13: provider custom needs a provider_id that is not empty', () => {
    requires('AAIF-4.2-13', '/agent/model/provider_id')
    refuses('AAIF-4.2-13', 'TOO_SHORT', '/agent/model/provider_id', '')
    assert.deepEqual(
      errorsOf({ ...minimal, agent: { name: 'a', goal: 'b', model: { provider: 'openai' } } }),
      [],
    )
  })
  test('the 16 providers and custom are accepted; the hint for others explains custom', () => {
    accepts('/agent/model/provider', 'vertex_ai', 'openrouter', 'custom')
    refuses('AAIF-4.2-12', 'NOT_IN_ENUM', '/agent/model/provider', 'acmecorp')
    assert.match(
      errorsOf(fullWith('/agent/model/provider', 'acmecorp'))[0]?.hint ?? '',
      /"custom".*provider_id/,
    )
  })
  test('AAIF-4.2-16: members of params.extended are not checked', () => {
    accepts(
      '/agent/model/params/extended',
      {},
      { 'x-a': [[null]], temperature: 'hot', model: 9, __proto__: 1 },
      { type: 'nonsense', $ref: 5 },
    )
    refuses('SPEC-D-07', 'WRONG_TYPE', '/agent/model/params/extended', 'text', [])
  })
  test('AAIF-4.3-01: orchestration.role', () => {
    accepts('/agent/orchestration/role', 'orchestrator', 'worker', 'evaluator', 'router', 'synthesizer')
    refuses('AAIF-4.3-01', 'NOT_IN_ENUM', '/agent/orchestration/role', 'specialist', 'Worker')
  })
  test('AAIF-4.3-05: consensus.strategy', () => {
    accepts(
      '/agent/orchestration/consensus/strategy',
      'majority_vote',
      'best_of_n',
      'referee',
      'first_success',
    )
    refuses('AAIF-4.3-05', 'NOT_IN_ENUM', '/agent/orchestration/consensus/strategy', 'vote')
  })
  test('SPEC-D-06: a fallback has provider and model', () => {
    for (const name of ['provider', 'model']) requires('SPEC-D-06', `/agent/model/fallbacks/0/${name}`)
  })
  test('SPEC-D-07: number ranges of the model', () => {
    const ranges: readonly [name: string, least: number, most: number | undefined, below: number][] = [
      ['temperature', 0, 2, -0.01],
      ['params/top_p', 0, 1, -0.01],
      ['params/frequency_penalty', -2, 2, -2.01],
      ['params/presence_penalty', -2, 2, -2.01],
      ['params/max_tokens', 1, undefined, 0],
      ['min_context_tokens', 0, undefined, -1],
    ]
    for (const [name, least, most, below] of ranges) {
      accepts(`/agent/model/${name}`, least, most ?? 1e9)
      refuses(
        'SPEC-D-07',
        'OUT_OF_RANGE',
        `/agent/model/${name}`,
        below,
        ...(most === undefined ? [] : [most + 0.01]),
      )
    }
    accepts('/agent/model/params/stop', [], ['a', 'b', 'c', 'd'])
    refuses('SPEC-D-07', 'TOO_MANY_ITEMS', '/agent/model/params/stop', ['a', 'b', 'c', 'd', 'e'])
  })
  test('SPEC-D-09: a subagent needs ref, and its role has a separate vocabulary', () => {
    requires('SPEC-D-09', '/agent/orchestration/subagents/0/ref'.replace('/0/', '/1/'))
    accepts('/agent/orchestration/subagents/0/role', 'worker', 'evaluator', 'specialist', 'fallback')
    refuses('SPEC-D-09', 'NOT_IN_ENUM', '/agent/orchestration/subagents/0/role', 'router')
  })
  test('SPEC-D-12: a context item needs type and value', () => {
    for (const name of ['type', 'value']) requires('SPEC-D-12', `/agent/context/1/${name}`)
    accepts('/agent/context/1/type', 'text', 'file', 'url', 'dataset', 'schema_ref')
    refuses('SPEC-D-12', 'NOT_IN_ENUM', '/agent/context/1/type', 'image')
  })
  test('SPEC-D-14: a tool needs name and description, and the name matches a pattern', () => {
    for (const name of ['name', 'description']) requires('SPEC-D-14', `/agent/tools/1/${name}`)
    accepts('/agent/tools/1/name', 'a', '_', 'a-b_9', 'a'.repeat(64))
    refuses('SPEC-D-14', 'PATTERN_MISMATCH', '/agent/tools/1/name', '1x', 'a.b', '', 'a'.repeat(65), 'a\n')
  })
  test('AAIF-4.4-09: seven mechanisms of authentication', () => {
    accepts('/agent/tools/0/auth/type', 'none', 'bearer', 'api_key', 'oauth2', 'aws_sigv4', 'basic', 'mtls')
    refuses('AAIF-4.4-09', 'NOT_IN_ENUM', '/agent/tools/0/auth/type', 'digest', 'Bearer')
  })
  test('SPEC-D-28: minimum values and whole numbers, also for tools', () => {
    const least: readonly [pointer: string, least: number, rule: string][] = [
      ['/agent/tools/0/cache_ttl_seconds', 0, 'SPEC-D-16'],
      ['/agent/tools/0/timeout_seconds', 1, 'SPEC-D-16'],
      ['/agent/tools/0/rate_limit/requests_per_minute', 1, 'SPEC-D-16'],
      ['/agent/tools/0/rate_limit/tokens_per_minute', 1, 'SPEC-D-16'],
      ['/agent/runtime/timeout_seconds', 1, 'SPEC-D-28'],
      ['/agent/runtime/concurrency', 1, 'SPEC-D-28'],
      ['/agent/runtime/max_retries', 0, 'SPEC-D-28'],
      ['/agent/orchestration/max_iterations', 1, 'SPEC-D-28'],
      ['/agent/orchestration/consensus/min_votes', 1, 'SPEC-D-28'],
      ['/agent/memory/0/top_k', 1, 'SPEC-D-28'],
      ['/agent/memory/0/ttl_seconds', 0, 'SPEC-D-28'],
      ['/agent/context/0/refresh_ttl_seconds', 0, 'SPEC-D-28'],
    ]
    for (const [pointer, minimum, rule] of least) {
      accepts(pointer, minimum, minimum + 1)
      refuses(rule, 'OUT_OF_RANGE', pointer, minimum - 1)
      refuses(rule, 'WRONG_TYPE', pointer, minimum + 0.5, String(minimum), null)
    }
  })
  test('SPEC-D-19: a trigger needs one of seven types', () => {
    requires('SPEC-D-19', '/agent/events/triggers/0/type')
    accepts(
      '/agent/events/triggers/0/type',
      'manual',
      'schedule',
      'webhook',
      'message',
      'event',
      'agent_handoff',
      'file_change',
    )
    refuses('SPEC-D-19', 'NOT_IN_ENUM', '/agent/events/triggers/0/type', 'cron')
  })
  test('AAIF-4.9-02, AAIF-4.9-03, AAIF-4.9-06: the values of compliance are case-sensitive', () => {
    accepts('/agent/compliance/safety_level', 'minimal', 'standard', 'strict', 'regulated')
    refuses('AAIF-4.9-02', 'NOT_IN_ENUM', '/agent/compliance/safety_level', 'maximum')
    accepts('/agent/compliance/data_residency', 'global', 'EU', 'US', 'UK', 'APAC', 'custom')
    refuses('AAIF-4.9-03', 'NOT_IN_ENUM', '/agent/compliance/data_residency', 'eu')
    accepts('/agent/compliance/pii_handling', 'none', 'detect', 'anonymize', 'encrypt', 'reject')
    refuses('AAIF-4.9-06', 'NOT_IN_ENUM', '/agent/compliance/pii_handling', 'mask')
  })
})

describe('AAIF §5 Conditions', () => {
  const places = [
    '/agent/orchestration/subagents/0/when',
    '/agent/orchestration/handoff/0/condition',
    '/agent/events/triggers/0/filter',
    '/agent/compliance/human_in_the_loop/trigger',
  ]
  test('AAIF-5-01: only the two forms are accepted at all four places', () => {
    for (const place of places) {
      accepts(place, 'when it rains', { lang: 'cel', expr: 'rain' }, { lang: 'always' })
      refuses('AAIF-5-01', 'WRONG_TYPE', place, 7, true, null, [])
    }
  })
  test('a structured Condition names a known language and, for four of them, an expr', () => {
    for (const place of places) {
      refuses('AAIF-5-03', 'NOT_IN_ENUM', `${place}/lang`, 'regex')
      const bare = errorsOf(fullWith(place, { lang: 'cel' }))
      assert.deepEqual(
        bare.map((error) => [error.code, error.pointer, error.rule]),
        [['REQUIRED_MISSING', `${place}/expr`, 'SPEC-V-01']],
      )
    }
  })
})

describe('AAIF §10 closed objects and extensions', () => {
  /** Every object of the full definition that the schema closes. */
  const closed = [
    '',
    '/agent',
    '/agent/model',
    '/agent/model/fallbacks/0',
    '/agent/model/params',
    '/agent/orchestration',
    '/agent/orchestration/subagents/0',
    '/agent/orchestration/subagents/0/when',
    '/agent/orchestration/handoff/0',
    '/agent/orchestration/consensus',
    '/agent/context/0',
    '/agent/tools/0',
    '/agent/tools/0/auth',
    '/agent/tools/0/auth/vault_ref',
    '/agent/tools/0/rate_limit',
    '/agent/memory/0',
    '/agent/io',
    '/agent/events',
    '/agent/events/triggers/0',
    '/agent/runtime',
    '/agent/telemetry',
    '/agent/evaluation',
    '/agent/evaluation/metrics/0',
    '/agent/evaluation/test_cases/0',
    '/agent/compliance',
    '/agent/compliance/human_in_the_loop',
    '/provenance',
  ]
  test('SPEC-W-01: a typing error is found in every closed object, and open objects accept all members', () => {
    for (const parent of closed) {
      for (const name of ['typo', 'toString', 'constructor']) {
        const [error, ...others] = errorsOf(fullWith(`${parent}/${name}`, 1))
        assert.deepEqual(
          [error?.code, error?.pointer, others],
          ['UNKNOWN_MEMBER', `${parent}/${name}`, []],
          parent,
        )
      }
    }
    accepts('/agent/tools/0/parameters_schema', { type: 'object', vendor: 1 })
    accepts('/agent/evaluation/test_cases/0/input', { typo: { typo: 1 } })
  })
  test('the member __proto__ is an unknown member', () => {
    const { document } = readDocument(
      '{"sc_standard":"SC-006","agent":{"name":"a","goal":"b","__proto__":{"tools":[]}}}',
    )
    assert.ok(document)
    assert.deepEqual(
      validateAgentDefinition(document).map(({ code, pointer }) => [code, pointer]),
      [['UNKNOWN_MEMBER', '/agent/__proto__']],
    )
  })
  test('a prototype never replaces a missing member', () => {
    const inherited = Object.create({ name: 'a', goal: 'b' })
    assert.deepEqual(
      errorsOf({ sc_standard: 'SC-006', agent: inherited }).map(({ code }) => code),
      ['REQUIRED_MISSING', 'REQUIRED_MISSING'],
    )
  })
  test('SPEC-W-02: root x- members and a string _comment are accepted', () => {
    for (const value of [1, null, [], { deep: { x: 1 } }] as Json[]) {
      assert.deepEqual(
        validateAgentDefinition({ ...minimal, 'x-acme': value, 'x-': value, _comment: 'note' }),
        [],
      )
    }
    refuses('AAIF-4-01', 'WRONG_TYPE', '/_comment', 5)
  })
  test('SPEC-W-05: x-sc-schema does not change the result', () => {
    for (const definition of [full, fullWith('/status', 'running')]) {
      const without = copyOf(definition)
      delete without['x-sc-schema']
      assert.deepEqual(
        validateAgentDefinition({ ...without, 'x-sc-schema': 'agent.schema.json' }),
        validateAgentDefinition(without),
      )
    }
  })
  test('SPEC-W-06: an x- member below the root is refused with the places that are open', () => {
    for (const parent of closed.slice(1)) {
      const [error, ...others] = errorsOf(fullWith(`${parent}/x-acme`, 1))
      assert.deepEqual([error?.code, error?.rule, others], ['UNKNOWN_MEMBER', 'SPEC-W-06', []], parent)
      assert.match(error?.hint ?? '', /tags, skills or model\.params\.extended/)
    }
  })
})

test('the hint for a missing member of one value names the value', () => {
  const [error] = errorsOf({ agent: { name: 'a', goal: 'b' } })
  assert.deepEqual(
    [error?.code, error?.pointer, error?.hint],
    ['REQUIRED_MISSING', '/sc_standard', 'add "sc_standard": "SC-006"'],
  )
})

describe('did you mean', () => {
  const cases: readonly [pointer: string, hint: RegExp][] = [
    ['/agent/instrutions', /"instructions"/],
    ['/agent/model/routingStrategy', /"routing_strategy"/],
    ['/agent/tools/0/parameters', /"parameters_schema"/],
    ['/agent/tools/0/timeout', /"timeout_seconds"/],
    ['/agent/system_prompt', /"instructions"/],
    ['/tools', /into "agent"/],
    ['/agent/tags', /to the root/],
    ['/agent/io/qqqq', /may have input_schema, output_schema/],
    ['/agent/model/name', /^AAIF calls it "preferred"$/],
    ['/agent/tools/0/type', /^AAIF calls it "protocol"$/],
    // Set in the configuration.
    ['/agent/tools/0/command', /mcp_servers of config\.yaml.*endpoint: mcp:\/\/NAME/],
    ['/agent/tools/0/args', /mcp_servers of config\.yaml/],
    ['/agent/tools/0/method', /config\.yaml: tools\.NAME\.method/],
    ['/agent/tools/0/headers', /"auth"/],
    ['/agent/model/api_key', /never write a key.*OPENAI_API_KEY/],
    // A member that is valid elsewhere.
    ['/temperature', /^its place is agent\.model\.temperature$/],
    ['/agent/temperature', /^its place is agent\.model\.temperature$/],
    ['/agent/io/max_tokens', /^its place is agent\.model\.params\.max_tokens$/],
    ['/agent/triggers', /^its place is agent\.events\.triggers$/],
    // Also valid in items, but in one object only.
    ['/agent/provider', /^its place is agent\.model\.provider$/],
    // Valid in two objects, only in items, and in an item: the place is not clear.
    ['/agent/timeout_seconds', /^it may have name, /],
    ['/agent/endpoint', /^it may have name, /],
    ['/agent/memory/0/triggers', /^it may have scope, /],
  ]
  for (const [pointer, hint] of cases) {
    test(pointer, () => {
      const errors = errorsOf(fullWith(pointer, 'x')).filter(({ code }) => code === 'UNKNOWN_MEMBER')
      assert.equal(errors.length, 1)
      assert.match(errors[0]?.hint ?? '', hint)
    })
  }
  test('enumerations too', () => {
    assert.match(errorsOf(fullWith('/agent/model/provider', 'OpenAI'))[0]?.hint ?? '', /"openai"/)
    assert.match(errorsOf(fullWith('/agent/compliance/safety_level', 'strikt'))[0]?.hint ?? '', /"strict"/)
  })
})

describe('a value of another type: the hint shows how the value is written', () => {
  const cases: readonly [pointer: string, value: Json, hint: string][] = [
    ['/agent/constraints', 'Call it once.', 'write a list: put the value in brackets, [ … ]'],
    ['/agent/tools/0', 'refund', 'write { name: refund, description: …, protocol: function }'],
    ['/agent/tools/0', 'sk-4f9a', 'write { name: NAME, description: …, protocol: function }'],
    ['/agent/tools', { refund: {} }, 'write a list: [{ name: refund, description: …, protocol: function }]'],
    ['/agent/version', 1.5, 'put it in quotes; a version has three numbers, such as "1.0.0"'],
    ['/agent/name', 42, 'put it in quotes'],
    ['/agent/runtime/max_retries', '3', 'write it without quotes'],
    ['/agent/runtime/max_retries', 'many', 'write a whole number'],
    ['/agent/compliance/audit_log', 'true', 'write it without quotes'],
    ['/agent/io', 'text', 'write an object'],
  ]
  for (const [pointer, value, hint] of cases) {
    test(`${pointer}: ${JSON.stringify(value)}`, () => {
      const [error] = errorsOf(fullWith(pointer, value))
      assert.deepEqual([error?.code, error?.pointer, error?.hint], ['WRONG_TYPE', pointer, hint])
    })
  }
})

test('a number without quotes is shown in quotes as it is written, not as it is read', () => {
  const hintsOf = (text: string, encoding: 'json' | 'yaml') => {
    const { document } = readDocument(text, { encoding })
    assert.ok(document)
    return validateAgentDefinition(document)
      .filter(({ code }) => code === 'WRONG_TYPE')
      .map(({ hint }) => hint)
  }
  const yaml = 'sc_standard: SC-006\nagent: { name: 0x1F, version: 1.10, goal: 2_0 }\n'
  assert.deepEqual(hintsOf(yaml, 'yaml'), [
    'put it in quotes',
    'put it in quotes: "1.10"; a version has three numbers, such as "1.0.0"',
  ])
  const others = 'sc_standard: SC-006\nagent: { name: true, goal: 1e3, version: "1.0.0" }\n'
  assert.deepEqual(hintsOf(others, 'yaml'), ['put it in quotes: "true"', 'put it in quotes'])
  assert.deepEqual(hintsOf('{"sc_standard":"SC-006","agent":{"name":1.50,"goal":"g"}}', 'json'), [
    'put it in quotes: "1.50"',
  ])
  // A long number may be a secret.
  assert.deepEqual(hintsOf('sc_standard: SC-006\nagent: { name: 123456789012345678, goal: g }\n', 'yaml'), [
    'put it in quotes',
  ])
})

describe('places and volume', () => {
  test('issues are in reading order and have the line and column of their value', () => {
    const text =
      'sc_standard: SC-006\nstatus: on\nagent:\n  goal: g\n  modle: {}\n  runtime:\n    max_retries: -1\n'
    const { document } = readDocument(text, { file: 'a.yaml' })
    assert.ok(document)
    const found = validateAgentDefinition(document).map(({ code, line, column }) => [code, line, column])
    assert.deepEqual(found, [
      ['NOT_IN_ENUM', 2, 9],
      ['REQUIRED_MISSING', 3, 1],
      ['UNKNOWN_MEMBER', 5, 3],
      ['OUT_OF_RANGE', 7, 18],
    ])
  })
  test('of a hundred thousand unknown members only the first are listed', () => {
    const { document } = readDocument(
      JSON.stringify({
        ...minimal,
        ...Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i])),
      }),
    )
    assert.ok(document)
    const issues = validateAgentDefinition(document)
    assert.equal(issues.length, 1001)
    assert.match(issues.at(-1)?.message ?? '', /99000 more/)
  })
})

describe('parseAgentDefinition', () => {
  test('throws the first error with its place and the number of others', () => {
    const text = '{"sc_standard":"SC-006",\n "agent":{"nam":"a","goal":"b"}}'
    assert.throws(
      () => parseAgentDefinition(text, { file: 'a.json' }),
      (error: WaybillError) => {
        assert.deepEqual(
          [error.code, error.details.line, error.details.file],
          ['REQUIRED_MISSING', 2, 'a.json'],
        )
        assert.match(error.message, /1 more error/)
        return true
      },
    )
    assert.throws(() => parseAgentDefinition('{', { file: 'a.json' }), { code: 'JSON_SYNTAX' })
  })
  test('accepts text, bytes, documents and data, and does not throw for warnings', () => {
    const warned = { ...minimal, agent_id: 'no uuid' }
    for (const source of [
      JSON.stringify(warned),
      Buffer.from(JSON.stringify(warned)),
      readDocument(JSON.stringify(warned)).document,
      warned,
    ]) {
      assert.ok(source !== undefined)
      assert.deepEqual(parseAgentDefinition(source), warned)
    }
  })
})
