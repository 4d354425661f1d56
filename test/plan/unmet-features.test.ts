import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { unmetFeatures } from '../../src/plan/degradations/unmet-features.ts'
import { hostCapabilities } from '../../src/plan/host-capabilities.ts'
import type { PlannedConstraint, PlannedModel, PlannedTool, SafetyLevel } from '../../src/plan/plan.ts'
import type { PlannedSubagent } from '../../src/plan/planned-orchestration.ts'
import type { Snapshot } from '../../src/plan/snapshot.ts'
import { definition } from '../run/fixture.ts'

interface Parts {
  readonly snapshot?: Partial<Snapshot>
  readonly tools?: readonly PlannedTool[]
  readonly subagents?: readonly PlannedSubagent[]
  readonly constraints?: readonly PlannedConstraint[]
  readonly met?: readonly string[]
  readonly canAudit?: boolean
  readonly judge?: PlannedModel
}

function unmet(agent: JsonObject, parts: Parts = {}, level: SafetyLevel = 'standard') {
  return unmetFeatures(
    {
      definition: definition({ tools: [], ...agent }),
      definition_hash: 'a'.repeat(64),
      context: [],
      subagents: [],
      discovered: {},
      functions: {},
      ...parts.snapshot,
    },
    parts.tools ?? [],
    parts.subagents ?? [],
    parts.constraints ?? [],
    { unmet: [] },
    new Set([...hostCapabilities(), ...(parts.met ?? [])]),
    level,
    parts.canAudit ?? false,
    parts.judge,
  )
}

const tool = (name: string, more: Partial<PlannedTool> = {}): PlannedTool => ({
  name,
  description: '',
  protocol: 'mcp',
  effect: 'read',
  idempotent: true,
  gate: 'deny',
  reason: 'why',
  ...more,
})
const TOOLS = {
  tools: [
    { name: 'z', description: '' },
    { name: 't', description: '' },
  ],
}
const sub = (alias: string, more: Partial<PlannedSubagent> = {}): PlannedSubagent => ({
  ref: alias,
  alias,
  ...more,
})
const PIPELINE = { orchestration: { pipeline: ['one', 'two'] } }

describe('members of a definition that a run will not apply', () => {
  /** Path, reason, rule, and from which level on it refuses the agent. */
  type Row = readonly [
    path: string,
    reason: RegExp | string,
    rule: string,
    refuses: 'always' | 'strict' | 'never',
  ]
  const cases: readonly (readonly [what: string, JsonObject, Parts, readonly Row[]])[] = [
    ['nothing', {}, {}, []],
    [
      'a capability that neither the host nor its memory has',
      { required_capabilities: ['tool.mcp', 'memory.sqlite', 'post.office'] },
      { met: ['memory.sqlite'] },
      [
        [
          '/agent/required_capabilities/2',
          'the capability post.office is not available here',
          'AAIF-7-01',
          'strict',
        ],
      ],
    ],
    [
      'an audit log without a place',
      { compliance: { audit_log: true } },
      {},
      [['/agent/compliance/audit_log', /this host cannot store one/, 'AAIF-4.9-08', 'always']],
    ],
    ['an audit log with a place', { compliance: { audit_log: true } }, { canAudit: true }, []],
    ['no audit log', { compliance: { audit_log: false } }, {}, []],
    [
      'a context that was not found',
      {},
      {
        snapshot: {
          context: [
            { found: true, source: '', text: '', sha256: '', untrusted: false },
            { found: false, reason: 'gone', rule: 'SPEC-R-02' },
          ],
        },
      },
      [['/agent/context/1', 'gone', 'SPEC-R-02', 'strict']],
    ],
    [
      'a hook that was not given',
      { events: { on_start: 'begin', on_error: 'fail' } },
      { snapshot: { hooks: ['begin'] } },
      [['/agent/events/on_error', /^no hook named fail is available/, 'SPEC-D-20', 'strict']],
    ],
    [
      'a tool that is denied',
      TOOLS,
      {
        tools: [tool('t', { rule: 'AAIF-4.4-01' }), tool('z', { gate: 'allow' }), tool('y', { gate: 'ask' })],
      },
      [['/agent/tools/1', 'the tool t is not available: why', 'AAIF-4.4-01', 'strict']],
    ],
    ['a sub-agent that is denied as a tool', {}, { tools: [tool('ask_a', { agent: 'a' })] }, []],
    [
      'tools behind one declaration that are denied for one reason, and one for another',
      TOOLS,
      {
        tools: [
          tool('a', { declared: 't' }),
          tool('b', { declared: 't' }),
          tool('c', { declared: 't', reason: 'other' }),
        ],
      },
      [
        ['/agent/tools/1', '2 tools of t are not available (a, …): why', 'AAIF-12-02', 'strict'],
        ['/agent/tools/1', 'the tool c is not available: other', 'AAIF-12-02', 'strict'],
      ],
    ],
    [
      'tools that could not be pinned, once for each declaration',
      TOOLS,
      {
        snapshot: {
          pins: { lock: { v: 1, tools: {} }, trouble: 'the disk is full' },
          discovered: {
            t: {
              found: true,
              tools: ['a', 'b'].map((name) => ({
                name,
                description: '',
                parameters_schema: {},
                read_only: true,
                idempotent: true,
                binding: {},
              })),
            },
          },
        },
      },
      [['/agent/tools/1', 'the tools of t are not pinned: the disk is full', 'AAIF-12-01', 'never']],
    ],
    ['pins without trouble', TOOLS, { snapshot: { pins: { lock: { v: 1, tools: {} } } } }, []],
    [
      'a step of a pipeline that was not found',
      PIPELINE,
      {
        subagents: [
          sub('one', { reason: 'gone' }),
          sub('x', { ref: 'two' }),
          sub('other'),
          sub('here', { agent: 'h' }),
        ],
        snapshot: { subagents: [{ ref: 'one', index: 4 }] },
      },
      [
        ['/agent/orchestration/subagents/4', 'the sub-agent one was not found: gone', 'AAIF-3-04', 'always'],
        [
          '/agent/orchestration/subagents/1',
          'the sub-agent x was not found: no agent matches this ref',
          'AAIF-3-04',
          'always',
        ],
        [
          '/agent/orchestration/subagents/2',
          'the sub-agent other was not found: no agent matches this ref',
          'AAIF-3-04',
          'strict',
        ],
      ],
    ],
    [
      'a sub-agent with a double',
      {},
      { subagents: [sub('a', { agent: 'h', doubled: true, reason: 'gone' })] },
      [
        [
          '/agent/orchestration/subagents/0',
          'the sub-agent a was not found: gone; a test double replaces it',
          'AAIF-3-04',
          'strict',
        ],
      ],
    ],
    [
      'a constraint that only the prompt holds, quoted up to 60 characters',
      {},
      {
        constraints: [
          { text: 'a', enforcement: 'rule' },
          { text: 'b', enforcement: 'judge' },
          { text: 'c'.repeat(60), enforcement: 'prompt' },
          { text: 'd'.repeat(61), enforcement: 'prompt' },
        ],
      },
      [
        ['/agent/constraints/2', /"c{60}" is only/, 'AAIF-3-02', 'strict'],
        ['/agent/constraints/3', /"d{60}…" is only/, 'AAIF-3-02', 'strict'],
      ],
    ],
    [
      'a constraint without a rule and without a judge',
      {},
      { constraints: [{ text: 'a', enforcement: 'prompt' }] },
      [
        [
          '/agent/constraints/0',
          'no judge model is configured, so "a" is only in the prompt; add --judge PROVIDER/MODEL',
          'AAIF-3-02',
          'strict',
        ],
      ],
    ],
    [
      'a constraint without a rule, and a judge that cannot be used',
      {},
      {
        constraints: [{ text: 'a', enforcement: 'prompt' }],
        judge: { provider: 'p', model: 'm', eligible: false, reason: 'no key', hint: 'set it' },
      },
      [
        [
          '/agent/constraints/0',
          'the judge p/m cannot be used (no key), so "a" is only in the prompt; set it',
          'AAIF-3-02',
          'strict',
        ],
      ],
    ],
    [
      'a constraint without a rule, and a judge that can be used',
      {},
      {
        constraints: [{ text: 'a', enforcement: 'prompt' }],
        judge: { provider: 'p', model: 'm', eligible: true },
      },
      [['/agent/constraints/0', /^no judge model is configured/, 'AAIF-3-02', 'strict']],
    ],
    [
      'patterns that cannot be matched in linear time',
      {
        io: { input_schema: { type: 'string', pattern: '(?=a)' }, output_schema: { type: 'string' } },
        tools: [
          {
            name: 't',
            description: '',
            parameters_schema: { type: 'object', properties: { p: { type: 'string', pattern: '(?=a)' } } },
            output_schema: { type: 'string', pattern: '(?=b)' },
          },
        ],
      },
      {},
      [
        ['/agent/tools/0/parameters_schema/properties/p/pattern', /./, 'SPEC-D-30', 'never'],
        ['/agent/tools/0/output_schema/pattern', /./, 'SPEC-D-30', 'never'],
        ['/agent/io/input_schema/pattern', /./, 'SPEC-D-30', 'never'],
      ],
    ],
    [
      'conditions that cannot be evaluated',
      {
        orchestration: {
          subagents: [
            { ref: 'a', when: 'when it is hard' },
            { ref: 'b', when: { lang: 'rego', expr: '' } },
            { ref: 'c', when: { lang: 'always' } },
          ],
        },
      },
      {},
      [
        ['/agent/orchestration/subagents/0/when', /plain text/, 'AAIF-5-12', 'never'],
        ['/agent/orchestration/subagents/1/when/lang', /^conditions in rego cannot/, 'AAIF-5-15', 'strict'],
      ],
    ],
  ]
  for (const [what, agent, parts, rows] of cases) {
    for (const level of ['minimal', 'standard', 'strict', 'regulated'] as const) {
      test(`${what}, at ${level}`, () => {
        const { degradations, refusals } = unmet(agent, parts, level)
        assert.deepEqual(
          degradations.map(({ path, rule }) => [path, rule]),
          rows.map(([path, , rule]) => [path, rule]),
        )
        for (const [index, [, reason]] of rows.entries()) {
          const said = degradations[index]?.reason ?? ''
          if (typeof reason === 'string') assert.equal(said, reason)
          else assert.match(said, reason)
        }
        const strict = level === 'strict' || level === 'regulated'
        const refused = rows.filter(([, , , from]) => from === 'always' || (from === 'strict' && strict))
        assert.deepEqual(
          refusals.map(({ pointer, rule, message }) => [
            pointer,
            rule,
            message.endsWith('is refused without it'),
          ]),
          refused.map(([path, , rule, from]) => [path, rule, from === 'strict']),
        )
      })
    }
  }

  test('a refusal has the code and the hint of what is missing', () => {
    const of = (agent: JsonObject, parts: Parts) =>
      unmet(agent, parts, 'strict').refusals.map(({ code, hint }) => [code, hint])
    const elsewhere = 'use --rehearse for a dry run, or use a host that supports it'
    assert.deepEqual(of({ required_capabilities: ['post.office'] }, {}), [['CAPABILITY_UNMET', elsewhere]])
    assert.deepEqual(of(TOOLS, { tools: [tool('t')] }), [['FEATURE_UNMET', elsewhere]])
    assert.deepEqual(of(TOOLS, { tools: [tool('t', { pin: 'changed' })] }), [
      [
        'TOOL_NOT_AS_PINNED',
        'review the changes with `waybill tools diff FILE`, and accept them with `waybill tools pin FILE`',
      ],
    ])
  })
})

test('a part of a list or a document that is not offered is a note, at every level', () => {
  const notes = { texts: ['entry 2 has no name', 'it repeats a cursor'], rule: 'AAIF-4.4-04' }
  const snapshot = { discovered: { t: { found: true, tools: [], notes } } } as const
  for (const level of ['standard', 'strict', 'regulated'] as const) {
    const { degradations, refusals } = unmet(TOOLS, { snapshot }, level)
    assert.deepEqual(degradations, [
      { path: '/agent/tools/1', reason: 't: entry 2 has no name', rule: 'AAIF-4.4-04' },
      { path: '/agent/tools/1', reason: 't: it repeats a cursor', rule: 'AAIF-4.4-04' },
    ])
    assert.deepEqual(refusals, [])
  }
})
