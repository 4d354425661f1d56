import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { compileProgram } from '../../src/plan/compile-program.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { planHash } from '../../src/plan/plan-hash.ts'
import { planHooks } from '../../src/plan/plan-hooks.ts'
import type { PlannedSubagent } from '../../src/plan/planned-orchestration.ts'
import { definition, planOf, programOf, SETTINGS } from '../run/fixture.ts'

const STRING = { type: 'string' }
const sub = (alias: string, more: Partial<PlannedSubagent> = {}): PlannedSubagent => ({
  ref: alias,
  alias,
  ...more,
})

describe('what a plan compiles to', () => {
  test('each declared schema is compiled, and no other', () => {
    const schema = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] }
    const program = programOf({
      tools: [
        { name: 'look', description: '', parameters_schema: schema },
        { name: 'send', description: '', output_schema: STRING },
      ],
      io: { input_schema: STRING, output_schema: STRING },
    })
    assert.deepEqual([...program.checkArguments.keys()], ['look'])
    assert.deepEqual([...program.checkResult.keys()], ['send'])
    assert.equal(program.checkArguments.get('look')?.({ x: 1 }), null)
    assert.match(program.checkArguments.get('look')?.({}) ?? '', /x/)
    assert.equal(program.checkResult.get('send')?.('a'), null)
    assert.notEqual(program.checkResult.get('send')?.(1), null)
    for (const check of [program.checkInput, program.checkOutput]) {
      assert.equal(check?.('a'), null)
      assert.notEqual(check?.(1), null)
    }
    const bare = programOf({ tools: [] })
    assert.deepEqual(
      [bare.checkInput, bare.checkOutput, bare.approvalTrigger, bare.handoffs],
      [null, null, null, []],
    )
  })

  test('conditions of sub-agents, hand-offs and approval are compiled', () => {
    const plan: Plan = {
      ...planOf({
        compliance: { human_in_the_loop: { enabled: true, trigger: { lang: 'cel', expr: 'big' } } },
      }),
      subagents: [sub('a', { when: { lang: 'never' } }), sub('b'), sub('a', { ref: 'second' })],
      orchestration: {
        mode: 'model',
        steps: [],
        workers: [],
        max_parallel: 1,
        handoffs: [{ condition: { lang: 'always' }, target: 'a', pass_context: true, pass_memory: false }],
      },
    }
    const program = compileProgram(plan)
    assert.deepEqual([...program.when.keys()], ['a'])
    assert.equal(program.when.get('a')?.evaluate({}).outcome, 'false')
    assert.equal(program.handoffs[0]?.evaluate({}).outcome, 'true')
    assert.equal(program.approvalTrigger?.evaluate({ big: true }).outcome, 'true')
    assert.equal(program.subagent.get('a')?.ref, 'a', 'of two with one alias the first counts')
    assert.equal(program.hash, planHash(plan))
    assert.equal(programOf({ compliance: { human_in_the_loop: { enabled: true } } }).approvalTrigger, null)
  })

  test('a family shares its programs, and each plan is compiled once', () => {
    const [one, two] = ['1', '2'].map((digit) => ({ ...planOf(), definition_hash: digit.repeat(64) }))
    assert.ok(one !== undefined && two !== undefined)
    const program = compileProgram(one, [two, one, two])
    assert.deepEqual([...program.family.keys()], [two.definition_hash, one.definition_hash])
    assert.equal(program.family.get(one.definition_hash), program)
    assert.equal(program.family.get(two.definition_hash)?.plan, two)
    assert.equal(program.family.get(two.definition_hash)?.family, program.family)
  })
})

describe('the hooks that are called', () => {
  const events = { on_tool_call: 'note', on_start: 'begin' }
  const hooks = (members: JsonObject, offered?: readonly string[], rehearsal = false) =>
    planHooks(
      {
        definition: definition({ events: members }),
        definition_hash: 'a'.repeat(64),
        context: [],
        subagents: [],
        discovered: {},
        functions: {},
        ...(offered !== undefined && { hooks: offered }),
      },
      { ...SETTINGS, rehearsal },
    )

  test('hooks that are declared and offered are called in the order of a run', () => {
    assert.deepEqual(hooks(events, ['begin', 'note', 'other']), [
      { hook: 'on_start', name: 'begin' },
      { hook: 'on_tool_call', name: 'note' },
    ])
    assert.deepEqual(hooks(events, ['note']), [{ hook: 'on_tool_call', name: 'note' }])
    assert.deepEqual(hooks(events), [])
    assert.deepEqual(hooks({}, ['begin']), [])
  })

  test('in a rehearsal all declared hooks are replaced by doubles', () => {
    assert.deepEqual(hooks(events, [], true), [
      { hook: 'on_start', name: 'begin', doubled: true },
      { hook: 'on_tool_call', name: 'note', doubled: true },
    ])
  })
})
