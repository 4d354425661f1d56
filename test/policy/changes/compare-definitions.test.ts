import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { canonicalize } from '../../../src/document/canonical.ts'
import { isObject, type Json, type JsonObject } from '../../../src/document/json.ts'
import { compareDefinitions } from '../../../src/policy/changes/compare-definitions.ts'
import type { MemberRule } from '../../../src/policy/changes/definition-change.ts'
import { EFFECTS } from '../../../src/policy/changes/effects.ts'
import { agentSchema } from '../../../src/spec/aaif/agent.schema.ts'
import { validateAgentDefinition } from '../../../src/spec/aaif/validate-agent-definition.ts'
import { PAIRS, type PairOfAgents } from './pairs.ts'

const TABLE: Readonly<Record<string, Readonly<Record<string, MemberRule>>>> = EFFECTS
const SCHEMAS: Readonly<Record<string, JsonObject>> = { ...agentSchema.$defs, AgentDefinition: agentSchema }
const membersOf = (name: string) => Object.keys(SCHEMAS[name]?.properties ?? {})

function definition(agent: JsonObject, root: JsonObject = {}): JsonObject {
  return { sc_standard: 'SC-006', ...root, agent: { name: 'Clerk', goal: 'Work.', ...agent } }
}

function sides({ before, after, atRoot }: PairOfAgents): readonly [JsonObject, JsonObject] {
  return atRoot === true
    ? [definition({}, before), definition({}, after)]
    : [definition(before), definition(after)]
}

describe('the table of effects', () => {
  test('has an entry for each member of each object of the schema, and no other', () => {
    const names = Object.keys(SCHEMAS).filter((name) => name !== 'Condition')
    assert.deepEqual(Object.keys(TABLE).sort(), names.sort())
    for (const name of names)
      assert.deepEqual(Object.keys(TABLE[name] ?? {}).sort(), membersOf(name).sort(), name)
  })

  test('a condition is compared as a whole, with all its members', () => {
    assert.deepEqual(membersOf('Condition'), ['lang', 'expr', 'nl'])
  })

  test('each member that grants rights has a pair that widens', () => {
    const granting = Object.entries(TABLE).flatMap(([name, rules]) =>
      Object.entries(rules).flatMap(([member, { grants }]) => (grants ? [`${name}.${member}`] : [])),
    )
    assert.ok(granting.length > 50, `${granting.length}`)
    const widening = new Set(PAIRS.flatMap(({ member, effect }) => (effect === 'widens' ? [member] : [])))
    assert.deepEqual(
      granting.filter((member) => !widening.has(member)),
      [],
    )
    assert.deepEqual(
      [...widening].filter((member) => !granting.includes(member)),
      [],
    )
  })
})

describe('each change has its effect, and the reversed change has the reversed effect', () => {
  for (const [index, pair] of PAIRS.entries()) {
    test(`${index + 1}. ${pair.member} ${pair.effect}, reversed ${pair.reversed}`, () => {
      const [before, after] = sides(pair)
      for (const side of [before, after]) {
        const errors = validateAgentDefinition(side).filter(({ severity }) => severity === 'error')
        assert.deepEqual(errors, [])
      }
      for (const [one, other, effect] of [
        [before, after, pair.effect],
        [after, before, pair.reversed],
      ] as const) {
        const { equal, widens, changes } = compareDefinitions(one, other)
        assert.deepEqual([...new Set(changes.map((change) => change.effect))], [effect])
        assert.deepEqual([equal, widens], [false, effect === 'widens'])
      }
    })
  }
})

/** A definition with every member of the schema, each with a value that is not its default. */
const FULL: JsonObject = {
  _comment: 'c',
  sc_standard: 'SC-006',
  sc_version: '3.3.0',
  agent_id: '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a10',
  status: 'draft',
  tags: ['a', 'b'],
  'x-acme-desk': 7,
  agent: {
    name: 'Clerk',
    version: '1.0.0',
    description: 'D.',
    goal: 'G.',
    instructions: 'I.',
    skills: ['a', 'b'],
    required_capabilities: ['tool.http', 'io.batch'],
    model: {
      provider: 'custom',
      provider_id: 'a',
      base_url: 'https://llm.example/v1',
      preferred: 'm',
      fallbacks: [{ provider: 'openai', model: 'n', max_cost_usd_per_1k_tokens: 1 }],
      routing_strategy: 'cost',
      min_context_tokens: 1000,
      temperature: 1,
      params: {
        max_tokens: 10,
        top_p: 0.5,
        frequency_penalty: 1,
        presence_penalty: 1,
        stop: ['a'],
        seed: 1,
        extended: { a: 1 },
      },
      response_format: 'json',
    },
    orchestration: {
      role: 'orchestrator',
      subagents: [
        {
          ref: 'r',
          alias: 'a',
          role: 'worker',
          when: { lang: 'cel', expr: 'x', nl: 'n' },
          pass_memory_keys: ['k'],
        },
        { ref: 's', alias: 'b' },
      ],
      handoff: [
        {
          condition: { lang: 'cel', expr: 'x', nl: 'n' },
          target_agent: 'a',
          pass_context: false,
          pass_memory: true,
        },
      ],
      pipeline: ['a', 'b'],
      parallel_execution: true,
      max_iterations: 5,
      consensus: { strategy: 'referee', min_votes: 2, referee_agent: 'a' },
    },
    context: [{ type: 'text', label: 'L', value: 'V', description: 'D', refresh_ttl_seconds: 5 }],
    tools: [
      {
        name: 'f',
        description: 'F.',
        protocol: 'http',
        parameters_schema: { type: 'object' },
        output_schema: { type: 'object' },
        endpoint: 'https://a.example/x',
        auth: {
          type: 'oauth2',
          env_var: 'A_TOKEN',
          vault_ref: { provider: 'hashicorp_vault', path: 'kv/a', key: 'k', version: '1' },
          header: 'X-Key',
          scopes: ['read'],
          token_url: 'https://login.example/token',
        },
        cache_ttl_seconds: 5,
        timeout_seconds: 5,
        rate_limit: { requests_per_minute: 5, tokens_per_minute: 5 },
      },
      { name: 'g', description: 'G.' },
    ],
    memory: [
      {
        scope: 'user',
        key: 'k',
        content: 'C',
        backend: 'qdrant',
        ttl_seconds: 5,
        embedding_model: 'e',
        retrieval_strategy: 'hybrid',
        top_k: 3,
      },
    ],
    constraints: ['Be kind.', 'Call f at most 5 times.'],
    io: {
      input_schema: { type: 'string' },
      output_schema: { type: 'string' },
      streaming: true,
      format: 'json',
      mode: 'batch',
    },
    events: {
      triggers: [
        {
          type: 'schedule',
          schedule: '0 6 * * *',
          event_name: 'e',
          webhook_path: '/w',
          filter: { lang: 'cel', expr: 'x', nl: 'n' },
        },
      ],
      on_start: 'f',
      on_complete: 'f',
      on_error: 'f',
      on_tool_call: 'f',
    },
    runtime: {
      timeout_seconds: 5,
      max_retries: 1,
      retry_backoff: 'fixed',
      concurrency: 2,
      streaming: true,
      async_execution: true,
      queue: 'q',
      environment: 'test',
    },
    telemetry: {
      tracing: false,
      log_level: 'warn',
      metrics: false,
      trace_context_header: 'X-Trace',
      otlp_endpoint: 'https://otel.example',
    },
    evaluation: {
      judge_model: 'j',
      metrics: [{ name: 'custom', threshold: 0.5, custom_name: 'c' }],
      test_cases: [{ id: 't', input: 'i', expected_output: 'o', criteria: 'c' }],
    },
    compliance: {
      safety_level: 'strict',
      data_residency: 'EU',
      pii_handling: 'encrypt',
      audit_log: true,
      human_in_the_loop: { enabled: true, trigger: { lang: 'cel', expr: 'x', nl: 'n' }, timeout_seconds: 5 },
    },
  },
  provenance: {
    authored_by: 'A',
    source_platform: 'P',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-02T00:00:00Z',
    license: 'MIT',
    sc_refs: ['a'],
    signature: 'AAAA',
  },
}

interface MemberSchema {
  readonly $ref?: string
  readonly items?: MemberSchema
  readonly default?: Json
}

/** A member of the full definition, at its place. */
interface Placed {
  readonly definition: string
  readonly member: string
  readonly steps: readonly (string | number)[]
  readonly schema: MemberSchema
}

/** Walks the schema and the full definition together; of a list, the first item. */
function placesIn(
  name: string,
  value: Json | undefined,
  steps: readonly (string | number)[] = [],
): readonly Placed[] {
  const properties = SCHEMAS[name]?.properties as Readonly<Record<string, MemberSchema>> | undefined
  return Object.entries(properties ?? {}).flatMap(([member, schema]): readonly Placed[] => {
    const inner = isObject(value) ? value[member] : undefined
    const own = { definition: name, member, steps: [...steps, member], schema }
    const below = (schema.$ref ?? schema.items?.$ref)?.split('/').at(-1)
    if (below === undefined || below === 'Condition') return [own]
    const first = Array.isArray(inner) ? [...own.steps, 0] : own.steps
    return [own, ...placesIn(below, Array.isArray(inner) ? inner[0] : inner, first)]
  })
}

const PLACES = placesIn('AgentDefinition', FULL)

function valueIn(value: Json, steps: readonly (string | number)[]): Json | undefined {
  return steps.reduce<Json | undefined>((inner, step) => (inner as JsonObject | undefined)?.[step], value)
}

/** Returns the value with another one at a place; undefined removes the member. */
function withValue(
  value: Json,
  [step, ...rest]: readonly (string | number)[],
  inner: Json | undefined,
): Json {
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? withValue(item, rest, inner) : item))
  if (!isObject(value) || step === undefined) throw new Error('no such place')
  const { [step]: before, ...others } = value
  if (rest.length > 0) return { ...value, [step]: withValue(before as Json, rest, inner) }
  return inner === undefined ? others : { ...value, [step]: inner }
}

function another(value: Json | undefined): Json {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return `${value}z`
  return Array.isArray(value) ? [...value, 'z'] : { ...(value as JsonObject), zzz: 1 }
}

/** Members that are the name of an item: another name is another item. */
const NAMES = new Set([
  ...[
    'Fallback.provider',
    'Fallback.model',
    'Subagent.alias',
    'HandoffRule.target_agent',
    'ContextItem.label',
  ],
  ...['Tool.name', 'MemoryEntry.scope', 'MemoryEntry.key', 'Trigger.type', 'Trigger.event_name'],
  ...['Trigger.webhook_path', 'Metric.name', 'Metric.custom_name', 'TestCase.id'],
])

/** Members of which some changes are neutral, as in the full definition; the pairs have the others. */
const DEPENDING = new Set([
  ...['AgentDefinition.status', 'Model.preferred', 'ContextItem.value', 'Evaluation.judge_model'],
])

describe('every member of the schema is compared', () => {
  test('the full definition has them all', () => {
    const missing = PLACES.filter(({ steps }) => valueIn(FULL, steps) === undefined)
    assert.deepEqual(missing, [])
    const all = Object.keys(TABLE).flatMap((name) => membersOf(name).map((member) => `${name}.${member}`))
    const placed = new Set(PLACES.map(({ definition: name, member }) => `${name}.${member}`))
    assert.deepEqual(
      all.filter((member) => !placed.has(member)),
      [],
    )
  })

  for (const { definition: name, member, steps } of PLACES) {
    const value = valueIn(FULL, steps)
    const isOneValue = value === null || typeof value !== 'object'
    if (isOneValue && member !== 'sc_standard' && name !== 'Metric') {
      test(`${name}.${member} is found, at its place, with both values`, () => {
        const after = withValue(FULL, steps, another(value)) as JsonObject
        const { changes } = compareDefinitions(FULL, after)
        const pointer = `/${steps.join('/')}`
        if (NAMES.has(`${name}.${member}`)) {
          assert.deepEqual(changes.map(({ kind }) => kind).sort(), ['added', 'removed'])
          return
        }
        const [change] = changes
        assert.equal(changes.length, 1)
        assert.deepEqual(
          [
            change?.path,
            change?.kind,
            change?.before,
            change?.after,
            change?.before_path,
            change?.after_path,
          ],
          [pointer, 'changed', value, another(value), pointer, pointer],
        )
        const grants = TABLE[name]?.[member]?.grants === true && !DEPENDING.has(`${name}.${member}`)
        if (!grants) assert.equal(change?.effect, 'neutral')
        else assert.notEqual(change?.effect, 'neutral')
      })
    }
    if (valueIn(FULL, steps.slice(0, -1)) !== FULL && NAMES.has(`${name}.${member}`)) continue
    if (member === 'agent' || member === 'sc_standard') continue
    test(`${name}.${member} is found when it is removed`, () => {
      const { changes } = compareDefinitions(FULL, withValue(FULL, steps, undefined) as JsonObject)
      assert.ok(changes.length > 0)
      for (const { path, reason } of changes) {
        assert.ok(path.startsWith(`/${steps.join('/')}`) || NAMES.has(`${name}.${member}`), path)
        assert.match(reason, /^\S.* (is|was|are|accepts|may|needs|data|the) /)
      }
    })
  }

  test('extensions are neutral, and an unknown member widens', () => {
    const [extended, foreign] = [
      { ...FULL, 'x-acme-desk': 8 },
      { ...FULL, other: 1 },
    ]
    const effects = (after: JsonObject) => compareDefinitions(FULL, after).changes.map(({ effect }) => effect)
    assert.deepEqual(effects(extended), ['neutral'])
    assert.deepEqual(effects(foreign), ['widens'])
    assert.deepEqual(effects({ ...FULL, constructor: 1 }), ['widens'])
  })
})

test('of items with one name, equal ones are paired first', () => {
  const memory = (...contents: string[]) =>
    definition({ memory: contents.map((content) => ({ scope: 'user', content })) })
  const { changes } = compareDefinitions(memory('A.', 'B.', 'C.'), memory('B.', 'C.'))
  assert.deepEqual(
    changes.map(({ kind, path, effect }) => ({ kind, path, effect })),
    [{ kind: 'removed', path: '/agent/memory/0', effect: 'neutral' }],
  )
})

test('a constraint that is replaced is one change, with both sentences', () => {
  const rules = (...constraints: string[]) =>
    definition({ tools: [{ name: 'f', description: 'F.' }], constraints })
  const { changes } = compareDefinitions(
    rules('Be kind.', 'Call f at most 5 times.'),
    rules('Never call f more than 9 times.', 'Be kind.'),
  )
  assert.deepEqual(changes, [
    {
      path: '/agent/constraints/0',
      kind: 'changed',
      effect: 'widens',
      reason:
        'constraint "Call f at most 5 times." is weaker: was "f is called at most 5 times in a run", is "f is called at most 9 times in a run"',
      before: 'Call f at most 5 times.',
      after: 'Never call f more than 9 times.',
      before_path: '/agent/constraints/1',
      after_path: '/agent/constraints/0',
    },
  ])
})

test('another order is one change, of the names that are in both lists', () => {
  const routes = (...models: string[]) =>
    definition({
      model: {
        provider: 'openai',
        preferred: 'm',
        fallbacks: models.map((model) => ({ provider: 'openai', model })),
      },
    })
  const { changes } = compareDefinitions(routes('a', 'b', 'c'), routes('d', 'c', 'a'))
  const moved = changes.filter(({ kind }) => kind === 'moved')
  assert.deepEqual(
    moved.map(({ before, after, path }) => ({ before, after, path })),
    [{ before: ['openai/a', 'openai/c'], after: ['openai/c', 'openai/a'], path: '/agent/model/fallbacks' }],
  )
  assert.deepEqual(
    changes.map(({ kind }) => kind),
    ['removed', 'added', 'moved'],
  )
})

describe('the form of a definition has no meaning', () => {
  const bare = definition({})

  for (const { definition: name, member, steps, schema } of PLACES) {
    if (schema.default === undefined || steps.includes(0)) continue
    test(`${name}.${member}: the default of the schema, spelled out`, () => {
      const spelled = steps.reduceRight<Json>((inner, step) => ({ [step]: inner }), schema.default as Json)
      const { agent = {}, ...root } = spelled as { agent?: JsonObject }
      assert.deepEqual(compareDefinitions(bare, definition(agent, root)).changes, [])
      assert.deepEqual(compareDefinitions(definition(agent, root), bare).changes, [])
    })
  }

  test('defaults of items, empty lists and empty objects', () => {
    const items = (more: JsonObject, tool: JsonObject, agent: JsonObject) =>
      definition({
        orchestration: {
          subagents: [{ ref: 'a', ...more }],
          handoff: [{ condition: { lang: 'always' }, target_agent: 'a', ...agent }],
        },
        tools: [{ name: 'f', description: 'F.', ...tool }],
      })
    const short = items({}, {}, {})
    const long = items(
      { alias: 'a', pass_memory_keys: [] },
      { protocol: 'function', auth: { type: 'none', scopes: [] }, rate_limit: {} },
      { pass_context: true, pass_memory: false },
    )
    assert.deepEqual(compareDefinitions(short, long).changes, [])
    assert.deepEqual(
      compareDefinitions(
        bare,
        definition({
          constraints: [],
          memory: [],
          runtime: {},
          compliance: { human_in_the_loop: {} },
          events: { triggers: [] },
        }),
      ).changes,
      [],
    )
    assert.deepEqual(
      compareDefinitions(
        definition({ memory: [{ scope: 'user', content: 'c', ttl_seconds: 0, top_k: 5 }] }),
        definition({ memory: [{ scope: 'user', content: 'c' }] }),
      ).changes,
      [],
    )
  })

  /** Reverses lists whose order has no meaning, and the members of all objects. */
  const UNORDERED = new Set([
    'tools',
    'subagents',
    'memory',
    'constraints',
    'tags',
    'skills',
    'required_capabilities',
    'triggers',
    'scopes',
    'stop',
    'metrics',
    'test_cases',
  ])
  const shuffled = (value: Json, order: (size: number) => readonly number[], name = ''): Json => {
    if (Array.isArray(value)) {
      const list = value.map((item) => shuffled(item, order))
      return UNORDERED.has(name) ? order(list.length).map((index) => list[index] as Json) : list
    }
    if (!isObject(value)) return value
    const entries = Object.entries(value)
    return Object.fromEntries(
      order(entries.length).map((index) => {
        const [member, inner] = entries[index] as [string, Json]
        return [member, shuffled(inner, order, member)]
      }),
    )
  }

  test('the order of members, tools, sub-agents, memory and constraints', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const order = (size: number) =>
          Array.from({ length: size }, (_none, index) => ({ index, key: numbers.next().value ?? 0 }))
            .sort((a, b) => a.key - b.key)
            .map(({ index }) => index)
        const other = shuffled(FULL, order) as JsonObject
        return compareDefinitions(FULL, other).equal && compareDefinitions(other, FULL).equal
      }),
      { numRuns: 50 },
    )
  })
})

describe('every single change of every member', () => {
  const sides_ = [...PAIRS.flatMap((pair) => sides(pair)), FULL]

  test('a definition is equal to itself', () => {
    for (const side of sides_) {
      const copy = JSON.parse(canonicalize(side)) as JsonObject
      assert.deepEqual(compareDefinitions(side, copy), { equal: true, widens: false, changes: [] })
    }
  })

  test('what narrows in one direction widens in the other, and what is neutral is neutral in both', () => {
    for (const { steps } of PLACES) {
      if (steps.length < 2) continue
      for (const after of [
        withValue(FULL, steps, undefined),
        withValue(FULL, steps, another(valueIn(FULL, steps))),
      ]) {
        const there = compareDefinitions(FULL, after as JsonObject).changes
        const back = compareDefinitions(after as JsonObject, FULL).changes
        if (there.length !== 1 || back.length !== 1) continue
        const effects = [there[0]?.effect, back[0]?.effect].sort().join(' and ')
        const place = steps.join('/')
        assert.ok(
          ['narrows and widens', 'widens and widens', 'neutral and neutral'].includes(effects),
          `${place}: ${effects}`,
        )
      }
    }
  })
})

test('the sentence of a change names the member as a person would', () => {
  const cases: readonly (readonly [JsonObject, JsonObject, reason: string])[] = [
    [{ goal: 'a' }, { goal: 'b' }, 'goal was a, is b'],
    [{ later: 1 }, { later: 2 }, 'later is unknown, and may grant a right'],
    [
      { model: { provider: 'openai', preferred: 'a' } },
      { model: { provider: 'openai', preferred: 'b' } },
      'model.preferred was a, is b',
    ],
    [
      { tools: [{ name: 't', description: 'x' }] },
      { tools: [{ name: 't', description: 'y' }] },
      'tool t: description was x, is y',
    ],
  ]
  for (const [before, after, reason] of cases)
    assert.deepEqual(
      compareDefinitions(definition(before), definition(after)).changes.map((change) => change.reason),
      [reason],
    )
})
