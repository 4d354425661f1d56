import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { negotiate } from '../../src/plan/negotiation/negotiate.ts'
import { planTopology } from '../../src/plan/plan-orchestration.ts'
import { parseAgentDefinition } from '../../src/spec/aaif/parse-agent-definition.ts'
import { parsePlatformManifest } from '../../src/spec/aaif/parse-platform-manifest.ts'
import { planOf } from '../run/fixture.ts'

function refuses(agent: JsonObject, code: string, root: JsonObject = {}): void {
  const definition = { sc_standard: 'SC-006', ...root, agent: { name: 'a', goal: 'b', ...agent } }
  assert.throws(() => parseAgentDefinition(definition), { code })
}

/** Places of what a plan says that it will not do. */
function notDone(agent: JsonObject): readonly string[] {
  return planOf(agent).degradations.map(({ path }) => path)
}

describe('default values of definitions', () => {
  test('AAIF-4-04: an absent sc_version is taken to be 3.4.0', () => {
    const versionNeeded = (root: JsonObject, supported: string) => {
      const definition = parseAgentDefinition({
        sc_standard: 'SC-006',
        ...root,
        agent: { name: 'a', goal: 'b' },
      })
      const platform = parsePlatformManifest({
        sc_standard: 'SC-006',
        sc_version: '3.4.0',
        platform: {
          name: 'p',
          version: '1',
          aaif_conformance_level: 'Core',
          capabilities: {},
          aaif_versions_supported: [supported],
        },
      })
      const need = negotiate(definition, platform).needs.find(({ pointer }) => pointer === '/sc_version')
      return [need?.need, need?.met]
    }
    assert.deepEqual(versionNeeded({}, '3.4.0'), ['AAIF 3.4.0', true])
    assert.deepEqual(versionNeeded({}, '2.1.0'), ['AAIF 3.4.0', false])
    assert.deepEqual(versionNeeded({ sc_version: '2.1.0' }, '2.1.0'), ['AAIF 2.1.0', true])
    refuses({}, 'PATTERN_MISMATCH', { sc_version: '3.4' })
  })

  test('SPEC-D-01: an absent status reads as active', () => {
    assert.deepEqual(planOf({}, {}, { status: 'active' }), planOf())
    assert.deepEqual(planOf().refusals, [])
    assert.notDeepEqual(planOf({}, {}, { status: 'deprecated' }), planOf())
  })

  test('SPEC-D-08: response_format is text by default', () => {
    const formatOf = (model: JsonObject) =>
      planOf({ model: { provider: 'openai', preferred: 'm', ...model } }).output.format
    assert.equal(formatOf({}), 'text')
    assert.equal(formatOf({ response_format: 'text' }), 'text')
    assert.equal(formatOf({ response_format: 'json' }), 'json')
    assert.equal(formatOf({ response_format: 'markdown' }), 'markdown')
    refuses({ model: { response_format: 'xml' } }, 'NOT_IN_ENUM')
  })

  test('SPEC-D-10: a handoff needs condition and target_agent, passes context and keeps memory by default', () => {
    const rule = { condition: { lang: 'cel', expr: 'true' }, target_agent: 't' }
    const passes = (flags: JsonObject) => {
      const definition = parseAgentDefinition({
        sc_standard: 'SC-006',
        agent: { name: 'a', goal: 'b', orchestration: { handoff: [{ ...rule, ...flags }] } },
      })
      const target = { ref: 't', reason: 'not here' }
      const snapshot = {
        definition,
        definition_hash: '',
        context: [],
        subagents: [target],
        discovered: {},
        functions: {},
      }
      const [handoff] = planTopology(snapshot).orchestration?.handoffs ?? []
      return [handoff?.pass_context, handoff?.pass_memory]
    }
    assert.deepEqual(passes({}), [true, false])
    assert.deepEqual(passes({ pass_context: false, pass_memory: true }), [false, true])
    for (const lacking of [{ condition: 'c' }, { target_agent: 't' }]) {
      refuses({ orchestration: { handoff: [lacking] } }, 'REQUIRED_MISSING')
    }
  })

  test('SPEC-D-18: io is text, sync and not streamed by default, and its enumerations are closed', () => {
    const { output, streaming } = planOf()
    assert.deepEqual([output.format, streaming], ['text', false])
    assert.deepEqual(
      ['json', 'markdown', 'structured'].map((format) => planOf({ io: { format } }).output.format),
      ['json', 'markdown', 'json'],
    )
    assert.equal(planOf({ io: { streaming: true } }).streaming, true)
    assert.deepEqual(notDone({}), notDone({ io: { mode: 'sync' } }))
    for (const mode of ['async', 'batch']) assert.ok(notDone({ io: { mode } }).includes('/agent/io/mode'))
    for (const io of [{ format: 'xml' }, { mode: 'stream' }]) refuses({ io }, 'NOT_IN_ENUM')
  })

  test('two retries, no streaming and no start in the background', () => {
    const { retry, streaming } = planOf()
    assert.deepEqual([retry.max_retries, retry.backoff, streaming], [2, 'exponential', false])
    assert.equal(planOf({ runtime: { streaming: true } }).streaming, true)
    const background = '/agent/runtime/async_execution'
    assert.equal(notDone({}).includes(background), false)
    assert.ok(notDone({ runtime: { async_execution: true } }).includes(background))
  })

  test('SPEC-D-22: a run is traced and measured, with log_level info', () => {
    const { tracing, metrics, log_level } = planOf().telemetry
    assert.deepEqual([tracing, metrics, log_level], [true, true, 'info'])
    const other = { tracing: false, metrics: false, log_level: 'error' }
    const said = planOf({ telemetry: other }).telemetry
    assert.deepEqual({ ...said, ...other }, said)
  })

  test('SPEC-D-24: safety_level is standard, personal data is detected, no audit log, no approval', () => {
    const { safety_level, pii, audit, approval } = planOf()
    assert.deepEqual([safety_level, pii?.handling, audit, approval], ['standard', 'detect', false, undefined])
  })
})
