import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compileCondition, evaluateCondition } from '../../src/condition/index.ts'

const numbers = Array.from({ length: 5_000 }, (_, index) => index)
const objects = numbers.map((id) => ({ id, name: `n${id}` }))
const text = 'a'.repeat(200_000)
const big = {
  numbers,
  objects,
  text,
  needle: `b${'a'.repeat(100_000)}`,
  spaces: `${' '.repeat(200_000)}x`,
  digits: '9'.repeat(300_000),
}
const wide = Object.fromEntries(numbers.slice(0, 200).map((n) => [`k${n}`, objects.slice(0, 50)]))
const nested = (levels: number, inside: unknown): unknown =>
  levels === 0 ? inside : { a: nested(levels - 1, inside), b: 1 }
const names = Object.fromEntries(numbers.flatMap((n) => [0, 1, 2, 3].map((k) => [`${n}-${k}`, n])))
const deep = { a: nested(55, numbers.slice(0, 700)) }
const ones = `[${'1,'.repeat(400)}1]`
const times = (text: string, count: number): string => text.repeat(count)

/** `result`: what it evaluates to within its steps, or the reason why it is stopped. */
type Attack = readonly [
  what: string,
  expr: string | object,
  payload: unknown,
  result: 'true' | 'false' | RegExp,
]

const tooLong = /it takes more than \d+ steps/
const tooNested = /nests deeper/
const tooMuch = /repeats too much/

const ATTACKS: Readonly<Record<string, readonly Attack[]>> = {
  jsonpath: [
    ['descent upon descent', '$..*..*..*..*', wide, tooLong],
    ['a hundred descents', `$${times('..*', 100)}`, deep, tooLong],
    ['descent that finds nothing', '$..*..*..zz', deep, tooLong],
    ['descent inside a filter', '$..[?count($..*) > 10000000]', wide, tooLong],
    ['filters inside filters', '$.objects[?$.objects[?$.objects[?@.id == -1]]]', big, tooLong],
    ['comparing the whole with the whole', '$.objects[?$.objects == $.objects]', big, tooLong],
    ['the same selector many times', `$${times('[*,*,*,*]', 20)}.zz`, nested(1, nested(30, 1)), tooLong],
    ['a backtracking pattern', "$[?match(@, '(a*)*b')]", big, tooLong],
    ['nested repetition', "$[?search(@, '((a{0,30}){0,30}){0,30}b')]", big, tooMuch],
    ['many alternatives', "$[?search(@, '(a|aa|aaa|b?c?d?){30}$')]", big, tooLong],
    ['a pattern from the payload', '$[?search(@, $.text)]', big, tooMuch],
    ['measuring a long text again and again', '$..[?length($.text) == 7]', big, tooLong],
    ['a member of a wide object in a loop', '$.numbers[?$.names.x == @]', { numbers, names }, 'false'],
    ['a pattern in a loop', "$.objects[?match(@.name, '[a-z][0-9]{1,20}x')]", big, tooLong],
    ['many brackets', `$[?${times('(', 2000)}@.a${times(')', 2000)}]`, {}, tooNested],
    ['many negations', `$[?${times('!', 4000)}@.a]`, {}, tooNested],
    ['a long chain', `$[?${times('@.a==1&&', 450)}true==true]`, {}, tooNested],
    ['many segments', `$${times('.a', 2000)}`, {}, tooNested],
  ],
  jmespath: [
    ['loops inside loops', 'numbers[?length($.numbers[?@ > `0`]) > `99999`]', big, tooLong],
    ['objects made of objects', `objects${times('[].[@,@]', 12)}`, big, tooLong],
    ['a list that doubles', `[@]${times('[][@,@]', 60)}[]`, {}, tooLong],
    ['a shared list written out', `@${times(' | [@,@]', 150)} | to_string(@)`, {}, tooLong],
    [
      'a shared list compared',
      `[@${times(' | [@,@]', 70)}, @${times(' | [@,@]', 70)}] | [0] == [1]`,
      {},
      tooLong,
    ],
    ['a text that doubles', `'a'${times(" | join('',[@,@])", 100)}`, {}, tooLong],
    ['a huge padding', "pad_left('a', `1000000000`)", {}, tooLong],
    ['a huge replacement', `replace(text, 'a', '${times('b', 3000)}')`, big, tooLong],
    ['a huge count', "replace('a', 'a', 'b', `1000000000`) == 'x'", big, 'false'],
    ['trimming what does not end', "trim_right(spaces) == 'x'", big, 'false'],
    ['searching what almost matches', 'contains(text, needle)', big, tooLong],
    [
      'maps inside maps of literals',
      `map(&map(&map(&map(&@,\`${ones}\`),\`${ones}\`),\`${ones}\`),\`${ones}\`)`,
      {},
      tooLong,
    ],
    ['new scopes', 'numbers[?let $a = @ in $a > `100000`]', big, tooLong],
    ['membership in a loop', 'objects[?contains($.objects, @)]', big, tooLong],
    ['many brackets', times('(', 4000), {}, tooNested],
    ['many negations', `${times('!', 4000)}a`, {}, tooNested],
    ['a long path', `a${times('.a', 2000)}`, {}, tooNested],
    ['a long chain', `a${times('||a', 1300)}`, {}, tooNested],
    ['a deep literal', `\`${times('[', 2000)}${times(']', 2000)}\``, {}, tooNested],
    ['an unfinished list', `[${times('a,', 2000)}a`, {}, /at its end/],
  ],
  cel: [
    ['loops inside loops', 'numbers.all(a, numbers.all(b, numbers.all(c, a + b + c >= 0.0)))', big, tooLong],
    ['loops that end at once', 'objects.all(a, objects.exists(b, true))', big, tooLong],
    ['loops of errors', `numbers.all(a, ${times('absent && ', 300)}absent)`, big, tooLong],
    ['loops that make lists', 'numbers.map(a, numbers.map(b, numbers)).size() == 1', big, tooLong],
    ['a text that doubles', `["x"]${times('.map(a, a + a)', 80)} == []`, {}, tooLong],
    [
      'a shared list compared',
      `[1]${times('.map(a,[a,a])', 80)} == [1]${times('.map(a,[a,a])', 80)}`,
      {},
      tooLong,
    ],
    ['a list grown by map', 'numbers.map(a, a).size() == 5000', big, 'true'],
    [
      'a number as the name of a member, in a loop',
      'numbers.all(n, !(n in names))',
      { numbers: numbers.slice(0, 2000), names },
      'true',
    ],
    [
      'a number as an index of a wide object, in a loop',
      'numbers.exists(n, names[n] == 0)',
      { numbers: numbers.slice(0, 2000), names },
      /out of bounds/,
    ],
    ['bytes that double', `[b"x"]${times('.map(a, a + a)', 80)} == []`, {}, tooLong],
    [
      'messages in messages',
      `[google.protobuf.Value{bool_value: true}]${times('.map(a, google.protobuf.ListValue{values: [a, a]})', 40)} == []`,
      {},
      /no message type/,
    ],
    ['comparing in a loop', 'objects.all(o, objects == objects)', big, tooLong],
    ['membership in a loop', 'objects.all(o, o in objects)', big, tooLong],
    ['searching what almost matches', 'text.contains(needle)', big, tooLong],
    ['a backtracking pattern', 'text.matches("(a*)*b")', big, 'false'],
    ['nested repetition', `text.matches("${times('(a?){100}', 20)}b")`, big, tooMuch],
    ['a pattern from the payload', 'text.matches(text)', big, tooMuch],
    ['a number of many digits', 'int(digits) > 1', big, tooLong],
    ['many brackets', `${times('(', 2000)}1${times(')', 2000)}`, {}, tooNested],
    [
      'brackets behind a raw string',
      `r'\\' == '' || ${times('(', 1500)}true${times(')', 1500)}`,
      {},
      tooNested,
    ],
    ['brackets behind a comment', `1 == 1 // "\n|| ${times('(', 1500)}true${times(')', 1500)}`, {}, /nests/],
    ['many negations', `${times('!', 4000)}true`, {}, tooNested],
    ['a long sum', `1${times('+1', 2000)} == 1`, {}, tooNested],
    ['a long path', `a${times('.a', 2000)}`, {}, tooNested],
    ['many choices', `${times('a?b:', 900)}c`, {}, tooNested],
  ],
  jsonlogic: [
    [
      'loops inside loops',
      { map: [{ var: 'numbers' }, { map: [numbers.slice(0, 500), { map: [[1, 2], 1] }] }] },
      big,
      tooLong,
    ],
    [
      'a text that doubles',
      { reduce: [{ var: 'numbers' }, { cat: [{ var: 'accumulator' }, { var: 'accumulator' }] }, 'x'] },
      big,
      tooLong,
    ],
    [
      'a list that doubles',
      { reduce: [{ var: 'numbers' }, { merge: [{ var: 'accumulator' }, { var: 'accumulator' }] }, [1]] },
      big,
      tooLong,
    ],
    ['searching what almost matches', { in: [{ var: 'needle' }, { var: 'text' }] }, big, tooLong],
    [
      'a list carried through a loop',
      { reduce: [{ var: 'numbers' }, { filter: [{ var: 'accumulator' }, true] }, { var: 'numbers' }] },
      big,
      tooLong,
    ],
    ['a deep rule', JSON.parse(`${times('{"!":', 1000)}1${times('}', 1000)}`), {}, tooNested],
    ['a long rule', { in: [1, numbers.concat(numbers)] }, {}, /longer than/],
    ['a long path', { '!': { var: times('a.', 10_000) } }, big, 'true'],
    [
      'many long paths',
      { missing: { var: 'paths' } },
      { paths: Array.from({ length: 10 }, () => times('a.', 50_000)) },
      'true',
    ],
  ],
}

describe('hostile conditions', () => {
  for (const [lang, attacks] of Object.entries(ATTACKS)) {
    for (const [what, expr, payload, expected] of attacks) {
      test(`${lang}: ${what} ${typeof expected === 'string' ? `is ${expected}` : 'is stopped'}`, () => {
        const { outcome, reason = '' } = compileCondition({ lang, expr }).evaluate(payload)
        assert.equal(outcome, typeof expected === 'string' ? expected : 'unevaluable', reason)
        if (typeof expected !== 'string') assert.match(reason, expected)
      })
    }
  }

  const PAYLOADS: readonly (readonly [what: string, make: () => unknown, reason: RegExp])[] = [
    ['too many values', () => Array.from({ length: 60_000 }, () => 1), /more than 50000 values/],
    ['too much text', () => ({ a: times('a', 2_000_000) }), /characters/],
    ['too many levels', () => nested(70, 1), /more than 64 levels/],
    ['a circle', circle, /more than 64 levels/],
    ['a number that JSON has not', () => ({ a: Number.NaN }), /not JSON/],
    ['a function', () => ({ a: () => 1 }), /not JSON/],
    ['nothing at all', () => undefined, /not JSON/],
    ['a member that throws', trap, /trapped/],
  ]
  for (const [what, make, reason] of PAYLOADS) {
    test(`a payload with ${what} is unevaluable in every language`, () => {
      const payload = make()
      const exprs = { jsonpath: '$', jmespath: '@', cel: 'true', jsonlogic: { '!': false } }
      for (const [lang, expr] of Object.entries(exprs)) {
        const result = evaluateCondition({ lang, expr }, payload)
        assert.equal(result.outcome, 'unevaluable')
        assert.match(result.reason ?? '', reason)
      }
    })
  }

  test('a big payload is decided like a small one', () => {
    const items = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `item ${id}`, tags: ['a', 'b'] }))
    const conditions = [
      { lang: 'jsonpath', expr: '$.items[?@.id == 2999]' },
      { lang: 'jmespath', expr: 'items[?id == `2999`]' },
      { lang: 'cel', expr: 'items.exists(i, i.id == 2999)' },
      { lang: 'jsonlogic', expr: { some: [{ var: 'items' }, { '==': [{ var: 'id' }, 2999] }] } },
    ]
    for (const condition of conditions) {
      assert.deepEqual(evaluateCondition(condition, { items }), { outcome: 'true' }, condition.lang)
    }
  })

  test('a stopped evaluation does not affect the next one, which has all its steps', () => {
    const compiled = compileCondition({ lang: 'cel', expr: 'n.all(a, n.all(b, a + b >= 0.0))' })
    assert.equal(compiled.evaluate({ n: numbers }).outcome, 'unevaluable')
    assert.deepEqual(compiled.evaluate({ n: [1, 2, 3] }), { outcome: 'true' })
    assert.ok(new Error('').stack?.includes('attacks.test.ts'), 'errors still have their stacks')
  })

  test('no prototype is reached or polluted', () => {
    const payload = JSON.parse('{"__proto__": {"polluted": true}, "list": [{"k": "__proto__"}]}') as unknown
    for (const condition of [
      { lang: 'jmespath', expr: 'group_by(list, &k)' },
      { lang: 'jmespath', expr: 'merge(@, {a: `1`})' },
      { lang: 'jmespath', expr: "from_items([['__proto__', @]])" },
      { lang: 'jmespath', expr: '{__proto__: @}' },
      { lang: 'jsonlogic', expr: { var: '__proto__.polluted' } },
      { lang: 'jsonpath', expr: '$.__proto__.polluted' },
    ]) {
      evaluateCondition(condition, payload)
      assert.equal(({} as { polluted?: boolean }).polluted, undefined, condition.lang)
    }
    assert.equal(evaluateCondition({ lang: 'jmespath', expr: 'polluted' }, payload).outcome, 'false')
    assert.equal(evaluateCondition({ lang: 'jsonpath', expr: '$.polluted' }, payload).outcome, 'false')
  })
})

function circle(): unknown {
  const value: Record<string, unknown> = {}
  value.self = value
  return value
}

function trap(): unknown {
  return Object.defineProperty({}, 'a', {
    enumerable: true,
    get: () => {
      throw new Error('trapped')
    },
  })
}
