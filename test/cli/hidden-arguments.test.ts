import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeCall } from '../../src/cli/run-view/ask-person.ts'
import { painter } from '../../src/cli/terminal/paint.ts'
import { argumentsLine, jsonText } from '../../src/cli/terminal/plain-text.ts'
import { printable } from '../../src/cli/validate/report/excerpt.ts'
import { githubReport } from '../../src/cli/validate/report/github-report.ts'
import { callRuleText, parseCallRule, ruleLike } from '../../src/policy/approval/call-rule.ts'
import type { CallEntry } from '../../src/run/state.ts'

const HIDDEN = [
  '\u200b',
  '\u00ad',
  '\u061c',
  '\u{e0041}',
  '\ufe0f',
  '\u3164',
  '\u202e',
  '\u009b',
  '\u0000',
  '\u034f',
]
const codes = (text: string) =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')

function asked(to: string): string {
  const call: CallEntry = {
    id: 'call_1',
    tool: 'send_mail',
    args: { to },
    key: 'k',
    status: 'asking',
    effect: 'once',
  } as CallEntry
  return describeCall(call, undefined, painter(false))
}

describe('the question about a call', () => {
  for (const hidden of HIDDEN)
    test(`shows ${codes(hidden)} in an argument`, () => {
      const to = `ada@ou${hidden}rs.example`
      for (const shown of [asked(to), argumentsLine({ to }), jsonText({ to })]) {
        assert.ok(shown.includes(`ada@ou${codes(hidden)}rs.example`), shown)
        assert.ok(!shown.includes(hidden))
      }
      const rule = callRuleText(ruleLike('send_mail', { to }))
      assert.ok(rule.includes(codes(hidden)), rule)
      assert.deepEqual(parseCallRule(rule), ruleLike('send_mail', { to }))
    })

  test('marks a word that mixes scripts, with the letters', () => {
    assert.match(asked('ada@\u043eurs.example'), /mixes Latin and Cyrillic letters \(\u043e is U\+043E\)/)
  })

  for (const to of ['ada@ours.example', 'Привет мир', 'naïve café'])
    test(`marks no word in ${to}`, () => assert.doesNotMatch(asked(to), /mixes/))
})

describe('reports of validate', () => {
  const issue = {
    severity: 'error',
    code: 'X',
    message: 'm\u202en',
    line: 1,
    column: 1,
    pointer: '',
  } as never
  for (const hidden of HIDDEN)
    test(`escape ${codes(hidden)} in the name of a file`, () => {
      const out = githubReport([{ file: `a${hidden}b.json`, issues: [issue] } as never])
      assert.ok(out.includes(`file=a${codes(hidden)}b.json`), out)
      assert.ok(!out.includes('\u202e'))
      assert.ok(!printable(`a${hidden}b`).includes(hidden))
    })
})
