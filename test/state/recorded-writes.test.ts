import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sha256 } from '../../src/document/canonical.ts'
import type { Decision, Fact, RunEvent } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import type { RunHeader } from '../../src/run/record/run-header.ts'
import { restoredMembers } from '../../src/run/restored.ts'
import type { CallEntry } from '../../src/run/state.ts'
import { recordedWrites } from './recorded-writes-of.ts'

const HEADER: RunHeader = {
  v: 1,
  run_id: 'r1',
  agent_id: 'a',
  agent_name: 'Agent',
  created_at: '2026-11-24T00:00:00.000Z',
  plan_hash: 'p',
  rehearsal: false,
}

const call = (members: Partial<CallEntry> = {}): CallEntry => ({
  id: 'c1',
  tool: 'send_mail',
  args: { to: 'ada' },
  key: 'r1:1.1:c1',
  effect: 'once',
  status: 'sent',
  ...members,
})

type Step = readonly [Fact, Decision?]

const STARTED: Step = [{ type: 'run.started', input: 'x' }]
const ANSWERED = {
  type: 'model.answered',
  attempt: 1,
  message: { role: 'assistant', text: '', calls: [] },
  finish: 'tool_calls',
  usage: { input_tokens: 1, output_tokens: 1 },
  latency_ms: 1,
} as const
const opens = (...calls: readonly CallEntry[]): Step => [ANSWERED, { calls }]
const set = (status: CallEntry['status'], id = 'c1'): Decision => ({ set: { [id]: status } })
const done = (error?: true): Decision => ({
  done: { call_id: 'c1', result: 'x', ...(error && { error }) },
  settle: true,
})
const decided = (verdict: 'answer' | 'approve' | 'deny' | 'resend' | 'assume', by = 'ada'): Fact => ({
  type: 'person.decided',
  call_id: 'c1',
  verdict,
  by,
})
const failed = (outcome: 'unsent' | 'answered' | 'unknown'): Fact => ({
  type: 'call.failed',
  call_id: 'c1',
  code: 'TOOL_ERROR',
  message: 'x',
  outcome,
  latency_ms: 1,
})
const GIVEN: Step = [{ type: 'call.answered', call_id: 'c1', result: 'x', latency_ms: 1 }, done()]
const ASKED: Step = [
  { type: 'call.asked', call_id: 'c1', questions: [], latency_ms: 1 },
  { judged: [call({ status: 'input_required' })] },
]
const RESUMED: Fact = { type: 'run.resumed', by: 'x' }
const CRASHED: Step = [RESUMED, set('unknown')]
const ENDED: Step = [
  { type: 'run.cancelled', by: 'x' },
  { end: { status: 'cancelled', stop_reason: 'interrupt' } },
]

const eventsOf = (steps: readonly Step[]): readonly RunEvent[] =>
  steps.map(([fact, decision = {}], index) => ({ seq: index + 1, at: (index + 1) * 1000, fact, decision }))

const writesOf = (steps: readonly Step[], header: Partial<RunHeader> = {}) =>
  recordedWrites({ ...HEADER, ...header }, eventsOf(steps)).writes

/** Returns `outcome: second of each sending/epoch (by)`. */
const shown = (steps: readonly Step[], header: Partial<RunHeader> = {}) =>
  writesOf(steps, header).map(({ outcome, sendings, settled_at }) =>
    [
      outcome,
      ...sendings.map(
        ({ at, epoch, by }) => `${Date.parse(at) / 1000}/${epoch}${by === undefined ? '' : ` ${by}`}`,
      ),
      ...(settled_at === undefined ? [] : [`settled ${Date.parse(settled_at) / 1000}`]),
    ].join(', '),
  )

describe('the writes of a record', () => {
  for (const [what, steps, expected] of [
    ['waits for a person', [opens(call({ status: 'asking' }))], 'waiting'],
    ['waits for an answer to its server, which has not made it', [opens(call()), ASKED], 'waiting'],
    [
      'is made again with the answer: that is the one sending',
      [opens(call()), ASKED, [decided('answer'), { judged: [call()] }], GIVEN],
      'done, 4/1, settled 5',
    ],
    ['was asked about when the run ended: it was not sent', [opens(call()), ASKED, ENDED], 'not_sent'],
    ['waits for a judge', [opens(call({ status: 'judging' }))], 'waiting'],
    ['waits for a hook', [opens(call({ unasked: true }))], 'waiting'],
    ['is in flight', [opens(call())], 'in_flight, 2/1'],
    [
      'is in flight since a hook has allowed it',
      [
        opens(call({ unasked: true })),
        [{ type: 'hook.ran', hook: 'on_tool_call', ok: true, call_id: 'c1', latency_ms: 1 }],
      ],
      'in_flight, 3/1',
    ],
    ['was answered', [opens(call()), GIVEN], 'done, 2/1, settled 3'],
    [
      'was approved, and answered',
      [opens(call({ status: 'asking' })), [decided('approve'), set('sent')], GIVEN],
      'done, 3/1, settled 4',
    ],
    ['was denied', [opens(call({ status: 'asking' })), [decided('deny'), done(true)]], 'not_sent, settled 3'],
    [
      'was refused at once',
      [opens(call({ status: 'done', error: true, result: 'x' }))],
      'not_sent, settled 2',
    ],
    ['has failed', [opens(call()), [failed('answered'), done(true)]], 'failed, 2/1, settled 3'],
    ['has not left the host', [opens(call()), [failed('unsent'), done(true)]], 'not_sent, settled 3'],
    ['has an unknown outcome', [opens(call()), [failed('unknown'), set('unknown')]], 'unknown, 2/1'],
    ['was in flight at a crash', [opens(call()), CRASHED], 'unknown, 2/1'],
    [
      'a person has assumed it',
      [opens(call()), CRASHED, [decided('assume'), done()]],
      'assumed_done, 2/1, settled 4',
    ],
    [
      'a person has said that it was not done',
      [opens(call()), CRASHED, [decided('deny'), done(true)]],
      'assumed_not_done, 2/1, settled 4',
    ],
    [
      'a person has sent it again',
      [opens(call()), CRASHED, [decided('resend', 'bob'), set('sent')], GIVEN],
      'done, 2/1, 4/2 bob, settled 5',
    ],
    [
      'sent again, and nothing left the host',
      [opens(call()), CRASHED, [decided('resend'), set('sent')], [failed('unsent'), done(true)]],
      'unknown, 2/1, settled 5',
    ],
    ['sent after two resumptions', [[RESUMED], [RESUMED], opens(call())], 'in_flight, 4/3'],
    [
      'sent again without a decision',
      [opens(call()), CRASHED, [RESUMED, set('sent')]],
      'in_flight, 2/1, 4/3',
    ],
    [
      'the turn was interrupted',
      [
        opens(call()),
        CRASHED,
        [
          { type: 'turn.interrupted', by: 'x', how: 'interrupt' },
          { closed: [call({ status: 'done', unsettled: true, error: true, result: 'x' })], settle: true },
        ],
      ],
      'unknown, 2/1, settled 4',
    ],
    ['the run has ended before it was sent', [opens(call({ status: 'asking' })), ENDED], 'not_sent'],
    ['the run has ended while it was in flight', [opens(call()), ENDED], 'unknown, 2/1'],
    [
      'the end closes what was not sent',
      [
        opens(call({ status: 'asking' }), call({ id: 'c2', key: 'k2', effect: 'none' })),
        [{ type: 'deadline.passed' }, { ending: { status: 'failed', stop_reason: 'timeout' } }],
      ],
      'not_sent, settled 3',
    ],
    [
      'the run of origin has sent it',
      [opens(call({ status: 'done', by_origin: true, result: 'x' }))],
      'by_origin, settled 2',
    ],
    [
      'another call was answered',
      [
        opens(call(), call({ id: 'c2', key: 'k2', effect: 'idempotent' })),
        [
          { type: 'call.answered', call_id: 'c2', result: 'x', latency_ms: 1 },
          { done: { call_id: 'c2', result: 'x' } },
        ],
      ],
      'in_flight, 2/1',
    ],
  ] as const satisfies readonly (readonly [string, readonly Step[], string])[])
    test(what, () => assert.deepEqual(shown([STARTED, ...steps]), [expected]))

  test('reads and idempotent calls have no receipts', () => {
    assert.deepEqual(
      shown([STARTED, opens(call({ effect: 'none' }), call({ effect: 'idempotent', key: 'k2' }))]),
      [],
    )
  })

  test('the digest is that of the tool and its arguments, as a person has edited them', () => {
    const edited = call({ args: { to: 'bob' }, proposed: { to: 'ada' } })
    const [write] = writesOf([
      STARTED,
      opens(call({ status: 'asking' })),
      [decided('approve'), { judged: [edited] }],
    ])
    assert.equal(write?.digest, sha256('{"arguments":{"to":"bob"},"tool":"send_mail"}'))
    assert.deepEqual([write?.call_id, write?.tool_name, write?.key], ['c1', 'send_mail', 'r1:1.1:c1'])
  })

  test('a rehearsal has sent nothing', () => {
    assert.deepEqual(shown([STARTED, opens(call()), GIVEN], { rehearsal: true }), ['rehearsed, settled 3'])
    assert.deepEqual(shown([STARTED, opens(call({ status: 'asking' }))], { rehearsal: true }), ['waiting'])
  })

  test('calls of later rounds and turns follow', () => {
    const next = call({ key: 'r1:1.2:c1' })
    assert.deepEqual(
      shown([STARTED, opens(call()), GIVEN, opens(next), [{ type: 'user.said', input: 'y' }]]),
      ['done, 2/1, settled 3', 'in_flight, 4/1'],
    )
  })

  test('sub-agents are named when they are called, and not while they wait for a place', () => {
    const agent = (alias: string, status: CallEntry['status']) =>
      call({
        id: alias,
        key: alias,
        status,
        effect: 'idempotent',
        agent: {
          alias,
          definition: 'd',
          run_id: `run-${alias}`,
          input: 'x',
          pass_context: false,
          limits: {},
        },
      })
    const { agents, writes } = recordedWrites(
      HEADER,
      eventsOf([
        STARTED,
        opens(agent('one', 'sent'), agent('two', 'queued'), agent('three', 'queued')),
        [{ type: 'call.answered', call_id: 'one', result: 'x', latency_ms: 1 }, set('sent', 'two')],
      ]),
    )
    assert.deepEqual(
      [agents, writes],
      [
        [
          { alias: 'one', run_id: 'run-one' },
          { alias: 'two', run_id: 'run-two' },
        ],
        [],
      ],
    )
  })
})

describe('the writes of a run that continues a state', () => {
  const restoring = (...calls: readonly CallEntry[]): Step => {
    const state = { ...restoredMembers(initialState('r0', 'a', 'p')), calls, status: 'waiting' as const }
    return [
      { type: 'run.restored', by: 'x', from: { state_id: 's', checkpoint_at: 'x', run_id: 'r0' }, state },
    ]
  }

  for (const [what, steps, expected] of [
    ['a call that was settled before is not its own', [restoring(call({ status: 'done', result: 'x' }))], []],
    ['a call that was sent before is not sent here', [restoring(call({ status: 'unknown' }))], ['unknown']],
    [
      'a person has assumed it here',
      [restoring(call({ status: 'unknown' })), [decided('assume'), done()]],
      ['assumed_done, settled 2'],
    ],
    [
      'a person has sent it again here',
      [restoring(call({ status: 'unknown' })), [decided('resend'), set('sent')], GIVEN],
      ['done, 2/1 ada, settled 3'],
    ],
    [
      'a question that was approved here',
      [restoring(call({ status: 'asking' })), [decided('approve'), set('sent')], GIVEN],
      ['done, 2/1, settled 3'],
    ],
    [
      'a call that the origin of a fork has answered',
      [restoring(call({ status: 'done', by_origin: true, result: 'x' }))],
      ['by_origin, settled 1'],
    ],
    [
      'a closed call whose outcome was not known',
      [
        restoring(call({ status: 'unknown' })),
        [
          { type: 'turn.interrupted', by: 'x', how: 'interrupt' },
          { closed: [call({ status: 'done', unsettled: true })], settle: true },
        ],
      ],
      ['unknown, settled 2'],
    ],
  ] as const satisfies readonly (readonly [string, readonly Step[], readonly string[]])[])
    test(what, () => assert.deepEqual(shown(steps), expected))

  test('a call that was settled before is not its own when the others of its round are settled', () => {
    const before = call({ id: 'c0', key: 'k0', status: 'done', result: 'x' })
    const steps = [
      restoring(before, call({ status: 'asking' })),
      [decided('approve'), set('sent')],
      GIVEN,
    ] as const
    assert.deepEqual(shown(steps), ['done, 2/1, settled 3'])
  })

  test('the fact that it was restored is returned, with the receipts that it has brought', () => {
    const [step] = restoring() as unknown as readonly [Extract<Fact, { type: 'run.restored' }>]
    const receipts = [{ type: 'receipts.end' }]
    const { restored } = recordedWrites(HEADER, eventsOf([[{ ...step, receipts }]]))
    assert.deepEqual([restored?.from.run_id, restored?.receipts], ['r0', receipts])
    assert.equal(recordedWrites(HEADER, eventsOf([STARTED])).restored, undefined)
  })
})
