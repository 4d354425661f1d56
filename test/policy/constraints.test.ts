import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { breachOfAnswer, redactAnswer } from '../../src/policy/constraints/check-answer.ts'
import { breachOfCall, type CallInQuestion } from '../../src/policy/constraints/check-call.ts'
import { type ConstraintRule, describeRule } from '../../src/policy/constraints/constraint-rule.ts'
import { CONSTRAINT_FORMS, readConstraint } from '../../src/policy/constraints/read-constraint.ts'

const TOOLS = new Set([
  'send_email',
  'approve_draft',
  'delete_record',
  'backup_record',
  'refund',
  'find_order',
  'search',
  'send_sms',
  'book_meeting',
  'delete_account',
])

describe('the grammar of constraints', () => {
  test('every published example is read by its own form', () => {
    for (const { examples, pattern } of CONSTRAINT_FORMS) {
      assert.ok(examples.length > 0)
      for (const example of examples) {
        assert.ok(pattern.test(example), example)
        const rule = readConstraint(example, TOOLS)
        assert.ok(rule, `not read: ${example}`)
        assert.ok(describeRule(rule).length > 5)
      }
    }
  })

  const READ: readonly (readonly [string, ConstraintRule])[] = [
    ['Answers must be at most 200 words', { kind: 'length', max: 200, unit: 'words' }],
    ['Keep your answers under 3 sentences.', { kind: 'length', max: 3, unit: 'sentences' }],
    ['Never mention "Project Falcon".', { kind: 'contains', phrase: 'Project Falcon', must: false }],
    [
      'Every answer must contain “not legal advice”.',
      { kind: 'contains', phrase: 'not legal advice', must: true },
    ],
    ['Answers must be valid JSON.', { kind: 'format', format: 'json' }],
    ['Never call delete_account.', { kind: 'never_call', tool: 'delete_account' }],
    [
      'Never call `send_email` unless `approve_draft` has succeeded',
      { kind: 'call_after', tool: 'send_email', first: 'approve_draft' },
    ],
    ['Call search at most 5 times per run', { kind: 'call_count', tool: 'search', max: 5 }],
    [
      'Only call book_meeting between 9:00 and 17:30 UTC on weekdays',
      { kind: 'call_time', tool: 'book_meeting', from: 540, to: 1050, weekdays: true },
    ],
    [
      'Call refund only when amount is at most 50',
      { kind: 'argument', tool: 'refund', argument: 'amount', test: 'below', value: '50' },
    ],
    [
      'Only call send_email with to ending in "@ours.example"',
      { kind: 'argument', tool: 'send_email', argument: 'to', test: 'ends', value: '@ours.example' },
    ],
    ['Never send an email to more than 3 recipients', { kind: 'items', tool: null, argument: 'to', max: 3 }],
  ]
  test('sentences become the rules that they state', () => {
    for (const [text, rule] of READ) assert.deepEqual(readConstraint(text, TOOLS), rule, text)
  })

  for (const [times, rule] of [
    ['between 00:00 and 24:00', { from: 0, to: 1440 }],
    ['between 09:59 and 17:00', { from: 599, to: 1020 }],
    ['between 24:00 and 06:59', { from: 1440, to: 419 }],
    ['between 09:00 and 24:01', null],
    ['between 09:00 and 27:00', null],
    ['between 24:01 and 09:00', null],
    ['between 09:60 and 17:00', null],
    ['between 09:00 and 17:60', null],
  ] as const) {
    test(`${times} is ${rule === null ? 'not a time of day' : 'a time of day'}`, () => {
      const expected =
        rule === null ? null : { kind: 'call_time', tool: 'book_meeting', ...rule, weekdays: false }
      assert.deepEqual(readConstraint(`Only call book_meeting ${times}`, TOOLS), expected)
    })
  }

  test('a sentence outside the grammar is not a rule: no part of a sentence is ignored', () => {
    for (const text of [
      'Be polite.',
      'Never promise a delivery time that the look-up does not give.',
      'Never call delete_account unless the user has asked for it in writing.',
      'Never mention "Project Falcon" to customers.',
      'Answers must be at most 200 words unless asked otherwise.',
      'Never call fly_to_moon.',
      'Call search at most many times',
      'x'.repeat(5000),
      '',
    ]) {
      assert.equal(readConstraint(text, TOOLS), null, text)
    }
  })

  test('hostile sentences are not read as rules', () => {
    for (const text of [
      'never call '.repeat(90),
      `Never mention "${'"'.repeat(900)}`,
      `Answers must be ${'a '.repeat(400)}`,
      `Only call ${'a'.repeat(900)}`,
    ]) {
      assert.equal(readConstraint(text, TOOLS), null)
    }
  })
})

describe('rules on answers', () => {
  const breaks = (rule: ConstraintRule, text: string) => breachOfAnswer(rule, text) !== null
  test('lengths are counted in their unit', () => {
    assert.equal(breaks({ kind: 'length', max: 3, unit: 'words' }, 'one two three'), false)
    assert.equal(breaks({ kind: 'length', max: 3, unit: 'words' }, 'one two three four'), true)
    assert.equal(breaks({ kind: 'length', max: 2, unit: 'characters' }, '😀😀'), false)
    assert.equal(breaks({ kind: 'length', max: 1, unit: 'sentences' }, 'One. Two.'), true)
    assert.equal(breaks({ kind: 'length', max: 2, unit: 'lines' }, 'a\n\nb\n'), false)
  })

  test('a forbidden phrase is found under every obfuscation', () => {
    const rule: ConstraintRule = { kind: 'contains', phrase: 'Project Falcon', must: false }
    for (const text of [
      'see project falcon',
      'PROJECT  FALCON',
      'Project\nFalcon',
      'Pro\u200bject Fal\u00adcon',
      '\uff30roject Falcon',
      'Project\u00a0Falcon',
      'x Project\tFalcon y',
    ]) {
      assert.ok(breaks(rule, text), JSON.stringify(text))
      const redacted = redactAnswer(rule, text)
      assert.ok(redacted === null || !breaks(rule, redacted), `${JSON.stringify(text)} -> ${redacted}`)
    }
    assert.equal(breaks(rule, 'Project Eagle'), false)
  })

  test('redaction removes the violating parts, or reports that it cannot', () => {
    assert.equal(redactAnswer({ kind: 'length', max: 2, unit: 'words' }, 'one two three'), 'one two')
    assert.equal(redactAnswer({ kind: 'contains', phrase: 'x', must: true }, 'y'), null)
    assert.equal(redactAnswer({ kind: 'format', format: 'json' }, 'y'), null)
    assert.equal(
      redactAnswer({ kind: 'format', format: 'no_links' }, 'see https://a.example/b now'),
      'see [removed] now',
    )
  })
})

describe('rules on calls', () => {
  const call = (tool: string, args = {}, more: Partial<CallInQuestion> = {}): CallInQuestion => ({
    tool,
    args,
    at: Date.UTC(2026, 10, 20, 12, 0),
    called: () => 0,
    succeeded: () => false,
    ...more,
  })
  const breaks = (rule: ConstraintRule, question: CallInQuestion) => breachOfCall(rule, question) !== null

  test('order, count and prohibition', () => {
    const after: ConstraintRule = { kind: 'call_after', tool: 'send_email', first: 'approve_draft' }
    assert.ok(breaks(after, call('send_email')))
    assert.ok(!breaks(after, call('send_email', {}, { succeeded: (tool) => tool === 'approve_draft' })))
    assert.ok(!breaks(after, call('search')))
    const twice: ConstraintRule = { kind: 'call_count', tool: 'search', max: 2 }
    assert.ok(!breaks(twice, call('search', {}, { called: () => 1 })))
    assert.ok(breaks(twice, call('search', {}, { called: () => 2 })))
    assert.ok(breaks({ kind: 'never_call', tool: 'refund' }, call('refund')))
  })

  test('the window is in UTC, may span midnight, and excludes weekends', () => {
    const day: ConstraintRule = { kind: 'call_time', tool: 't', from: 540, to: 1020, weekdays: true }
    const at = (d: number, h: number) => call('t', {}, { at: Date.UTC(2026, 10, d, h, 0) })
    assert.ok(!breaks(day, at(20, 9)))
    assert.ok(breaks(day, at(20, 17)))
    assert.ok(breaks(day, at(21, 12)))
    const night: ConstraintRule = { kind: 'call_time', tool: 't', from: 1320, to: 360, weekdays: false }
    assert.ok(!breaks(night, at(21, 23)))
    assert.ok(!breaks(night, at(21, 3)))
    assert.ok(breaks(night, at(21, 12)))
  })

  test('arguments: every recipient must match, in lists and in strings', () => {
    const ours: ConstraintRule = {
      kind: 'argument',
      tool: 'send_email',
      argument: 'to',
      test: 'ends',
      value: '@ours.example',
    }
    const to = (value: unknown) => call('send_email', { to: value } as never)
    assert.ok(!breaks(ours, to('a@ours.example')))
    assert.ok(!breaks(ours, to(['a@ours.example', 'B@OURS.example'])))
    assert.ok(!breaks(ours, to('a@ours.example, b@ours.example')))
    for (const bad of [
      'a@other.example',
      ['a@ours.example', 'x@evil.example'],
      'a@ours.example, x@evil.example',
      'x@evil.example;a@ours.example',
      [],
      {},
      null,
      5,
    ]) {
      assert.ok(breaks(ours, to(bad)), JSON.stringify(bad))
    }
    assert.ok(breaks(ours, call('send_email', {})))
    const many: ConstraintRule = { kind: 'items', tool: null, argument: 'to', max: 2 }
    assert.ok(breaks(many, to(['a', 'b', 'c'])))
    assert.ok(breaks(many, to('a, b; c')))
    const cheap: ConstraintRule = {
      kind: 'argument',
      tool: 'refund',
      argument: 'amount',
      test: 'below',
      value: '50',
    }
    assert.ok(!breaks(cheap, call('refund', { amount: 50 })))
    assert.ok(breaks(cheap, call('refund', { amount: 50.01 })))
    assert.ok(breaks(cheap, call('refund', { amount: '10' })))
  })

  test('a phrase that answers must not contain must not be sent in calls either', () => {
    assert.ok(
      breaks(
        { kind: 'contains', phrase: 'falcon', must: false },
        call('send_email', { body: 'about FALCON' }),
      ),
    )
  })
})
