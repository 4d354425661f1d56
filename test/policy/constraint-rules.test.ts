import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { breachOfAnswer, redactAnswer } from '../../src/policy/constraints/check-answer.ts'
import { breachOfCall, type CallInQuestion } from '../../src/policy/constraints/check-call.ts'
import { type ConstraintRule, describeRule } from '../../src/policy/constraints/constraint-rule.ts'
import { readConstraint } from '../../src/policy/constraints/read-constraint.ts'

type Of<K extends ConstraintRule['kind']> = Extract<ConstraintRule, { kind: K }>

const call = (args: object = {}, more: Partial<CallInQuestion> = {}): CallInQuestion => ({
  tool: 't',
  args: args as CallInQuestion['args'],
  at: 0,
  called: () => 0,
  succeeded: () => false,
  ...more,
})

describe('AAIF §3 constraints on the length of answers', () => {
  const four: Readonly<Record<Of<'length'>['unit'], readonly string[]>> = {
    characters: ['abcd', 'a😀 é', '   \n'],
    words: ['a b c d', ' a\tb\n\nc d '],
    sentences: ['A. B! C? D', 'A... B?! C. D.', 'One. 1.5 is two! Three.\nFour.', 'A. ... B. C? D'],
    lines: ['a\nb\nc\nd', '\na\n \nb\nc\nd\n'],
  }
  for (const [unit, texts] of Object.entries(four))
    for (const text of texts)
      test(`${JSON.stringify(text)} is four ${unit}`, () => {
        const rule = (max: number) => ({ kind: 'length', max, unit }) as Of<'length'>
        assert.equal(breachOfAnswer(rule(4), text), null)
        assert.equal(breachOfAnswer(rule(3), text), `it has 4 ${unit}, but at most 3 are allowed`)
      })

  for (const [unit, text, shorter] of [
    ['characters', 'a😀bc', 'a😀'],
    ['words', 'one  two three', 'one  two'],
    ['words', '', ''],
    ['sentences', 'One. Two! Three?', 'One. Two!'],
    ['sentences', 'It costs 1.50 euros. It is here. Buy it.', 'It costs 1.50 euros. It is here.'],
    ['sentences', 'See a.example... Then go. Or not.', 'See a.example... Then go.'],
    ['sentences', ' One. Two. Three.', 'One. Two.'],
    ['sentences', 'One', 'One'],
    ['sentences', '', ''],
    ['lines', 'a\n\nb\nc', 'a\nb'],
    ['lines', 'a\n \nb\nc', 'a\nb'],
  ] as const)
    test(`${JSON.stringify(text)} cut to two ${unit} is ${JSON.stringify(shorter)}`, () => {
      const rule = { kind: 'length', max: 2, unit } as const
      assert.equal(redactAnswer(rule, text), shorter)
      assert.equal(breachOfAnswer(rule, shorter), null)
    })
})

describe('AAIF §3 constraints on the form of answers', () => {
  for (const [format, text, holds] of [
    ['json', '{"a": 1}', true],
    ['json', ' 1 ', true],
    ['json', '{"a": 1} {}', false],
    ['json', '', false],
    ['one_line', 'a b', true],
    ['one_line', '\na b\n', true],
    ['one_line', 'a\nb', false],
    ['lower_case', 'straße 1', true],
    ['lower_case', 'a B', false],
    ['no_markdown', 'plain * text - here 1. x', true],
    ['no_markdown', '# title', false],
    ['no_markdown', 'a\n- item', false],
    ['no_markdown', '1. item', false],
    ['no_markdown', '> quote', false],
    ['no_markdown', '```', false],
    ['no_markdown', '|a|b|', false],
    ['no_markdown', 'so **bold** it is', false],
    ['no_markdown', 'a [link](https://a.example)', false],
    ['no_links', 'a.example', true],
    ['no_links', 'at https://a.example', false],
    ['no_links', 'at WWW.a.example', false],
    ['no_links', 'https://a.example', false],
  ] as const)
    test(`${JSON.stringify(text)} is ${holds ? '' : 'not '}${format}`, () =>
      assert.equal(breachOfAnswer({ kind: 'format', format }, text) === null, holds))

  for (const [format, text, redacted] of [
    ['one_line', ' a \n\n b ', 'a b'],
    ['lower_case', 'A b', 'a b'],
    ['no_links', 'https://a.example and www.b.example', '[removed] and [removed]'],
    ['no_markdown', '# a', null],
    ['json', '{', null],
  ] as const)
    test(`${JSON.stringify(text)} made ${format} is ${JSON.stringify(redacted)}`, () =>
      assert.equal(redactAnswer({ kind: 'format', format }, text), redacted))
})

describe('AAIF §3 phrases', () => {
  const never = (phrase: string) => ({ kind: 'contains', phrase, must: false }) as const
  const always = (phrase: string) => ({ kind: 'contains', phrase, must: true }) as const

  for (const [rule, text, breach] of [
    [never('Falcon'), 'a FALCON', 'it contains "Falcon"'],
    [never('Falcon'), 'an eagle', null],
    [never('Falcon'), '{"x":"\\u0046alcon"}', 'it contains "Falcon"'],
    [never('Falcon'), '{"x":"\\\\u0046alcon"}', 'it contains "Falcon"'],
    [never('Project Falcon'), '{"x":"Project\\nFalcon"}', 'it contains "Project Falcon"'],
    [always('Falcon'), 'a FALCON', null],
    [always('Falcon'), 'an eagle', 'it must contain "Falcon"'],
    // In the answer as text the phrase is not visible.
    [always('Falcon'), '{"x":"\\u0046alcon"}', 'it must contain "Falcon"'],
  ] as const)
    test(`${describeRule(rule)}: ${JSON.stringify(text)} ${breach === null ? 'is valid' : 'is a violation'}`, () =>
      assert.equal(breachOfAnswer(rule, text), breach))

  for (const [phrase, args, breach] of [
    ['Falcon', { body: 'a FALCON' }, true],
    ['Falcon', { body: 'an eagle' }, false],
    ['Falcon', { falcon: 1 }, true],
    ['Falcon', { list: [{ deep: 'falcon' }] }, true],
    ['Falcon', { json: '{"x":"\\u0046alcon"}' }, true],
    ['Project Falcon', { body: 'Project\nFalcon' }, true],
    ['Project Falcon', { body: 'Project \t Falcon' }, true],
    ['Project Falcon', { body: { x: 'Project', y: 'Falcon' } }, false],
    ['say "hi"', { body: 'then say "hi" again' }, true],
    ['say "hi"', { json: '{"x":"say \\"hi\\""}' }, true],
    ['null', { body: null }, true],
    ['Falcon', { body: null }, false],
    ['C:\\new', { path: 'C:\\new\\x' }, true],
    ['4711', { id: 4711 }, true],
    // The index in a list is not a text of the call.
    ['0', { list: ['x'] }, false],
  ] as const)
    test(`arguments ${JSON.stringify(args)} ${breach ? 'contain' : 'do not contain'} ${phrase}`, () => {
      const expected = breach ? `the arguments contain ${JSON.stringify(phrase)}` : null
      assert.equal(breachOfCall(never(phrase), call(args)), expected)
      assert.equal(breachOfCall(always(phrase), call(args)), null)
    })

  test('a phrase is removed literally: its characters have no special meaning', () => {
    assert.equal(redactAnswer(never('a.b (c)'), 'x A.b  (c) y'), 'x [removed] y')
    assert.equal(redactAnswer(never('a.b'), 'axb'), 'axb')
    assert.equal(redactAnswer(never('removed'), 'it was removed'), null)
  })
})

describe('AAIF §3 constraints on calls', () => {
  test('a rule for one tool does not apply to another, and rules for answers do not apply to calls', () => {
    assert.equal(breachOfCall({ kind: 'never_call', tool: 'other' }, call()), null)
    assert.equal(breachOfCall({ kind: 'never_call', tool: 't' }, call()), 't must never be called')
    assert.equal(breachOfCall({ kind: 'length', max: 0, unit: 'words' }, call({ a: 'b' })), null)
    assert.equal(breachOfCall({ kind: 'format', format: 'json' }, call({ a: 'b' })), null)
    assert.equal(breachOfAnswer({ kind: 'never_call', tool: 't' }, 't'), null)
    assert.equal(redactAnswer({ kind: 'never_call', tool: 't' }, 't'), null)
  })

  test('each tool is counted separately', () => {
    const rule = { kind: 'call_count', tool: 't', max: 1 } as const
    const called = (tool: string) => (tool === 't' ? 0 : 9)
    assert.equal(breachOfCall(rule, call({}, { called })), null)
    assert.match(breachOfCall(rule, call({}, { called: () => 1 })) ?? '', /1 times/)
  })

  const MONDAY = Date.UTC(2026, 10, 16)
  const DAY = 86_400_000
  for (const [from, to, minute, inside] of [
    [540, 1020, 539, false],
    [540, 1020, 540, true],
    [540, 1020, 1019, true],
    [540, 1020, 1020, false],
    [545, 546, 545, true],
    [1320, 360, 1319, false],
    [1320, 360, 1320, true],
    [1320, 360, 0, true],
    [1320, 360, 359, true],
    [1320, 360, 360, false],
    [600, 600, 600, false],
    [600, 600, 599, false],
    [0, 1440, 1439, true],
  ] as const)
    test(`minute ${minute} is ${inside ? 'in' : 'out'}side ${from} to ${to}`, () => {
      const rule = { kind: 'call_time', tool: 't', from, to, weekdays: false } as const
      assert.equal(breachOfCall(rule, call({}, { at: MONDAY + minute * 60_000 })) === null, inside)
    })

  test('weekdays are Monday to Friday in UTC', () => {
    const rule = { kind: 'call_time', tool: 't', from: 0, to: 1440, weekdays: true } as const
    const open = [0, 1, 2, 3, 4, 5, 6].map(
      (day) => breachOfCall(rule, call({}, { at: MONDAY + day * DAY })) === null,
    )
    assert.deepEqual(open, [true, true, true, true, true, false, false])
  })

  for (const [value, size] of [
    [undefined, 0],
    [null, 0],
    [[], 0],
    [['a', 'b'], 2],
    ['', 0],
    ['a', 1],
    ['a, b; c', 3],
    ['a,, ;b', 2],
    [5, 1],
    [{}, 1],
  ] as const)
    test(`${JSON.stringify(value)} has ${size} entries`, () => {
      const rule = (max: number) => ({ kind: 'items', tool: 't', argument: 'to', max }) as const
      assert.equal(breachOfCall(rule(size), call({ to: value })), null)
      const breach = `to has ${size} entries, but at most ${size - 1} are allowed`
      assert.equal(breachOfCall(rule(size - 1), call({ to: value })), breach)
    })

  for (const [argument, what, value, args, fits] of [
    ['a', 'is', 'X', { a: ' x ' }, true],
    ['a', 'is', 'x', { a: 'xy' }, false],
    ['a', 'is', 'true', { a: true }, true],
    ['a', 'is', '5', { a: 5 }, true],
    ['a', 'is', 'null', { a: null }, false],
    ['a', 'is', '[object Object]', { a: {} }, false],
    ['a', 'starts', 'X', { a: 'xy' }, true],
    ['a', 'starts', 'x', { a: 'yx' }, false],
    ['a', 'ends', 'X', { a: 'yx' }, true],
    ['a', 'ends', 'x', { a: 'xy' }, false],
    ['a', 'below', '5', { a: 5 }, true],
    ['a', 'below', '5', { a: 6 }, false],
    ['a', 'below', '5', { a: '4' }, false],
    ['a', 'below', '5', { a: [4, 5] }, true],
    ['a', 'below', '5', { a: [4, 6] }, false],
    ['a', 'is', 'x', { a: [] }, false],
    ['a', 'is', 'x', {}, false],
    ['a.b', 'is', 'x', { a: { b: 'x' } }, true],
    ['a.b', 'is', 'x', { a: 'x' }, false],
    ['a.b', 'is', 'x', { a: null }, false],
    ['a.length', 'is', '1', { a: 'x' }, false],
    ['a.0', 'is', 'x', { a: ['x'] }, false],
    ['constructor.name', 'is', 'Object', {}, false],
    // Only recipients are written as a list in one string.
    ['to', 'is', 'x', { to: 'x, X' }, true],
    ['to', 'is', 'x', { to: 'x, y' }, false],
    ['to', 'is', 'x', { to: 'x,' }, false],
    ['to', 'is', '5', { to: 5 }, true],
    ['a', 'is', 'x', { a: 'x, x' }, false],
  ] as const)
    test(`${JSON.stringify(args)} ${fits ? 'matches' : 'does not match'}: ${argument} ${what} ${value}`, () => {
      const rule = { kind: 'argument', tool: 't', argument, test: what, value } as const
      assert.equal(breachOfCall(rule, call(args)) === null, fits)
    })
})

describe('rules as text in the plan', () => {
  const window = { kind: 'call_time', tool: 't', from: 545, to: 1440 } as const
  for (const [rule, words] of [
    [{ kind: 'length', max: 3, unit: 'words' }, 'answers have at most 3 words'],
    [{ kind: 'contains', phrase: 'x', must: true }, 'answers contain "x"'],
    [{ kind: 'contains', phrase: 'x', must: false }, 'answers do not contain "x"'],
    [{ kind: 'format', format: 'json' }, 'answers are one JSON value'],
    [{ kind: 'never_call', tool: 't' }, 't is never called'],
    [{ kind: 'call_after', tool: 't', first: 'u' }, 't is called only after u has succeeded in the same run'],
    [{ kind: 'call_count', tool: 't', max: 1 }, 't is called at most once in a run'],
    [{ kind: 'call_count', tool: 't', max: 2 }, 't is called at most 2 times in a run'],
    [{ ...window, weekdays: false }, 't is called only from 09:05 to 24:00 UTC'],
    [{ ...window, weekdays: true }, 't is called only from 09:05 to 24:00 UTC, Monday to Friday'],
    [{ kind: 'items', tool: 't', argument: 'to', max: 2 }, 't has at most 2 in to'],
    [
      { kind: 'items', tool: null, argument: 'to', max: 2 },
      'every call has at most 2 recipients, counting to, cc and bcc',
    ],
    [
      { kind: 'argument', tool: 't', argument: 'a', test: 'below', value: '5' },
      't is called only when a is at most 5',
    ],
  ] as readonly (readonly [ConstraintRule, string])[])
    test(words, () => assert.equal(describeRule(rule), words))
})

describe('sentences outside the examples of the grammar', () => {
  const tools = new Set(['t', 'u'])
  const length = (max: number, unit: string) => ({ kind: 'length', max, unit })
  const argument = (what: string, value: string) => ({
    kind: 'argument',
    tool: 't',
    argument: 'a',
    test: what,
    value,
  })
  for (const [text, rule] of [
    ['Answers must be at most ten characters', length(10, 'characters')],
    ['Answers must be at most 5 CHARS', length(5, 'characters')],
    ['Keep answers within 2 lines', length(2, 'lines')],
    ['Write no more than one sentence', length(1, 'sentences')],
    ['Never write more than four words', length(4, 'words')],
    ['Never mention " "', null],
    ['Answer only in one line', { kind: 'format', format: 'one_line' }],
    ['Answer only in lower case', { kind: 'format', format: 'lower_case' }],
    ['Never use Markdown', { kind: 'format', format: 'no_markdown' }],
    ['Never use links', { kind: 'format', format: 'no_links' }],
    ['Call t at most twice', { kind: 'call_count', tool: 't', max: 2 }],
    ['Call x at most twice', null],
    ['Call t only after u', { kind: 'call_after', tool: 't', first: 'u' }],
    ['Call t only after x', null],
    ['Call x only after u', null],
    ['Never call t with more than 5 to', { kind: 'items', tool: 't', argument: 'to', max: 5 }],
    ['Never call x with more than 5 to', null],
    ['At most 3 recipients', { kind: 'items', tool: null, argument: 'to', max: 3 }],
    ['Call t only when a is "x"', argument('is', 'x')],
    ['Call t only when a equals "x"', argument('is', 'x')],
    ['Call t only when a starts with "x"', argument('starts', 'x')],
    ['Call t only when a begins with "x"', argument('starts', 'x')],
    ['Call t only when a ends in "x"', argument('ends', 'x')],
    ['Call t only when a is at most "5"', argument('below', '5')],
    ['Call t only when a is at most "x"', null],
    ['Call t only with a under -1.5', argument('below', '-1.5')],
    [`Never mention "${'x'.repeat(500)}"`, { kind: 'contains', phrase: 'x'.repeat(500), must: false }],
    [`Never mention "${'x'.repeat(501)}"`, null],
    [`Never call t${' '.repeat(988)}`, { kind: 'never_call', tool: 't' }],
    [`Never call t${' '.repeat(989)}`, null],
  ] as const)
    test(`${text.trim().slice(0, 60)} is ${rule === null ? 'no rule' : rule.kind}`, () =>
      assert.deepEqual(readConstraint(text, tools), rule))

  for (const [days, weekdays] of [
    [' on weekdays', true],
    [', Monday to Friday', true],
    [' Mon-Fri', true],
    [' on Sundays', null],
  ] as const)
    test(`a window${days} ${weekdays === null ? 'is no rule' : 'is for weekdays'}`, () => {
      const rule = readConstraint(`Call t only between 09:00 and 17:00${days}`, tools)
      assert.equal(rule?.kind === 'call_time' ? rule.weekdays : null, weekdays)
    })
})
