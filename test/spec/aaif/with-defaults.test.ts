import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../../../src/document/issue.ts'
import { agentSchema } from '../../../src/spec/aaif/agent.schema.ts'
import { parseAgentDefinition } from '../../../src/spec/aaif/parse-agent-definition.ts'
import { withDefaults } from '../../../src/spec/aaif/with-defaults.ts'
import { full, minimal } from './samples.ts'

const bare = parseAgentDefinition({
  sc_standard: 'SC-006',
  agent: {
    name: 'a',
    goal: 'b',
    orchestration: { handoff: [{ condition: 'c', target_agent: 't' }] },
    tools: [
      { name: 't', description: 'd', auth: {} },
      { name: 'u', description: 'd' },
    ],
    memory: [{ scope: 'user', content: 'c' }],
  },
})

test('AAIF-4-04: an absent sc_version is taken to be 3.4.0', () => {
  assert.equal(withDefaults(bare).sc_version, '3.4.0')
  assert.equal(withDefaults({ ...bare, sc_version: '2.1.0' }).sc_version, '2.1.0')
  assert.throws(() => parseAgentDefinition({ ...minimal, sc_version: '3.4' }), { code: 'PATTERN_MISMATCH' })
})
test('SPEC-D-01: an absent status reads as active', () => {
  assert.equal(withDefaults(bare).status, 'active')
  assert.equal(withDefaults({ ...bare, status: 'draft' }).status, 'draft')
})
test('SPEC-D-08: response_format is text by default', () => {
  assert.deepEqual(withDefaults(bare).agent.model, {
    routing_strategy: 'preferred_first',
    response_format: 'text',
  })
  assert.throws(
    () =>
      parseAgentDefinition({
        ...minimal,
        agent: { name: 'a', goal: 'b', model: { response_format: 'xml' } },
      }),
    { code: 'NOT_IN_ENUM' },
  )
})
test('SPEC-D-10: a handoff needs condition and target_agent, passes context and keeps memory by default', () => {
  const [handoff] = withDefaults(bare).agent.orchestration.handoff ?? []
  assert.deepEqual([handoff?.pass_context, handoff?.pass_memory], [true, false])
  for (const rule of [{ condition: 'c' }, { target_agent: 't' }]) {
    const definition = { ...minimal, agent: { name: 'a', goal: 'b', orchestration: { handoff: [rule] } } }
    assert.throws(() => parseAgentDefinition(definition as JsonObject), { code: 'REQUIRED_MISSING' })
  }
})
test('SPEC-D-18: io is text, sync and not streamed by default, and its words are closed', () => {
  assert.deepEqual(withDefaults(bare).agent.io, { streaming: false, format: 'text', mode: 'sync' })
  for (const io of [{ format: 'xml' }, { mode: 'stream' }]) {
    assert.throws(() => parseAgentDefinition({ ...minimal, agent: { name: 'a', goal: 'b', io } }), {
      code: 'NOT_IN_ENUM',
    })
  }
})
test('what a definition says wins over every default, and what has none is kept', () => {
  const definition = parseAgentDefinition(full)
  assert.deepEqual(withDefaults(definition), definition)
})
test('the document itself is left as it is', () => {
  const before = JSON.stringify(bare)
  withDefaults(bare)
  assert.equal(JSON.stringify(bare), before)
})

/** Every default of the schema with its path; lists are entered at their first item. */
function* defaultsIn(node: JsonObject, path: string): Iterable<[string, Json]> {
  const reference = node.$ref
  if (typeof reference === 'string') {
    const definitions = agentSchema.$defs as unknown as Record<string, JsonObject>
    yield* defaultsIn(definitions[reference.slice('#/$defs/'.length)] as JsonObject, path)
  }
  if (node.default !== undefined) yield [path, node.default]
  if (node.items !== undefined) yield* defaultsIn(node.items as JsonObject, `${path}/0`)
  for (const [name, inner] of Object.entries((node.properties ?? {}) as JsonObject)) {
    yield* defaultsIn(inner as JsonObject, `${path}/${name}`)
  }
}

test('every default that the schema states is applied, and only those (SPEC-D-21, -22, -24 and the rest)', () => {
  const effective = withDefaults(bare)
  const stated = new Map(defaultsIn(agentSchema as JsonObject, ''))
  assert.equal(stated.size, 27)
  for (const [path, value] of stated) {
    let found: unknown = effective
    for (const step of path.slice(1).split('/')) found = (found as Record<string, unknown>)[step]
    assert.deepEqual(found, value, path)
  }
  const runtime = [...stated.keys()].filter((path) => path.startsWith('/agent/runtime/'))
  assert.equal(Object.keys(effective.agent.runtime).length, runtime.length)
})
