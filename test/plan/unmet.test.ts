import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../src/document/json.ts'
import { agent, runFamily } from '../run/family.ts'
import { planOf, programOf } from '../run/fixture.ts'

const routed = (when: Json, level: string) => ({
  orchestration: { role: 'router', subagents: [{ ref: 'a', alias: 'a', when }] },
  compliance: { safety_level: level },
})

describe('AAIF §5 conditions that cannot be evaluated', () => {
  test('AAIF-5-15: an unsupported language is an unmet capability, by safety level', () => {
    for (const [level, refused] of [
      ['minimal', false],
      ['standard', false],
      ['strict', true],
      ['regulated', true],
    ] as const) {
      const plan = planOf(routed({ lang: 'rego', expr: 'x' }, level))
      assert.ok(
        plan.degradations.some(({ rule, path }) => rule === 'AAIF-5-15' && path.endsWith('/when/lang')),
      )
      assert.equal(
        plan.refusals.some(({ rule }) => rule === 'AAIF-5-15'),
        refused,
        level,
      )
    }
  })

  test('an expression that fails is false with a diagnostic, and never stops the process', async (t) => {
    const { result, asked } = await runFamily(
      t,
      [agent('r', routed({ lang: 'cel', expr: 'no.such.thing > 1' }, 'standard')), agent('a')],
      { r: () => 'own', a: () => 'never' },
    )
    assert.deepEqual(asked, ['r'])
    assert.ok(result.warnings.some(({ code }) => code === 'CONDITION_UNEVALUABLE'))
  })

  test('SPEC-SECURITY-01: at strict a plain-text condition is accepted with a warning, and is never true', async (t) => {
    const { result, asked } = await runFamily(
      t,
      [agent('r', routed('when it is hard', 'strict')), agent('a')],
      { r: () => 'own', a: () => 'never' },
    )
    assert.equal(result.status, 'completed')
    assert.deepEqual(asked, ['r'])
    assert.ok(result.warnings.some(({ message }) => message.includes('plain text')))
  })
})

describe('AAIF §7 capabilities that this host lacks', () => {
  const lacking = (safety_level: string) => ({
    required_capabilities: ['tool.function', 'memory.pinecone', 'post.office'],
    compliance: { safety_level },
  })
  const places = ['/agent/required_capabilities/1', '/agent/required_capabilities/2']

  for (const [id, level] of [
    ['AAIF-7-08', 'strict'],
    ['AAIF-7-09', 'regulated'],
  ] as const) {
    test(`${id}: at ${level} a run is refused, its plan lists every capability, and no model is asked`, async (t) => {
      const { refusals } = planOf(lacking(level))
      assert.deepEqual(
        refusals.map(({ code, pointer }) => [code, pointer]),
        places.map((place) => ['CAPABILITY_UNMET', place]),
      )
      assert.match(refusals[0]?.message ?? '', /memory\.pinecone/)
      assert.match(refusals[1]?.message ?? '', /post\.office/)
      const { result, asked } = await runFamily(t, [agent('r', lacking(level))], { r: () => 'never' })
      assert.deepEqual([result.status, result.error?.code, asked], ['refused', 'CAPABILITY_UNMET', []])
    })
  }

  for (const [id, level] of [
    ['AAIF-7-06', 'minimal'],
    ['AAIF-7-07', 'standard'],
  ] as const) {
    test(`${id}: at ${level} a run starts, with a warning that names each capability`, async (t) => {
      assert.deepEqual(planOf(lacking(level)).refusals, [])
      const { result, asked } = await runFamily(t, [agent('r', lacking(level))], { r: () => 'done' })
      assert.deepEqual([result.status, asked], ['completed', ['r']])
      for (const name of ['memory.pinecone', 'post.office']) {
        assert.ok(
          result.warnings.some(({ message }) => message.includes(name)),
          name,
        )
      }
    })
  }
})

test('AAIF-4.1-08: a deprecated agent is refused without --allow-deprecated', () => {
  const refused = planOf({}, {}, { status: 'deprecated' })
  assert.equal(refused.refusals[0]?.code, 'AGENT_DEPRECATED')
  assert.match(refused.refusals[0]?.hint ?? '', /--allow-deprecated/)
  assert.deepEqual(programOf({}, { allow_deprecated: true }, { status: 'deprecated' }).plan.refusals, [])
})
