import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Outcome, ReceiptLine, RecordedWrite } from '../../src/trust/receipts/receipt.ts'
import { verifyReceipts } from '../../src/trust/receipts/verify-receipts.ts'
import {
  A,
  B,
  BOTH,
  endOf,
  HOST_A,
  HOST_B,
  keyPair,
  moved,
  problemsIn,
  segment,
  textOf,
  UNSENT,
  verdictOn,
  write,
} from './receipts-file.ts'

const RESENT = { at: '2026-11-24T00:00:30.000Z', epoch: 2, by: 'ada' }
const AGAIN = { at: '2026-11-24T00:00:30.000Z', epoch: 2 }

const changed = (line: ReceiptLine | undefined, members: object) => ({ ...line, ...members })
const replaced = (lines: readonly object[], index: number, line: object) => lines.with(index, line)
const without = (lines: readonly object[], index: number) => lines.toSpliced(index, 1)

describe('receipts that are unchanged', () => {
  test('are proven: of one host, of two hosts, of sub-agents, and without any write', () => {
    const worker = segment([write(3)], { run: 'w1', root: 'r1' })
    const subagents = [{ alias: 'worker', run_id: 'w1', end: endOf(worker) }]
    for (const [lines, writes, hosts] of [
      [segment([]), 0, [A]],
      [segment([write(1), write(2)]), 2, [A]],
      [moved([write(1)], [write(2)]), 2, [A, B]],
      [[...worker, ...segment([write(1)], { subagents })], 2, [A]],
      [[...worker, ...moved([write(1)], [write(2)], { a: { subagents } })], 3, [A, B]],
    ] as const) {
      const verdict = verdictOn(lines)
      assert.deepEqual([verdict.ok, verdict.problems], [true, []])
      assert.deepEqual([verdict.writes.length, verdict.hosts], [writes, hosts])
      assert.ok(verdict.writes.every((one) => one.verdict === 'once'))
    }
  })

  test('name the run on its last host, its status, and the last sending of each write', () => {
    const { run_id, status, segments, writes } = verdictOn(moved([write(1)], [write(2)]))
    assert.deepEqual([run_id, status, segments], ['r2', 'completed', 2])
    assert.deepEqual(
      writes.map((one) => [one.key, one.run_id, one.host, one.sendings]),
      [
        ['r1:1.1:c1', 'r1', A, [{ ...write(1).sendings[0], host: A, run_id: 'r1' }]],
        ['r1:1.1:c2', 'r2', B, [{ ...write(2).sendings[0], host: B, run_id: 'r2' }]],
      ],
    )
  })

  test('a host without a name has that of its key', () => {
    const lines = segment([write(1)], { host: null })
    assert.deepEqual(verdictOn(lines).hosts, ['the key of A'])
    assert.deepEqual(verdictOn(lines, () => undefined).hosts, [HOST_A.id])
  })
})

describe('each manipulation is found, with its line', () => {
  const three = segment([write(1), write(2), write(3)])
  const two = moved([write(1)], [write(2)])
  const worker = segment([write(3)], { run: 'w1', root: 'r1' })
  const family = [
    ...worker,
    ...segment([write(1)], { subagents: [{ alias: 'w', run_id: 'w1', end: endOf(worker) }] }),
  ]
  const untrusted = keyPair()
  const other = segment([write(1), write(2)], { sign: untrusted.sign })

  for (const [what, lines, expected] of [
    [
      'a changed outcome',
      replaced(three, 1, changed(three[1], { outcome: 'failed' })),
      ['2 RECEIPT_CHANGED', '3 RECEIPT_MISPLACED'],
    ],
    [
      'a changed digest of the last receipt',
      replaced(three, 2, changed(three[2], { digest: 'f'.repeat(64) })),
      ['3 RECEIPT_CHANGED', '4 RECEIPT_MISPLACED'],
    ],
    [
      'an added member',
      replaced(three, 2, changed(three[2], { note: 'x' })),
      ['3 RECEIPT_CHANGED', '4 RECEIPT_MISPLACED'],
    ],
    [
      'a changed closing line',
      replaced(three, 3, changed(three[3], { status: 'failed' })),
      ['4 RECEIPT_CHANGED'],
    ],
    [
      'another signer of a line',
      replaced(three, 1, other[1] as object),
      ['2 RECEIPT_SIGNER', '2 RECEIPT_MISPLACED', '3 RECEIPT_MISPLACED'],
    ],
    ['a signer that is not trusted', other, ['3 RECEIPT_SIGNER']],
    ['a trusted signer of another host', segment([write(1)], { sign: HOST_B.sign }), ['2 RECEIPT_SIGNER']],
    ['a removed first line', without(three, 0), ['1 RECEIPT_MISSING']],
    ['a removed line', without(three, 1), ['2 RECEIPT_MISSING']],
    ['a removed last receipt', without(three, 2), ['3 RECEIPT_MISSING']],
    ['a removed closing line', without(three, 3), ['1 RECEIPT_MISSING']],
    ['no line at all', [], ['- RECEIPT_MISSING']],
    [
      'exchanged lines',
      [three[1], three[0], three[2], three[3]] as object[],
      ['1 RECEIPT_MISSING', '2 RECEIPT_MISPLACED', '3 RECEIPT_MISSING'],
    ],
    [
      'a repeated line',
      three.toSpliced(1, 0, three[0] as ReceiptLine),
      ['2 RECEIPT_MISPLACED', '- RECEIPT_SENT_AGAIN'],
    ],
    [
      'a line of another run',
      two.toSpliced(2, 0, three[0] as ReceiptLine),
      ['3 RECEIPT_SIGNER', '3 RECEIPT_MISPLACED', '- RECEIPT_SENT_AGAIN'],
    ],
    [
      'a line that is no receipt',
      [...three.slice(0, 1), { type: 'note' }, ...three.slice(1)],
      ['2 RECEIPT_UNREADABLE'],
    ],
    ['the segment of the first host removed', two.slice(2), ['2 RECEIPT_SEGMENT_MISSING']],
    ['the segment of a sub-agent removed', family.slice(2), ['2 RECEIPT_SEGMENT_MISSING']],
    ['the segment of the root removed', worker, ['2 RECEIPT_MISSING']],
    [
      'a segment of another run added',
      [...segment([write(4)], { run: 'r9' }), ...three],
      ['2 RECEIPT_UNCONNECTED'],
    ],
    [
      'an older segment of the first host',
      [...segment([], { status: 'migrating', to: { platform: B } }), ...two.slice(2)],
      ['1 RECEIPT_UNCONNECTED', '3 RECEIPT_SEGMENT_MISSING'],
    ],
    [
      'segments exchanged',
      [...two.slice(2), ...two.slice(0, 2)],
      ['2 RECEIPT_UNCONNECTED', '4 RECEIPT_INCOMPLETE'],
    ],
    ['a segment twice', [...two.slice(0, 2), ...two], ['2 RECEIPT_UNCONNECTED']],
  ] as const)
    test(what, () => {
      const found = problemsIn(lines)
      assert.deepEqual([...found].sort(), [...expected].sort())
      const { ok, problems } = verdictOn(lines)
      assert.equal(ok, false)
      for (const { message, hint } of problems) assert.ok(message !== '' && hint !== '')
    })

  test('a receipt of another host in a chain that is unbroken', () => {
    const foreign = write(1, { host: B } as Partial<RecordedWrite>)
    assert.deepEqual(problemsIn(segment([foreign])), ['1 RECEIPT_MISPLACED', '2 RECEIPT_MISSING'])
  })

  test('a text that is not JSON, or has no canonical form, is not a receipt', () => {
    const text = textOf(three)
    for (const line of ['', 'x', '[]', '1', text.split('\n')[0]?.replace('"n":1', '"n":1,"x":1e999')])
      assert.deepEqual(
        verifyReceipts(`${line}\n${text}`, BOTH).problems.map(({ line: at, code }) => [at, code]),
        [[1, 'RECEIPT_UNREADABLE']],
      )
  })

  test('a name that is written twice: another reader could take the other value', () => {
    const text = textOf(three)
    for (const [from, to] of [
      ['{', '{"outcome":"failed",'],
      ['{', '{"n":7,'],
      ['"sendings":[{', '"sendings":[{"by":"eve",'],
    ] as const)
      assert.notEqual(verifyReceipts(text.replace(from, to), BOTH).ok, true, to)
  })

  test('a file that was cut within a line', () => {
    const text = textOf(three)
    const verdict = verifyReceipts(text.slice(0, -10), BOTH)
    assert.deepEqual(
      verdict.problems.map(({ line, code }) => `${line} ${code}`),
      ['1 RECEIPT_MISSING', '4 RECEIPT_UNREADABLE'],
    )
    assert.equal(verdict.ok, false)
  })

  for (const [member, values] of Object.entries({
    v: [2, undefined],
    type: ['x', undefined],
    run_id: [1, undefined],
    root_run_id: [1],
    host: [1],
    signer: [1, undefined],
    sig: [1, undefined],
    n: ['1', -1, 1.5, undefined],
    prev: [1],
    call_id: [1, undefined],
    tool_name: [1],
    key: [1, undefined],
    digest: [1],
    outcome: ['x', undefined],
    settled_at: [1],
    sendings: [{}, [1], [{ at: 1, epoch: 1 }], [{ at: 'x', epoch: 'x' }], [{ at: 'x', epoch: 1, by: 1 }]],
  }))
    test(`a receipt whose ${member} is not one`, () => {
      for (const value of values)
        assert.ok(
          problemsIn(replaced(three, 0, changed(three[0], { [member]: value }))).includes(
            '1 RECEIPT_UNREADABLE',
          ),
        )
    })

  for (const [member, values] of Object.entries({
    agent_id: [1],
    status: [1, undefined],
    head: [1],
    at: [1],
    count: ['1', undefined],
    seq: ['1'],
    subagents: [{}, [{ alias: 'x', run_id: 'x' }]],
    from: [1, {}, { state_id: 's', fork: false }, { state_id: 's', seq: 'x' }, { state_id: 's', end: 1 }],
    to: [1, {}],
  }))
    test(`a closing line whose ${member} is not one`, () => {
      for (const value of values)
        assert.ok(
          problemsIn(replaced(three, 3, changed(three[3], { [member]: value }))).includes(
            '4 RECEIPT_UNREADABLE',
          ),
        )
    })
})

describe('segments of successive hosts', () => {
  const cases: readonly (readonly [string, readonly ReceiptLine[], readonly string[]])[] = [
    [
      'a run that was moved on is not covered',
      segment([], { status: 'moved', to: { platform: B, run_id: 'r2' } }),
      ['1 RECEIPT_INCOMPLETE'],
    ],
    [
      'a run that was not handed on cannot be continued',
      moved([], [], { a: { to: undefined as never } }),
      ['2 RECEIPT_UNCONNECTED'],
    ],
    [
      'it continues where it was handed to',
      moved([], [], { a: { to: { platform: A } } }),
      ['2 RECEIPT_UNCONNECTED'],
    ],
    [
      'it continues after the event of the capture',
      moved([], [], { a: { seq: 8 } }),
      ['2 RECEIPT_UNCONNECTED'],
    ],
    [
      'it continues the run that was captured',
      moved([], [], { a: { run: 'r0' } }),
      ['2 RECEIPT_UNCONNECTED'],
    ],
    [
      'a state without receipts proves nothing of the host before',
      segment([], { from: { state_id: 's1', run_id: 'r0' } }),
      ['1 RECEIPT_SEGMENT_MISSING'],
    ],
  ]
  for (const [what, lines, expected] of cases)
    test(what, () => assert.deepEqual(problemsIn(JSON.parse(JSON.stringify(lines))), expected))

  test('a sub-agent is the run that its parent names', () => {
    const worker = segment([], { run: 'w1', root: 'r1' })
    const lines = [
      ...worker,
      ...segment([], { subagents: [{ alias: 'w', run_id: 'w2', end: endOf(worker) }] }),
    ]
    assert.deepEqual(problemsIn(lines), ['2 RECEIPT_UNCONNECTED'])
  })

  test('a fork is another run: it may lack the receipts of its origin, but not change them', () => {
    const from = { state_id: 's1', run_id: 'r1', seq: 9, fork: true as const }
    const origin = segment([write(1)], { status: 'waiting' })
    const fork = (end?: string) =>
      segment([], { run: 'r2', from: { ...from, ...(end !== undefined && { end }) } })
    assert.deepEqual(problemsIn(fork()), [])
    const verdict = verdictOn([...origin, ...fork(endOf(origin))])
    assert.deepEqual(
      [verdict.ok, verdict.run_id, verdict.writes.map(({ of_origin, run_id }) => [of_origin, run_id])],
      [true, 'r2', [[true, 'r1']]],
    )
    assert.deepEqual(problemsIn(fork(endOf(origin))), ['1 RECEIPT_SEGMENT_MISSING'])
    const shifted = segment([], { run: 'r2', from: { ...from, seq: 7, end: endOf(origin) } })
    assert.deepEqual(problemsIn([...origin, ...shifted]), ['3 RECEIPT_UNCONNECTED'])
  })
})

describe('each write is judged over all hosts by its key', () => {
  const judged = (first: readonly RecordedWrite[], second: readonly RecordedWrite[]) => {
    const { ok, writes } = verdictOn(moved(first, second))
    return writes.map(({ verdict, outcome }) => [ok, verdict, outcome])
  }
  const one = (outcome: Outcome, changes: Partial<RecordedWrite> = {}) =>
    write(1, { outcome, ...changes } as Partial<RecordedWrite>)
  const unsent = (outcome: Outcome) => one(outcome, UNSENT)
  const again = (outcome: Outcome, sending: object) => one(outcome, { sendings: [sending as never] })

  for (const [outcome, verdict] of [
    ['waiting', 'waiting'],
    ['not_sent', 'not_sent'],
    ['in_flight', 'unknown'],
    ['done', 'once'],
    ['failed', 'once'],
    ['unknown', 'unknown'],
    ['assumed_done', 'once'],
    ['assumed_not_done', 'once'],
    ['by_origin', 'by_origin'],
    ['rehearsed', 'rehearsed'],
  ] as const)
    test(`on one host: ${outcome} is ${verdict}`, () => {
      const isUnsent = ['waiting', 'not_sent', 'by_origin', 'rehearsed'].includes(outcome)
      const { ok, writes } = verdictOn(segment([isUnsent ? unsent(outcome) : one(outcome)]))
      assert.deepEqual(
        [ok, writes.map((found) => [found.verdict, found.outcome])],
        [true, [[verdict, outcome]]],
      )
    })

  for (const [what, first, second, expected] of [
    ['a question that moved and was approved there', unsent('waiting'), one('done'), [true, 'once', 'done']],
    [
      'in flight, and a person has said that it was done',
      one('in_flight'),
      unsent('assumed_done'),
      [true, 'once', 'assumed_done'],
    ],
    ['in flight, and still not known', one('in_flight'), unsent('unknown'), [true, 'unknown', 'unknown']],
    [
      'in flight, and sent again by a person',
      one('in_flight'),
      again('done', RESENT),
      [true, 'resent', 'done'],
    ],
    [
      'in flight, and sent again by the host',
      one('in_flight'),
      again('done', AGAIN),
      [false, 'sent_again', 'done'],
    ],
    ['done, and sent again by the host', one('done'), again('done', AGAIN), [false, 'sent_again', 'done']],
    [
      'in flight, and the resend did not leave the host',
      one('in_flight'),
      unsent('not_sent'),
      [true, 'unknown', 'unknown'],
    ],
  ] as const)
    test(what, () => assert.deepEqual(judged([first], [second]), [expected]))

  test('a call that was left behind when the run moved was not sent, or its outcome is not known', () => {
    assert.deepEqual(judged([unsent('waiting')], []), [[true, 'not_sent', 'not_sent']])
    assert.deepEqual(judged([one('in_flight')], []), [[true, 'unknown', 'unknown']])
    assert.deepEqual(judged([one('done')], []), [[true, 'once', 'done']])
  })

  test('a call of a run that was moved away continues there', () => {
    const { writes } = verdictOn(segment([unsent('waiting')], { to: { platform: B } }))
    assert.deepEqual([writes[0]?.verdict, writes[0]?.outcome], ['waiting', 'waiting'])
  })

  test('within one host: only the first sending needs no decision', () => {
    const [sent] = write(1).sendings
    for (const [sendings, ok, verdict] of [
      [[sent, RESENT], true, 'resent'],
      [[sent, RESENT, { ...RESENT, epoch: 3 }], true, 'resent'],
      [[sent, AGAIN], false, 'sent_again'],
      [[RESENT, AGAIN], false, 'sent_again'],
      [[RESENT], true, 'resent'],
    ] as const) {
      const verdictOfIt = verdictOn(segment([one('done', { sendings: sendings as never })]))
      assert.deepEqual([verdictOfIt.ok, verdictOfIt.writes[0]?.verdict], [ok, verdict])
    }
  })

  test('two calls with one key on one host are one write that was sent twice', () => {
    const lines = segment([write(1), write(2, { key: write(1).key })])
    assert.deepEqual(problemsIn(lines), ['- RECEIPT_SENT_AGAIN'])
    assert.match(
      verdictOn(lines).problems[0]?.message ?? '',
      /send_mail \(key r1:1\.1:c1\) was sent 2 times: .*, /,
    )
  })

  test('a sub-agent that was moved along continues its own receipts', () => {
    const worker = segment([write(3, { outcome: 'in_flight', settled_at: undefined as never })], {
      run: 'w1',
      root: 'r1',
      to: { platform: B },
    })
    const named = (run_id: string, lines: readonly ReceiptLine[]) => [
      { alias: 'w', run_id, end: endOf(lines) },
    ]
    const before = segment([], { status: 'migrating', to: { platform: B }, subagents: named('w1', worker) })
    const from = (run_id: string, lines: readonly ReceiptLine[]) => ({
      state_id: 's',
      run_id,
      seq: 9,
      end: endOf(lines),
    })
    const there = { host: B, sign: HOST_B.sign }
    const again = segment([write(3)], { ...there, run: 'w2', root: 'r2', from: from('w1', worker) })
    const after = segment([], {
      ...there,
      run: 'r2',
      from: from('r1', before),
      subagents: named('w2', again),
    })
    assert.deepEqual(problemsIn([...worker, ...before, ...again, ...after]), ['- RECEIPT_SENT_AGAIN'])
    const settled = segment([write(3, { ...UNSENT, outcome: 'assumed_done' })], {
      ...there,
      run: 'w2',
      root: 'r2',
      from: from('w1', worker),
    })
    const end = segment([], {
      ...there,
      run: 'r2',
      from: from('r1', before),
      subagents: named('w2', settled),
    })
    assert.deepEqual(problemsIn([...worker, ...before, ...settled, ...end]), [])
  })

  test('a call that the origin of a fork has sent is named by its digest', () => {
    const origin = segment([write(1)])
    const from = { state_id: 's1', run_id: 'r1', seq: 9, fork: true as const }
    const taken = (digest: string) => write(2, { ...UNSENT, outcome: 'by_origin', digest })
    const keys = (digest: string) =>
      verdictOn([
        ...origin,
        ...segment([taken(digest)], { run: 'r2', from: { ...from, end: endOf(origin) } }),
      ]).writes.map(({ origin_key, of_origin }) => [origin_key, of_origin])
    assert.deepEqual(keys(write(1).digest), [
      [undefined, true],
      [write(1).key, undefined],
    ])
    const same = write(1, { ...UNSENT, outcome: 'by_origin' })
    const lines = [...origin, ...segment([same], { run: 'r2', from: { ...from, end: endOf(origin) } })]
    assert.deepEqual(
      verdictOn(lines).writes.map((one) => [one.verdict, one.of_origin, one.origin_key, one.run_id]),
      [['by_origin', true, write(1).key, 'r1']],
      'a call that was pending at the capture keeps its key',
    )
    assert.deepEqual(keys('e'.repeat(64)), [
      [undefined, true],
      [null, undefined],
    ])
  })
})
