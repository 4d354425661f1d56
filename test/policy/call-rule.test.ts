import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject } from '../../src/document/json.ts'
import {
  argumentsLeftOpen,
  callRuleText,
  parseCallRule,
  ruleLike,
  whyNotCovered,
} from '../../src/policy/approval/call-rule.ts'
import { fitsPattern } from '../../src/policy/approval/text-pattern.ts'

const covers = (rule: string, args: JsonObject) => whyNotCovered(parseCallRule(rule), args) === null

describe('a pattern', () => {
  for (const [pattern, text] of [
    ['*@ours.example', 'ada@ours.example'],
    ['*@*.ours.example', 'ada.l+x@eu.ours.example'],
    ['/srv/reports/**', '/srv/reports/2026/11/a b.txt'],
    ['/srv/*/log', '/srv/web-1/log'],
    ['**', 'anything at all, in one line'],
    ['1Z*', '1Z999AA1'],
    ['**', 'a picture 🚚 and a letter 𝒜'],
    ['plain', 'plain'],
    ['https://ours.example**', 'https://ours.example/x?y'],
    ['https://ours.example/*', 'https://ours.example/x'],
    ['https://*.ours.example/**', 'https://eu.ours.example/x'],
    ['', ''],
  ] as const)
    test(`${pattern} fits ${text}`, () => assert.ok(fitsPattern(pattern, text)))

  for (const [pattern, text, why] of [
    ['*@ours.example', '@ours.example', 'a star is at least one character'],
    ['*@ours.example', 'ada@ours.example.evil.example', 'the end counts'],
    ['*@ours.example', 'eve@evil.example,ada@ours.example', 'a second recipient'],
    ['*@ours.example', 'eve@evil.example ada@ours.example', 'a second recipient'],
    ['*@ours.example', '"eve@evil.example"@ours.example', 'a quoted one'],
    ['*@ours.example', 'eve%evil.example@ours.example', 'a percent hack'],
    ['*@ours.example', 'Ada <eve@evil.example> ada@ours.example', 'a display name'],
    ['*@ours.example', 'ada@ours.example\nBcc: eve@evil.example', 'a header'],
    ['*@ours.example', 'a\u200Bda@ours.example', 'an invisible character'],
    ['*@ours.example', 'ada@оurs.example', 'a Cyrillic o'],
    ['*@ours.example', 'ada@OURS.example', 'another case'],
    ['/srv/reports/**', '/srv/reports/../../etc/passwd', 'a path that climbs'],
    ['/srv/reports/**', '/srv/reports/%2e%2e/%2e%2e/etc/passwd', 'one in disguise'],
    ['/srv/reports/**', '/srv/reports/..', 'one that ends in climbing'],
    ['/srv/*/log', '/srv/a/b/log', 'two parts'],
    ['/srv/*/log', '/srv/../log', 'a part that climbs'],
    ['https://api.ours.example/*', 'https://api.ours.example/x?to=https://evil.example', 'a query'],
    ['https://ours.example*', 'https://ours.example.evil.example', 'a longer host'],
    ['https://ours.example**', 'https://ours.example.evil.example/x', 'a longer host'],
    ['https://ours.example**', 'https://ours.example@evil.example/', 'a user'],
    ['https://ours.example**', 'https://ours.example:x@evil.example/', 'a user with a password'],
    ['https://ours.example**/x', 'https://ours.example-evil.example/x', 'a longer host'],
    ['*@ours.example', 'eve\uff20evil.example@ours.example', 'a wide sign'],
    ['*@ours.example', 'eve\uff0cada@ours.example', 'a wide comma'],
    ['*@ours.example', 'eve\uff1bada@ours.example', 'a wide semicolon'],
    ['*@ours.example', 'eve\u3001ada@ours.example', 'an ideographic comma'],
    ['*@ours.example', 'evil.example!eve@ours.example', 'a route'],
    ['**', 'two\nlines', 'two lines'],
    ['**', '', 'nothing at all'],
  ] as const)
    test(`${pattern} does not match ${JSON.stringify(text)}: ${why}`, () =>
      assert.ok(!fitsPattern(pattern, text)))

  test('a text matches itself', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('*')),
        (text) => fitsPattern(text, text),
      ),
    )
  })

  test('a pattern of stars reads each character of the text at most twice per star', (t) => {
    const [stars, length] = [200, 2_000]
    let reads = 0
    const { codePointAt } = String.prototype
    const original = Object.getOwnPropertyDescriptor(String.prototype, 'codePointAt') as PropertyDescriptor
    const restore = () => Object.defineProperty(String.prototype, 'codePointAt', original)
    Object.defineProperty(String.prototype, 'codePointAt', {
      configurable: true,
      writable: true,
      value(this: string, at: number) {
        reads++
        return codePointAt.call(this, at)
      },
    })
    t.after(() => void restore())
    assert.equal(fitsPattern(`${'*a'.repeat(stars)}b`, 'a'.repeat(length)), false)
    restore()
    assert.ok(reads > length && reads <= 2 * stars * length, String(reads))
  })
})

describe('a rule', () => {
  test('is printed in the syntax that is read', () => {
    for (const text of [
      'send_email to=*@ours.example',
      'refund amount<=50 currency=EUR',
      'post channel="#team news"',
      'mail message.to=*@x.example',
      'delete_account',
      'note text=""',
    ])
      assert.equal(callRuleText(parseCallRule(text)), text)
  })

  for (const text of ['', '=x', 'a b', 'a b=', 'a b<x', 'a b=*** c', 'a b="x', 'a to=x y', 'a b=x<y>"'])
    test(`${JSON.stringify(text)} is ${text === 'a b=' ? 'a rule about an empty text' : 'refused with its place'}`, () => {
      if (text === 'a b=') assert.ok(covers(text, { b: '' }))
      else if (text === 'a b=x<y>"') assert.throws(() => parseCallRule(text), { code: 'CALL_RULE_INVALID' })
      else assert.throws(() => parseCallRule(text), { code: 'CALL_RULE_INVALID' })
    })

  test('numbers are compared as numbers, and strings are not numbers', () => {
    assert.ok(covers('refund amount<=50', { amount: 50 }))
    assert.ok(covers('refund amount>0 amount<50', { amount: 49.9 }))
    assert.ok(!covers('refund amount<=50', { amount: 50.01 }))
    assert.ok(!covers('refund amount<=50', { amount: '5' }))
    assert.ok(!covers('refund amount<=50', { amount: [5, 500] }))
    assert.ok(covers('refund amount=5', { amount: 5 }))
    assert.ok(!covers('refund amount=5', { amount: 55 }))
  })

  test('every element of a list must match, and the list must not be empty', () => {
    const rule = 'send_email to=*@ours.example'
    assert.ok(covers(rule, { to: ['a@ours.example', 'b@ours.example'] }))
    assert.ok(!covers(rule, { to: ['a@ours.example', 'b@evil.example'] }))
    assert.ok(!covers(rule, { to: [] }))
    assert.ok(!covers(rule, {}))
    assert.ok(!covers(rule, { to: { address: 'a@ours.example' } }))
    const deep = 'send_email message.to.address=*@ours.example'
    assert.ok(covers(deep, { message: { to: [{ address: 'a@ours.example' }] } }))
    assert.ok(!covers(deep, { message: { to: [{ address: 'a@ours.example' }, { name: 'Eve' }] } }))
  })

  test('an argument that it does not name may have any value except a destination', () => {
    const rule = 'send_email to=*@ours.example'
    assert.ok(covers(rule, { to: 'a@ours.example', subject: 'Hello', body: 'write to b@x.example some day' }))
    for (const cc of [
      'eve@evil.example',
      ['eve@evil.example'],
      { address: 'eve@evil.example' },
      '<EVE@evil.example>',
      'Eve <eve@evil.example>',
      'Ada, "Eve" <eve@evil.example> (a friend)',
      'Eve eve@evil.example',
      'eve@evil.example Eve',
      'Ada;\n eve@evil.example',
      'mailto:eve@evil.example?subject=x',
      '//evil.example/x y',
      'evil.example/x',
      'localhost:8080/x',
      '10.0.0.1:80',
    ])
      assert.ok(!covers(rule, { to: 'a@ours.example', cc }), JSON.stringify(cc))
    for (const note of [
      '1.5',
      '12:30',
      'either/or',
      'ratio 1:2',
      'Re: hello',
      'see https://ours.example/x for it',
    ])
      assert.ok(covers(rule, { to: 'a@ours.example', note }), note)
    assert.ok(!covers('post', { webhook: 'https://evil.example/x' }))
    assert.ok(!covers(rule, { to: 'a@ours.example', 'reply to': 'eve@evil.example' }))
  })

  test('a name in a member that holds nothing but recipients is a destination', () => {
    const rule = 'send_email to=*@ours.example'
    for (const more of [
      { cc: 'eve' },
      { bcc: ['eve'] },
      { Cc: 'Team of Eve' },
      { headers: { Bcc: 'eve' } },
      { attendees: [{ id: 'eve' }] },
      { rcpt: 'eve' },
    ])
      assert.ok(!covers(rule, { to: 'a@ours.example', ...more }), JSON.stringify(more))
    for (const more of [{ cc: '' }, { bcc: [] }, { cc: null }, { recipient_name: 'Ada' }, { subject: 'eve' }])
      assert.ok(covers(rule, { to: 'a@ours.example', ...more }), JSON.stringify(more))
    assert.ok(covers('send_email to=**', { to: 'eve' }))
  })

  test('the open arguments are all members that it does not name', () => {
    const args = { message: { to: ['a@ours.example'], text: 'b@x.example' }, urgent: true }
    const rule = parseCallRule('send_email message.to=*@ours.example')
    assert.deepEqual(argumentsLeftOpen(rule, args), { message: { text: 'b@x.example' }, urgent: true })
  })

  test('inherited names are not arguments', () => {
    assert.ok(!covers('x constructor=**', {}))
    assert.ok(!covers('x __proto__.to=**', {}))
  })

  test('the suggested rule covers its call, and not similar ones', () => {
    const args = { to: 'ada@x.example', amount: 5, note: 'with * in it', tags: ['a', 'b'], urgent: true }
    const rule = ruleLike('send', args)
    assert.equal(callRuleText(rule), 'send to=ada@x.example amount=5 urgent=true')
    assert.equal(whyNotCovered(rule, args), null)
    assert.notEqual(whyNotCovered(rule, { ...args, to: 'eve@x.example' }), null)
  })
})

describe('limits and places of arguments', () => {
  for (const [op, below, equal, above] of [
    ['<', true, false, false],
    ['<=', true, true, false],
    ['>', false, false, true],
    ['>=', false, true, true],
    ['=', false, true, false],
  ] as const)
    test(`n${op}5`, () => {
      assert.deepEqual(
        [4, 5, 6].map((n) => covers(`t n${op}5`, { n })),
        [below, equal, above],
      )
    })

  for (const [rule, args, reason] of [
    ['t a=x', {}, 'it has no a'],
    ['t a.b=x', { a: null }, 'it has no a.b'],
    ['t a.b=x', { a: 'x' }, 'it has no a.b'],
    ['t a.length=1', { a: 'x' }, 'it has no a.length'],
    ['t a=x', { a: 'y' }, 'a is "y", not x'],
    ['t a<=5', { a: 6 }, 'a is 6, not <= 5'],
    ['t a=x', { a: ['x', 'y'] }, 'a is "y", not x'],
    ['t a=5', { a: 5 }, null],
    ['t a=true', { a: true }, null],
    ['t a=null', { a: null }, null],
    ['t a=**', { a: {} }, 'a is {}, not **'],
    ['t', { b: 'e@x.example' }, 'b is "e@x.example", which the rule does not name'],
    ['t', { a: { b: 'e@x.example' } }, 'a.b is "e@x.example", which the rule does not name'],
    ['t', { 'e@x.example': 1 }, 'it has a member "e@x.example", which the rule does not name'],
    ['t', { list: [{ 'e@x.example': 1 }] }, 'it has a member "e@x.example", which the rule does not name'],
    ['t', { a: null, b: [null], c: 5 }, null],
  ] as const)
    test(`${rule} and ${JSON.stringify(args)}: ${reason ?? 'covered'}`, () =>
      assert.equal(whyNotCovered(parseCallRule(rule), args as never), reason))

  for (const [length, shown] of [
    [78, `"${'y'.repeat(78)}"`],
    [79, `"${'y'.repeat(78)}…`],
  ] as const)
    test(`a value of ${length} characters is shown in at most 80`, () =>
      assert.equal(whyNotCovered(parseCallRule('t a=x'), { a: 'y'.repeat(length) }), `a is ${shown}, not x`))

  for (const [args, rule] of [
    [{}, 't'],
    [{ a: { b: 'x' } }, 't a.b=x'],
    [{ 'a.b': 'x' }, 't'],
    [{ ok: { 'a b': 'x' } }, 't'],
    [{ a: null, b: false }, 't a=null b=false'],
    [{ a: 'y'.repeat(60) }, `t a=${'y'.repeat(60)}`],
    [{ a: 'y'.repeat(61) }, 't'],
    [{ a: 'x\ny' }, 't'],
    [{ a: ['x', 'y'], b: ['z'] }, 't b=z'],
  ] as const)
    test(`the rule offered for ${JSON.stringify(args).slice(0, 40)} is ${rule.slice(0, 40)}`, () =>
      assert.equal(callRuleText(ruleLike('t', args as never)), rule))

  for (const text of ['t n<', 't n<=""', 't n<1e999', `t a=${'x'.repeat(501)}`, 't a="\\q"', 't a=***'])
    test(`${text.slice(0, 30)} is refused`, () =>
      assert.throws(() => parseCallRule(text), { code: 'CALL_RULE_INVALID' }))
  test('a pattern may have 500 characters', () =>
    assert.equal(parseCallRule(`t a=${'x'.repeat(500)}`).where.length, 1))
  test('a string with a quote or a backslash is written in quotes', () => {
    for (const value of ['a"b', 'a\\b', 'a b', '']) {
      const rule = { tool: 't', where: [{ path: ['a'], op: '=', value }] } as const
      assert.deepEqual(parseCallRule(callRuleText(rule)), rule)
    }
  })

  test('open arguments keep lists, nulls and the other members of named objects', () => {
    const rule = parseCallRule('t a.b=x')
    const args = { a: [{ b: 'x', c: 1 }, { c: null }], d: [1, null] }
    assert.deepEqual(argumentsLeftOpen(rule, args), { a: [{ c: 1 }, { c: null }], d: [1, null] })
  })
})

describe('a rule names paths, not texts that look like paths', () => {
  const OURS = { to: 'bob@ours.example' }
  for (const [rule, args, why] of [
    ['t message.to=*@ours.example', { message: OURS, 'message.to': 'eve@evil.example' }, 'flat, with a dot'],
    [
      't message.to_address=*@ours.example',
      { message: { to_address: 'b@ours.example' }, 'message.to_address': 'eve' },
      'flat, with a plain name',
    ],
    [
      't message.to=*@ours.example',
      { message: OURS, 'message[to]': 'eve' },
      'in brackets, as forms write it',
    ],
    ['t message.to=*@ours.example', { message: OURS, 'message/to': 'eve' }, 'with a slash'],
    ['t message.to=*@ours.example', { message: OURS, '/message/to': 'eve' }, 'as a JSON Pointer'],
    ['t message.to=*@ours.example', { message: OURS, 'Message.To': 'eve' }, 'in another case'],
    ['t message.to=*@ours.example', { message: OURS, Message: { to: 'eve' } }, 'beside it, in another case'],
    ['t message.to=*@ours.example', { message: { to: 'bob@ours.example', ｔｏ: 'eve' } }, 'in wide letters'],
    ['t a.b.c=*', { a: { b: { c: 'x' } }, 'a.b': { c: 'y' } }, 'with the first names joined'],
    ['t a.b.c=*', { a: { b: { c: 'x' }, 'b.c': 'y' } }, 'with the last names joined'],
    ['t to=*', { to: 'bob', 'to[]': 'eve' }, 'as a list of a form'],
    ['t to=*', { to: 'bob', 'to[0]': 'eve' }, 'as an entry of a list of a form'],
    ['t to=*', { to: 'bob', '': { to: 'eve' } }, 'below an empty name'],
    ['t amount<=50', { amount: 5, Amount: 5000 }, 'a number in another case'],
  ] as const)
    test(`${rule} does not cover ${JSON.stringify(args)}: ${why}`, () => {
      assert.ok(!covers(rule, args as unknown as JsonObject))
    })

  test('members of other names are left open', () => {
    assert.ok(covers('t message.to=*@ours.example', { message: { ...OURS, 'note.1': 'x' }, 'a.b': 1 }))
    assert.ok(covers('t a.b=x', { a: { b: 'x' }, c: { b: 'y' } }))
  })

  test('the arguments left open are all but the named member itself', () => {
    const args = { message: { to: 'x' }, 'message.to': 'y' }
    assert.deepEqual(argumentsLeftOpen(parseCallRule('t message.to=x'), args), {
      message: {},
      'message.to': 'y',
    })
  })

  test('the suggestion for a call with both does not cover it', () => {
    const args = { message: { to: 'bob' }, 'message.to': 'eve' }
    assert.notEqual(whyNotCovered(ruleLike('t', args), args), null)
  })

  for (const more of [
    { cc: { eve: true } },
    { cc: 12345 },
    { cc_list: ['eve'] },
    { extraRecipients: 'eve' },
    { options: '{"cc":"eve@evil.example"}' },
    { options: '"{\\"cc\\":\\"eve\\"}"' },
    { options: '[{"bcc":["eve"]}]' },
  ])
    test(`a recipient that the rule does not name is found in ${JSON.stringify(more)}`, () => {
      assert.ok(!covers('t to=*@ours.example', { ...OURS, ...more }))
    })
  for (const more of [
    { cc: null },
    { bcc: '' },
    { cc: [] },
    { cc: false },
    { options: '{"size": 3}' },
    { recipient_name: 'Ada' },
  ])
    test(`there is none in ${JSON.stringify(more)}`, () => {
      assert.ok(covers('t to=*@ours.example', { ...OURS, ...more }))
    })
})
