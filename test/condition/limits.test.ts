import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Budget } from '../../src/condition/budget.ts'
import { checkExpressionText } from '../../src/condition/expression-text.ts'
import { checkCondition, evaluateCondition } from '../../src/condition/index.ts'
import {
  MAX_EXPRESSION_DEPTH,
  MAX_EXPRESSION_LENGTH,
  MAX_PATTERN_SIZE,
  MAX_PAYLOAD_DEPTH,
  MAX_PAYLOAD_TEXT,
  MAX_PAYLOAD_VALUES,
  MAX_RULE_LENGTH,
  MAX_STEPS,
  MAX_TREE_DEPTH,
} from '../../src/condition/limits.ts'
import { LinearPatterns } from '../../src/condition/linear-regex.ts'
import { viewPayload, withInput } from '../../src/condition/payload-view.ts'
import { Unevaluable } from '../../src/condition/unevaluable.ts'
import { Weights } from '../../src/condition/weight.ts'
import { CountingBudget } from './counting-budget.ts'

describe('a budget', () => {
  test('it is exhausted by the first step beyond its last', () => {
    const budget = new Budget()
    budget.spend(MAX_STEPS)
    assert.equal(budget.exhausted, false)
    budget.spend(0)
    assert.throws(() => budget.spend(0.01), {
      name: 'Unevaluable',
      message: `it takes more than ${MAX_STEPS} steps`,
      hint: 'test less of the payload, or avoid nested loops',
    })
    assert.equal(budget.exhausted, true)
    assert.throws(() => budget.spend(0), Unevaluable)
  })

  test('a cost that is not a number exhausts it', () => {
    const budget = new Budget()
    assert.throws(() => budget.spend(Number.NaN), Unevaluable)
    assert.equal(budget.exhausted, true)
  })

  const searches: readonly (readonly [text: number, wanted: number, steps: number])[] = [
    [64, 0, 1],
    [64, 1, 1],
    [64, 8, 8],
    [64, 64, 64],
    [64, 100, 64],
    [0, 100, 0],
  ]
  for (const [text, wanted, steps] of searches) {
    test(`a search for ${wanted} characters in ${text} takes ${steps} steps`, () => {
      const budget = new CountingBudget()
      budget.spendSearch('a'.repeat(text), 'b'.repeat(wanted))
      assert.equal(budget.spent, steps)
    })
  }

  test('a text of 64 characters takes 2 steps', () => {
    const budget = new CountingBudget()
    budget.spendText(64)
    assert.equal(budget.spent, 2)
  })
})

describe('the weight of a value', () => {
  const weights: readonly (readonly [unknown, number])[] = [
    [null, 1],
    [undefined, 1],
    [true, 1],
    [7, 1],
    ['', 1],
    ['a'.repeat(64), 3],
    [[], 1],
    [[1, [2, 3]], 5],
    [{ a: 1, b: { c: 'a'.repeat(32) } }, 5],
  ]
  for (const [value, weight] of weights) {
    test(`${JSON.stringify(value)?.slice(0, 40)} weighs ${weight}`, () => {
      assert.equal(new Weights().of(value), weight)
    })
  }

  test('a list that holds one list many times is walked through once', () => {
    let list: unknown[] = [1]
    for (let level = 0; level < 60; level += 1) list = [list, list]
    assert.equal(new Weights().of(list), 3 * 2 ** 60 - 1)
  })
})

describe('a regular expression', () => {
  const PAID = 104
  /** Size of the pattern, the characters of a count included: what finding it in 16 characters costs is 104 + 8 for each instruction, and 1. */
  const sizes: readonly (readonly [pattern: string, size: number])[] = [
    ['', 0],
    ['abc', 3],
    ['a+', 2],
    ['\\d', 1],
    ['\\\\', 1],
    ['\\p{L}', 19],
    ['\\P{L}', 19],
    ['\\(', 1],
    ['[ab]', 1.75],
    ['[^a]', 1.75],
    ['[]a]', 1.75],
    ['[^]a]', 2],
    ['[\\]a]', 2],
    ['(a)', 3],
    ['(ab)c', 5],
    ['a{3}', 6],
    ['a{3,5}', 10],
    ['a{3,}', 7],
    ['a{0}', 4],
    ['ab{3}', 7],
    ['(ab){3}', 15],
    ['(ab){3}{2}', 19],
    ['[ab]{4}', 10],
    ['a{2}b{2}', 10],
  ]
  for (const [pattern, size] of sizes) {
    test(`${pattern} has the size ${size}`, () => {
      const budget = new CountingBudget()
      try {
        new LinearPatterns().find(pattern, 'x'.repeat(16), budget)
      } catch (error) {
        // RE2 refuses repeated counts; their size was paid before.
        assert.ok(error instanceof Unevaluable)
        assert.equal(budget.spent, 100 + size * 8)
        return
      }
      assert.equal(budget.spent, PAID + size * 8 + size)
    })
  }

  test('it is compiled and paid for once, and each search by the length of its text', () => {
    const budget = new CountingBudget()
    const patterns = new LinearPatterns()
    assert.equal(patterns.find('bc', 'abcd', budget), true)
    const first = budget.spent
    assert.equal(patterns.find('bc', 'x'.repeat(32), budget), false)
    assert.equal(budget.spent - first, 4 + 4)
  })

  test(`its size is at most ${MAX_PATTERN_SIZE}`, () => {
    const find = (pattern: string) => new LinearPatterns().find(pattern, '', new Budget())
    assert.equal(find('a{995}'), false)
    assert.equal(find('a'.repeat(MAX_PATTERN_SIZE)), false)
    for (const pattern of ['a'.repeat(MAX_PATTERN_SIZE + 1), 'a{996}'])
      assert.throws(() => find(pattern), {
        message: 'the regular expression is too long, or repeats too much',
        hint: 'use fewer or smaller counts such as {1000}',
      })
  })

  for (const [pattern, shown] of [
    ['(?=a)', '(?=a)'],
    [`(?=${'a'.repeat(56)})`, `(?=${'a'.repeat(56)})`],
    [`(?=${'a'.repeat(57)})`, `(?=${'a'.repeat(57)}…`],
  ] as const) {
    test(`the error of a pattern of ${pattern.length} characters quotes ${shown.length}`, () => {
      assert.throws(
        () => new LinearPatterns().find(pattern, '', new Budget()),
        ({ message, hint }: Unevaluable) =>
          message.startsWith(`the regular expression ${JSON.stringify(shown)} cannot be used: `) &&
          !message.includes('error parsing regexp') &&
          hint === 'look-around and back-references are not supported',
      )
    })
  }
})

describe('the text of an expression', () => {
  const deep = (levels: number) => '('.repeat(levels) + ')'.repeat(levels)
  const good: readonly (readonly [text: string, unclosed: number | undefined])[] = [
    ['', undefined],
    ['a'.repeat(MAX_EXPRESSION_LENGTH), undefined],
    [deep(MAX_EXPRESSION_DEPTH), undefined],
    ['()'.repeat(100), undefined],
    ['[]{}'.repeat(100), undefined],
    [`"${'('.repeat(100)}"`, undefined],
    [`'${'{'.repeat(100)}'`, undefined],
    [`"\\"${'('.repeat(100)}"`, undefined],
    [`r"\\"`, undefined],
    [`R"\\"`, undefined],
    [`x"\\"`, 1],
    ['a "b', 2],
    [`a "b' c`, 2],
    ['!'.repeat(MAX_EXPRESSION_DEPTH), undefined],
    [`${'!'.repeat(MAX_EXPRESSION_DEPTH)}a!`, undefined],
  ]
  for (const [text, unclosed] of good) {
    test(`${JSON.stringify(text.slice(0, 30))}, ${text.length} characters: ${unclosed ?? 'closed'}`, () => {
      assert.equal(checkExpressionText(text, '"\''), unclosed)
    })
  }

  const half = '\ud800'
  const levels = `it nests deeper than ${MAX_EXPRESSION_DEPTH} levels`
  const bad: readonly (readonly [text: string, message: string, offset: number | undefined])[] = [
    [
      'a'.repeat(MAX_EXPRESSION_LENGTH + 1),
      `it is longer than ${MAX_EXPRESSION_LENGTH} characters`,
      undefined,
    ],
    [half, 'it contains half of a surrogate pair', undefined],
    [deep(MAX_EXPRESSION_DEPTH + 1), levels, MAX_EXPRESSION_DEPTH],
    ['[{('.repeat(11), levels, MAX_EXPRESSION_DEPTH],
    ['!'.repeat(MAX_EXPRESSION_DEPTH + 1), levels, MAX_EXPRESSION_DEPTH],
    ['! -+&'.repeat(9), levels, 40],
    [`r"\\"${'('.repeat(MAX_EXPRESSION_DEPTH + 1)}`, levels, MAX_EXPRESSION_DEPTH + 4],
  ]
  for (const [text, message, offset] of bad) {
    test(`${JSON.stringify(text.slice(0, 30))}, ${text.length} characters: ${message}`, () => {
      assert.throws(
        () => checkExpressionText(text, '"\''),
        (error: { message: string; place: { offset?: number } }) =>
          error.message === message && error.place.offset === offset,
      )
    })
  }
})

describe('a payload', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })
  const hint = 'pass only the part that the condition tests'

  test('its limits are its values, its text with the names of members, and its levels', () => {
    const list = (length: number) => Array.from({ length }, () => 1)
    assert.doesNotThrow(() => viewPayload(list(MAX_PAYLOAD_VALUES - 1)))
    assert.throws(() => viewPayload(list(MAX_PAYLOAD_VALUES)), {
      message: `the payload has more than ${MAX_PAYLOAD_VALUES} values`,
      hint,
    })
    const named = (length: number) => ({ ab: 'a'.repeat(length) })
    assert.doesNotThrow(() => viewPayload(named(MAX_PAYLOAD_TEXT - 2)))
    assert.throws(() => viewPayload(named(MAX_PAYLOAD_TEXT - 1)), {
      message: `the payload has more than ${MAX_PAYLOAD_TEXT} characters`,
      hint,
    })
    assert.doesNotThrow(() => viewPayload(nested(MAX_PAYLOAD_DEPTH)))
    assert.throws(() => viewPayload(nested(MAX_PAYLOAD_DEPTH + 1)), {
      message: `the payload has more than ${MAX_PAYLOAD_DEPTH} levels`,
      hint,
    })
    assert.throws(
      () =>
        viewPayload(
          Array(MAX_PAYLOAD_DEPTH + 1)
            .fill(0)
            .reduce((inner) => [inner], 0),
        ),
      {
        message: `the payload has more than ${MAX_PAYLOAD_DEPTH} levels`,
      },
    )
  })

  test('it is copied without prototypes, and members that are undefined are left out', () => {
    const view = viewPayload({ a: [1, 'x', null, true], b: undefined, c: { d: false } })
    assert.equal(JSON.stringify(view), '{"a":[1,"x",null,true],"c":{"d":false}}')
    assert.equal(Object.getPrototypeOf(view), null)
  })

  for (const [value, what] of [
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [undefined, 'undefined'],
    [1n, 'bigint'],
    [[undefined], 'undefined'],
  ] as const) {
    test(`${what} is not JSON`, () => {
      assert.throws(() => viewPayload(value), { message: `the payload is not JSON: it contains ${what}` })
    })
  }

  test('it is also input, by that name only, unless it has such a member', () => {
    for (const plain of [null, 1, 'a', true]) assert.equal(withInput(plain), plain)
    const list = viewPayload([1])
    assert.equal(withInput(list), list)
    const own = viewPayload({ input: 1 })
    assert.equal(withInput(own), own)
    const view = viewPayload({ a: 1 })
    const root = withInput(view) as { input: unknown }
    assert.equal(root.input, view)
    assert.deepEqual(Object.keys(root), ['a'])
  })
})

describe('the limits of each language', () => {
  const outcome = (lang: string, expr: string | object, payload: unknown = {}) => {
    const [finding] = checkCondition({ lang, expr })
    return (
      finding?.message.replace(/^this is not \w+: /, '') ?? evaluateCondition({ lang, expr }, payload).outcome
    )
  }
  const tree = `it nests deeper than ${MAX_TREE_DEPTH} levels`

  test('jsonpath: segments of a query, and terms of a filter', () => {
    assert.equal(outcome('jsonpath', `$${'.a'.repeat(MAX_TREE_DEPTH)}`), 'false')
    assert.equal(outcome('jsonpath', `$${'.a'.repeat(MAX_TREE_DEPTH + 1)}`), tree)
    const terms = (count: number) => `$[?${Array(count).fill('@.a').join('&&')}]`
    assert.equal(outcome('jsonpath', terms(190)), 'false')
    assert.equal(outcome('jsonpath', terms(210)), tree)
  })

  test('jmespath, cel: terms of a chain', () => {
    assert.equal(outcome('jmespath', Array(150).fill('a').join('||')), 'false')
    assert.equal(outcome('jmespath', Array(210).fill('a').join('||')), tree)
    assert.equal(outcome('cel', `${Array(190).fill('1').join('+')} == 190`), 'true')
    assert.equal(outcome('cel', `${Array(210).fill('1').join('+')} == 210`), tree)
  })

  test('jsonlogic: levels and length of the rule', () => {
    const levels = MAX_EXPRESSION_DEPTH * 2
    const not = (count: number): object => (count === 1 ? { '!': 1 } : { '!': not(count - 1) })
    assert.equal(outcome('jsonlogic', not(levels)), 'true')
    assert.equal(outcome('jsonlogic', not(levels + 1)), `it nests deeper than ${levels} levels`)
    const long = (length: number) => ({ '!': 'a'.repeat(length - 8) })
    assert.equal(outcome('jsonlogic', long(MAX_RULE_LENGTH)), 'false')
    assert.equal(
      outcome('jsonlogic', long(MAX_RULE_LENGTH + 1)),
      `it is longer than ${MAX_RULE_LENGTH} characters`,
    )
  })
})

describe('where an expression is wrong', () => {
  const message = (lang: string, expr: string) => checkCondition({ lang, expr })[0]?.message ?? ''
  for (const [lang, expr, place] of [
    ['cel', 'nope(1)', '(at character 1, before `nope(1)`)'],
    ['cel', 'a ==\n  nope(1)', '(at line 2, character 3, before `nope(1)`)'],
    ['cel', `1 == nope(${'1, '.repeat(9)}1)`, '(at character 6, before `nope(1, 1, 1, 1, 1, …`)'],
    ['cel', 'a == nope(234567890123)', '(at character 6, before `nope(234567890123)`)'],
    ['jmespath', "a == 'b", "(at character 6, before `'b`)"],
    ['jmespath', 'a ==', '(at its end)'],
    ['jmespath', 'a b', '(at character 3, before `b`)'],
    ['jmespath', 'nope(a)', ''],
  ] as const) {
    test(`${lang} ${JSON.stringify(expr)}: ${place || 'no place'}`, () => {
      const said = message(lang, expr)
      if (place === '') assert.doesNotMatch(said, /\(at /)
      else assert.ok(said.endsWith(` ${place}`), said)
    })
  }

  test('a condition in plain words is quoted up to 80 characters', () => {
    const quoted = (length: number) => checkCondition('x'.repeat(length))[0]?.hint ?? ''
    assert.ok(quoted(80).includes(`"nl": "${'x'.repeat(80)}"}`))
    assert.ok(quoted(81).includes(`"nl": "${'x'.repeat(80)}…"}`))
  })
})
