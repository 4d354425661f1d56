import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openAgent, parseAgentDefinition } from 'waybill'
import { scriptedModel } from 'waybill/testing'
import { DEFINITION, GO, MailModel, Place, waybill } from './fixture.ts'

/** Expressions that another platform may accept: broken ones, and functions that these evaluators do not have. */
const EXPRESSIONS = [
  { lang: 'cel', expr: 'urgent &&' },
  { lang: 'cel', expr: '"abc".charAt(0) == "a"' },
  { lang: 'cel', expr: '' },
  { lang: 'jmespath', expr: 'items[?' },
  { lang: 'jmespath', expr: 'own_function(items)' },
  { lang: 'jsonpath', expr: '$.[' },
  { lang: 'jsonpath', expr: '$[?own(@.a)]' },
  { lang: 'jsonlogic', expr: { own_operator: [{ var: 'a' }, 1] } },
  { lang: 'jsonlogic', expr: { var: 'a', and: [] } },
] as const
type Expression = (typeof EXPRESSIONS)[number]

const titleOf = ({ lang, expr }: Expression) => `${lang} ${JSON.stringify(expr)}`

const approvedWhen = (trigger: Expression, safety_level = 'standard') => ({
  ...DEFINITION,
  agent: {
    ...DEFINITION.agent,
    compliance: { safety_level, human_in_the_loop: { enabled: true, trigger } },
  },
})

const everywhere = (condition: Expression) => ({
  ...DEFINITION,
  agent: {
    ...DEFINITION.agent,
    compliance: { human_in_the_loop: { enabled: true, trigger: condition } },
    events: { triggers: [{ type: 'file_change', filter: condition }] },
    orchestration: {
      role: 'router',
      subagents: [{ ref: 'leaf', alias: 'leaf', when: condition }],
      handoff: [{ condition, target_agent: 'leaf' }],
    },
  },
})
const PLACES = [
  '/agent/orchestration/subagents/0/when',
  '/agent/orchestration/handoff/0/condition',
  '/agent/events/triggers/0/filter',
  '/agent/compliance/human_in_the_loop/trigger',
]
const LEAF = { sc_standard: 'SC-006', agent: { name: 'Leaf', goal: 'Answer.' } }

interface Issue {
  readonly severity: string
  readonly code: string
  readonly pointer: string
  readonly message: string
  readonly hint?: string
}

describe('an expression that cannot be compiled', () => {
  for (const condition of EXPRESSIONS) {
    test(`AAIF-5-16: ${titleOf(condition)} is a warning in validate and a degradation in the plan, in each place`, async (t) => {
      const place = new Place(t, everywhere(condition))
      place.write('leaf.json', JSON.stringify(LEAF))
      const checked = await waybill(place, ['validate', 'agent.json', '--json'])
      assert.equal(checked.code, 0)
      const issues: readonly Issue[] = JSON.parse(checked.out).files[0].issues
      const found = issues.filter(({ code }) => code === 'EXPR_INVALID')
      assert.ok(found.every(({ severity, hint }) => severity === 'warning' && hint !== undefined))
      const under = (pointer: string, list: readonly string[]) =>
        list.some((each) => each.startsWith(`${pointer}/expr`))
      for (const pointer of PLACES) {
        assert.ok(
          under(
            pointer,
            found.map((issue) => issue.pointer),
          ),
          pointer,
        )
      }
      const planned = await waybill(place, ['plan', 'agent.json', '--json', '--rehearse'])
      assert.equal(planned.code, 0, planned.out)
      const { degradations }: { degradations: { path: string; rule: string }[] } = JSON.parse(planned.out)
      const paths = degradations.flatMap(({ path, rule }) => (rule === 'AAIF-5-16' ? [path] : []))
      for (const pointer of PLACES) assert.ok(under(pointer, paths), pointer)
    })

    test(`AAIF-5-16: ${titleOf(condition)} chooses no sub-agent, and the run completes and gives the path`, async (t) => {
      const place = new Place(t, {
        ...LEAF,
        agent: {
          ...LEAF.agent,
          name: 'Head',
          orchestration: everywhere(condition).agent.orchestration,
        },
      })
      place.write('leaf.json', JSON.stringify(LEAF))
      const { code, out } = await waybill(place, [
        'run',
        'agent.json',
        '--rehearse',
        '--json',
        '--input',
        'Go',
      ])
      const result = JSON.parse(out)
      assert.equal(code, 0, out)
      assert.equal(result.status, 'completed')
      assert.deepEqual(result.subagents ?? [], [])
      const given: readonly { code: string; message: string }[] = result.warnings
      assert.ok(
        given.some(({ message }) => message.startsWith('/agent/orchestration/subagents/0/when/expr')),
        out,
      )
      for (const about of ['of leaf', '/agent/orchestration/handoff/0/condition']) {
        assert.ok(
          given.some(({ code, message }) => code === 'CONDITION_UNEVALUABLE' && message.includes(about)),
          about,
        )
      }
    })

    test(`AAIF-5-17: with the approval trigger ${titleOf(condition)} the write call waits for a person`, async (t) => {
      const model = new MailModel()
      await model.begin()
      t.after(() => model.server.stop())
      for (const level of ['standard', 'regulated']) {
        const place = new Place(t, approvedWhen(condition, level))
        const { code, out } = await waybill(place, [...GO, ...model.flags, '--json'], {
          env: { WAYBILL_KEY_CUSTOM: 'k' },
        })
        assert.equal(code, 4, out)
        assert.equal(JSON.parse(out).status, 'awaiting_approval')
        assert.deepEqual(place.sent(), [])
      }
    })

    test(`AAIF-5-17: the library holds the write call as well for ${titleOf(condition)}`, async () => {
      const calls: unknown[] = []
      const agent = await openAgent(parseAgentDefinition(approvedWhen(condition)), {
        env: { OPENAI_API_KEY: 'k' },
        model: 'openai/x',
        tools: { send_mail: (args) => calls.push(args) },
        modelPort: scriptedModel([{ calls: [{ tool: 'send_mail', args: { to: 'ada' } }] }, 'sent']),
      })
      const result = await agent.run('Go')
      assert.equal(result.status, 'awaiting_approval')
      assert.deepEqual(calls, [])
      await agent.close()
    })
  }

  test('a trigger whose filter cannot be compiled starts no run, and says so', async (t) => {
    const place = new Place(t, everywhere({ lang: 'cel', expr: 'urgent &&' }))
    place.write('leaf.json', JSON.stringify(LEAF))
    const { out, err, code } = await waybill(place, ['watch', 'agent.json', '--once', '--rehearse'])
    assert.notEqual(code, 0)
    assert.match(out + err, /its filter cannot be evaluated: this is not cel/)
  })

  test('an expr of the wrong type is still an error', async (t) => {
    for (const condition of [
      { lang: 'cel', expr: { a: 1 } },
      { lang: 'jsonlogic', expr: 'a' },
      { lang: 'jmespath', expr: true },
      { lang: 'jsonpath', expr: { a: 1 } },
    ]) {
      const place = new Place(t, approvedWhen(condition as never))
      const { code, out } = await waybill(place, ['validate', 'agent.json', '--json'])
      assert.equal(code, 1, JSON.stringify(condition))
      assert.match(out, /EXPR_TYPE/)
    }
  })

  test('waybill condition tells that an expression is broken, and exits 1', async (t) => {
    const place = new Place(t)
    place.write('p.json', '{}')
    const argv = ['condition', 'cel', 'urgent &&', '--payload', 'p.json', '--json']
    const { code, out } = await waybill(place, argv)
    assert.equal(code, 1)
    assert.match(JSON.parse(out).reason, /^this is not cel: /)
    assert.equal(JSON.parse(out).outcome, 'unevaluable')
  })

  test('an expression that compiles gives no warning and no degradation', async (t) => {
    const place = new Place(t, everywhere({ lang: 'cel', expr: 'input == "x"' } as never))
    place.write('leaf.json', JSON.stringify(LEAF))
    assert.doesNotMatch((await waybill(place, ['validate', 'agent.json', '--json'])).out, /EXPR_INVALID/)
    assert.doesNotMatch(
      (await waybill(place, ['plan', 'agent.json', '--json', '--rehearse'])).out,
      /AAIF-5-16/,
    )
  })
})
