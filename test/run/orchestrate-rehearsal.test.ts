import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AgentDefinition, parseAgentDefinition, planRun, run } from 'waybill'
import type { JsonObject } from '../../src/document/json.ts'
import { agent, folderOf } from './family.ts'

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }

describe('a rehearsal of an orchestration', () => {
  test('a missing sub-agent is replaced by a test double with a warning, and a real run is refused', async (t) => {
    const root = parseAgentDefinition(
      agent('p', {
        orchestration: {
          subagents: [{ ref: 'gone', alias: 'gone' }, { ref: 'here' }],
          pipeline: ['here', 'gone'],
        },
        io: { output_schema: schema },
        compliance: { safety_level: 'strict' },
      }),
    ) as AgentDefinition
    const folder = folderOf(t, [agent('here')])
    const result = await run(root, { input: 'go', folder, rehearse: true })
    assert.equal(result.status, 'completed')
    assert.equal(typeof (result.output as { n?: unknown }).n, 'number')
    const warnings = result.warnings.map(({ message }) => message).join('\n')
    assert.match(warnings, /the sub-agent gone was not found: .*; a test double replaces it/)
    const plan = await planRun(root, { folder, rehearse: true })
    assert.deepEqual(
      plan.subagents.map(({ alias, doubled }) => [alias, doubled]),
      [
        ['gone', true],
        ['here', undefined],
      ],
    )
    const real = await run(root, { input: 'go', folder, env: { OPENAI_API_KEY: 'not-used' } })
    assert.equal(real.status, 'refused')
  })

  test('test doubles need not agree: a vote and an evaluator’s pick are assumed, with a warning', async (t) => {
    const swarm = (consensus: JsonObject, ...more: JsonObject[]) =>
      parseAgentDefinition(
        agent('s', {
          orchestration: {
            subagents: [{ ref: 'a' }, { ref: 'b' }, ...more],
            parallel_execution: true,
            consensus,
          },
        }),
      ) as AgentDefinition
    const folder = folderOf(
      t,
      ['a', 'b', 'judge'].map((name) => agent(name)),
    )
    for (const definition of [
      swarm({ strategy: 'majority_vote' }),
      swarm({ strategy: 'best_of_n' }, { ref: 'judge', role: 'evaluator' }),
    ]) {
      const result = await run(definition, { input: 'go', folder, rehearse: true })
      assert.equal(result.status, 'completed')
      assert.ok(result.warnings.some(({ code }) => code === 'CONSENSUS_ASSUMED'))
    }
  })

  test('a failed worker and an assumed vote are both named', async (t) => {
    const root = parseAgentDefinition(
      agent('s', {
        orchestration: {
          subagents: [{ ref: 'a' }, { ref: 'b' }, { ref: 'c' }],
          parallel_execution: true,
          consensus: { strategy: 'majority_vote' },
        },
      }),
    ) as AgentDefinition
    const strict = { constraints: ['Every answer must contain "Amen".'] }
    const folder = folderOf(t, [agent('a'), agent('b'), agent('c', strict)])
    const result = await run(root, { input: 'go', folder, rehearse: true })
    assert.equal(result.status, 'completed')
    const codes = result.warnings.map(({ code }) => code)
    assert.deepEqual(
      codes.filter((code) => code === 'SUBAGENT_FAILED' || code === 'CONSENSUS_ASSUMED'),
      ['SUBAGENT_FAILED', 'CONSENSUS_ASSUMED'],
    )
  })

  test('the output of a double need not match the next agent’s input schema or the pipeline’s output schema', async (t) => {
    const root = parseAgentDefinition(
      agent('p', {
        orchestration: { subagents: [{ ref: 'a' }, { ref: 'b' }], pipeline: ['a', 'b'] },
        io: { output_schema: schema },
      }),
    ) as AgentDefinition
    const folder = folderOf(t, [agent('a'), agent('b', { io: { input_schema: schema } })])
    const result = await run(root, { input: 'go', folder, rehearse: true })
    assert.equal(result.status, 'completed')
    assert.ok(result.warnings.some(({ code }) => code === 'OUTPUT_INVALID'))
  })
})
