import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Json } from '../../src/document/json.ts'
import { type ConformanceLevel, conformanceLevels } from '../../src/spec/aaif/conformance-levels.ts'
import { isResolvable } from '../../src/spec/aaif/endpoint-scheme.ts'
import { validateAgentDefinition } from '../../src/spec/aaif/validate-agent-definition.ts'
import { validateConformanceReport } from '../../src/spec/aaif/validate-conformance-report.ts'
import { validatePlatformManifest } from '../../src/spec/aaif/validate-platform-manifest.ts'

const corpus = join(import.meta.dirname, '../conformance/aaif.agent/valid')
// biome-ignore lint/suspicious/noExplicitAny: documents that are changed
type Any = any

function definition(name: string): Any {
  return JSON.parse(readFileSync(join(corpus, `level-${name}.json`), 'utf8'))
}

const judge = (value: Json) => conformanceLevels(value, validateAgentDefinition(value))
const met = (value: Json) =>
  Object.entries(judge(value).levels).flatMap(([level, status]) => (status.met ? [level] : []))

/** Asserts which predicate of a level a definition lacks after a change. */
function lacks(
  name: string,
  level: ConformanceLevel,
  change: (document: Any) => void,
  pointer: string,
): void {
  const document = definition(name)
  assert.ok(judge(document).levels[level].met, `${name} is ${level} at first`)
  change(document)
  const { met: still, missing } = judge(document).levels[level]
  assert.equal(still, false, `${pointer} is needed for ${level}`)
  assert.deepEqual(
    missing.filter((one) => one.level === level).map((one) => one.pointer),
    [pointer],
  )
}

describe('AAIF §6 conformance levels', () => {
  test('AAIF-6-01: reports and manifests spell the seven levels exactly', () => {
    const levels = ['Core', 'Tooled', 'Portable', 'Multi-agent', 'Observable', 'Enterprise', 'Stateful']
    assert.deepEqual(Object.keys(judge(definition('tooled')).levels), levels)
    const manifest = (level: string) => ({
      sc_standard: 'SC-006',
      sc_version: '3.4.0',
      platform: { name: 'Post office', version: '1', aaif_conformance_level: level },
    })
    const errors = (level: string) =>
      validatePlatformManifest(manifest(level)).filter(({ severity }) => severity === 'error').length
    for (const level of levels) assert.equal(errors(level), 0, level)
    for (const level of ['core', 'Multi-Agent', 'MultiAgent', 'Full', ''])
      assert.equal(errors(level), 1, level)
  })

  test('AAIF-6-02: a valid definition meets Core, an invalid one no level', () => {
    const bare = { sc_standard: 'SC-006', agent: { name: 'Clerk', goal: 'File letters.' } }
    assert.deepEqual(met(bare), ['Core'])
    for (const member of ['name', 'goal']) {
      const document = definition('stateful')
      delete document.agent[member]
      const { levels, highest } = judge(document)
      assert.equal(highest, null)
      assert.ok(Object.values(levels).every((level) => !level.met))
      assert.equal(levels.Core.missing.length, 1)
      assert.match(levels.Core.missing[0]?.message ?? '', new RegExp(member))
    }
  })

  test('AAIF-6-03: a tool without parameters_schema stays Core', () => {
    lacks('tooled', 'Tooled', ({ agent }) => delete agent.tools[0].parameters_schema, '/agent/tools')
    lacks('tooled', 'Tooled', ({ agent }) => (agent.tools = []), '/agent/tools')
    const document = definition('tooled')
    document.agent.tools[0].parameters_schema = undefined
    delete document.agent.tools[0].parameters_schema
    assert.deepEqual(met(document), ['Core'])
  })

  test('AAIF-6-04: a definition without constraints or with an unresolvable endpoint stays Tooled', () => {
    lacks('portable', 'Portable', ({ agent }) => (agent.constraints = []), '/agent/constraints')
    lacks('portable', 'Portable', ({ agent }) => delete agent.tools[0].endpoint, '/agent/tools/0/endpoint')
    for (const endpoint of ['scales', '/weigh', 'https://', 'https://{host}/weigh', 'mcp://scales']) {
      lacks(
        'portable',
        'Portable',
        ({ agent }) => (agent.tools[0].endpoint = endpoint),
        '/agent/tools/0/endpoint',
      )
    }
    lacks('portable', 'Portable', ({ agent }) => delete agent.tools[0].protocol, '/agent/tools/0/protocol')
    const document = definition('portable')
    document.agent.constraints = []
    assert.deepEqual(met(document), ['Core', 'Tooled'])
  })

  test('an endpoint is resolvable if it has a scheme, a host and no placeholder', () => {
    for (const [protocol, endpoint] of [
      ['http', 'https://scales.example/weigh?unit=g'],
      ['mcp', 'mcp://scales'],
      ['mcp', 'stdio:scales-server'],
      ['mcp', 'wss://scales.example'],
      ['openapi', 'api/scales.yaml'],
      ['openapi', 'file:///api/scales.yaml'],
    ] as const)
      assert.ok(isResolvable(protocol, endpoint), `${protocol} ${endpoint}`)
    for (const [protocol, endpoint] of [
      ['http', 'ftp://scales.example'],
      ['http', 'https:///weigh'],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder
      ['http', 'https://${HOST}/weigh'],
      ['mcp', 'stdio:'],
      ['openapi', ''],
      ['function', 'https://scales.example'],
    ] as const)
      assert.ok(!isResolvable(protocol, endpoint), `${protocol} ${endpoint}`)
  })

  test('AAIF-6-05: Multi-agent needs a role and a subagent or handoff rule', () => {
    lacks(
      'multi-agent',
      'Multi-agent',
      ({ agent }) => delete agent.orchestration.role,
      '/agent/orchestration/role',
    )
    lacks(
      'multi-agent',
      'Multi-agent',
      ({ agent }) => delete agent.orchestration.subagents,
      '/agent/orchestration',
    )
    assert.ok(met(definition('multi-agent-by-handoff')).includes('Multi-agent'))
  })

  test('AAIF-6-06: Observable extends Portable, and needs declared tracing and a threshold', () => {
    assert.deepEqual(met(definition('observable')), ['Core', 'Tooled', 'Portable', 'Observable'])
    lacks(
      'observable',
      'Observable',
      ({ agent }) => delete agent.telemetry.tracing,
      '/agent/telemetry/tracing',
    )
    lacks(
      'observable',
      'Observable',
      ({ agent }) => (agent.telemetry.tracing = false),
      '/agent/telemetry/tracing',
    )
    lacks(
      'observable',
      'Observable',
      ({ agent }) => (agent.evaluation.metrics = [{ name: 'relevance' }]),
      '/agent/evaluation/metrics',
    )
  })

  test('AAIF-6-07: Enterprise needs each of safety_level, audit_log and signature', () => {
    const compliance = '/agent/compliance'
    lacks(
      'enterprise',
      'Enterprise',
      ({ agent }) => delete agent.compliance.safety_level,
      `${compliance}/safety_level`,
    )
    lacks(
      'enterprise',
      'Enterprise',
      ({ agent }) => (agent.compliance.audit_log = false),
      `${compliance}/audit_log`,
    )
    lacks(
      'enterprise',
      'Enterprise',
      ({ provenance }) => delete provenance.signature,
      '/provenance/signature',
    )
    const document = definition('enterprise')
    delete document.provenance.signature
    assert.equal(judge(document).highest, 'Observable')
  })

  test('AAIF-6-08: Stateful needs the capability state.checkpoint; without it the level is Enterprise', () => {
    assert.equal(judge(definition('stateful')).highest, 'Stateful')
    lacks(
      'stateful',
      'Stateful',
      ({ agent }) => (agent.required_capabilities = ['state.restore']),
      '/agent/required_capabilities',
    )
    assert.equal(judge(definition('enterprise')).highest, 'Enterprise')
  })

  test('AAIF-6-09: each unmet level lists every predicate that failed, lowest level first', () => {
    const { levels, highest } = judge(definition('tooled'))
    assert.equal(highest, 'Tooled')
    assert.deepEqual(levels.Tooled, { met: true, missing: [] })
    assert.deepEqual(
      levels.Stateful.missing.map(({ level, pointer }) => `${level} ${pointer}`),
      [
        'Portable /agent/constraints',
        'Observable /agent/telemetry/tracing',
        'Observable /agent/evaluation/metrics',
        'Enterprise /agent/compliance/safety_level',
        'Enterprise /agent/compliance/audit_log',
        'Enterprise /provenance/signature',
        'Stateful /agent/required_capabilities',
      ],
    )
    for (const { hint, message, rule } of levels.Stateful.missing) {
      assert.ok(hint && message)
      assert.match(rule, /^AAIF-6-0[2-8]$/)
    }
  })

  test('the levels fork: the main line does not include Multi-agent', () => {
    const { levels, highest } = judge(definition('stateful'))
    assert.equal(highest, 'Stateful')
    assert.equal(levels['Multi-agent'].met, false)
  })

  test('other documents meet no level and do not throw', () => {
    for (const value of [
      null,
      7,
      'x',
      [],
      {},
      { agent: [] },
      { sc_standard: 'SC-006', agent: { tools: 7 } },
    ]) {
      assert.equal(judge(value as Json).highest, null)
    }
  })

  test('AAIF-6-12: a report that claims Stateful as a consumer without Enterprise gives a warning', () => {
    const claim = (level: string, direction: string) => ({
      level,
      direction,
      test_suite: { corpus: 'ours', passed: 1, total: 1 },
    })
    const warned = (...claims: readonly object[]) =>
      validateConformanceReport({
        sc_standard: 'SC-006',
        report: { generated_at: '2026-03-01T09:00:00Z', aaif_versions: ['3.4.0'] },
        platform: { name: 'Post office' },
        claims,
      } as unknown as Json).map(({ code, pointer }) => `${code} ${pointer}`)
    assert.deepEqual(warned(claim('Stateful', 'consumer')), ['CLAIM_SKIPS_LEVEL /claims/0/level'])
    assert.deepEqual(warned(claim('Enterprise', 'producer'), claim('Stateful', 'both')), [
      'CLAIM_SKIPS_LEVEL /claims/1/level',
    ])
    assert.deepEqual(warned(claim('Enterprise', 'consumer'), claim('Stateful', 'consumer')), [])
    assert.deepEqual(warned(claim('Stateful', 'producer')), [])
  })
})
