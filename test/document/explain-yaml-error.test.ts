import { equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TextProblem } from '../../src/document/finding.ts'
import { parseYaml } from '../../src/document/parse-yaml.ts'

/** Each with the part of the text that is reported, and what its message and hint contain. */
const MISTAKES: readonly (readonly [text: string, part: string, message: RegExp, hint: RegExp])[] = [
  ['a:\n  name:Ada Byron\n  goal: x\n', 'name:', /a space is missing after "name:"/, /write "name: …"/],
  ['a:\n  - name:Ada\n    goal: x\n', 'name:', /space is missing/, /write "name: …"/],
  ['name:Ada\ngoal: x\n', 'name:', /space is missing/, /write "name: …"/],
  ['a:\n  name = x\n  goal: y\n', 'name =', /followed by =/, /write "name: …"/],
  ['a:\n  name: x\n   goal: y\n  z: 1\n', 'goal: y', /column 4.*column 3/, /same column/],
  ['a:\n  name: x y\n\n    goal: y\n', 'goal: y', /column 5.*column 3/, /same column/],
  ['a:\n    name: x\n  goal: y\n', 'goal: y', /column 3.*column 5/, /same column/],
  ['a:\n  - x: 1\n     y: 2\n', 'y: 2', /column 6.*column 5/, /same column/],
  ['a:\n  - x: 1\n   y: 2\n', 'y: 2', /column 4.*column 5/, /same column/],
  ['a:\n  name: "Ada\n  goal: y\n  z: 1\n', '"', /double quote that opens here is not closed/, /add "/],
  ["a:\n  b: 'c'\n  name: 'Ada\n  goal: y\n", "'", /single quote that opens here/, /add '/],
  ['a:\n  tools: [a, [b]\n  goal: y\n', '[', /\[ that opens here/, /add \]/],
  ['a:\n  model: { b: {}, c: x\n  goal: y\n', '{', /\{ that opens here/, /add \}/],
  ['a:\n  goal: Do this: that\n', 'Do this: that', /contains ": "/, /^put the text in quotes$/],
  ['a:\n\tname: x\n', '\t', /Tabs/, /indent with spaces/],
]

function problemsOf(text: string): readonly TextProblem[] {
  const parsed = parseYaml(text, 50)
  return 'problems' in parsed ? parsed.problems : []
}

describe('mistakes in YAML are reported at their place', () => {
  for (const [text, part, message, hint] of MISTAKES) {
    test(`${JSON.stringify(text)}: ${part}`, () => {
      const [problem] = problemsOf(text)
      ok(problem)
      equal(problem.code, 'YAML_SYNTAX')
      equal(text.slice(problem.offset, problem.offset + (problem.length ?? 1)), part)
      ok(message.test(problem.message), problem.message)
      ok(hint.test(problem.hint ?? ''), problem.hint)
    })
  }

  test('no text of the document is repeated, because it may be a secret', () => {
    for (const [text, part] of MISTAKES)
      for (const { message, hint } of problemsOf(text))
        ok(!/Ada|Byron|Do this/.test(`${message} ${hint}`), part)
  })

  test('the quote that is reported is the last one that opens, and the bracket the innermost one', () => {
    const quote = problemsOf('a: "b"\nc: \'d\'\ne: "f\ng: h\n')[0]
    equal(quote?.offset, 17)
    const bracket = problemsOf('a:\n  b: [c, {d: e}, [f\n  g: h\n')[0]
    equal(bracket?.offset, 20)
  })
})
