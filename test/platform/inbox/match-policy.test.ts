import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLike, matches } from '../../../src/platform/policies/match-policy.ts'

test('a pattern of a tool matches the whole name, with any text for each *', () => {
  const cases: readonly (readonly [text: string, pattern: string, is: boolean])[] = [
    ['send', 'send', true],
    ['send', 'Send', false],
    ['send_all', 'send', false],
    ['send', '*', true],
    ['', '*', true],
    ['send', 'send*', true],
    ['send_all', 'send*', true],
    ['resend', 'send*', false],
    ['resend', '*send', true],
    ['send_all', '*send', false],
    ['send', 's*d', true],
    ['sd', 's*d', true],
    ['s', 's*s', false],
    ['aba', 'ab*ba', false],
    ['abba', 'ab*ba', true],
    ['a.b.c', '*b*', true],
    ['a.b.c', '*b*b*', false],
    ['axbxc', 'a*x*c', true],
    ['axc', 'a*x*x*c', false],
    ['a+b', 'a+*', true],
    ['aab', 'a+b', false],
    ['a\nb', 'a*b', true],
    ['ab', 'a**b', true],
  ]
  for (const [text, pattern, is] of cases) assert.equal(isLike(text, pattern), is, `${text} ${pattern}`)
  const long = 'a'.repeat(100_000)
  assert.equal(isLike(long, `${'a*'.repeat(250)}b`), false)
})

test('a policy matches by agent and tool, each if it names them', () => {
  const asked = { agent_id: 'a', tool: 'send' }
  for (const [match, is] of [
    [undefined, true],
    [{}, true],
    [{ agent_id: 'a' }, true],
    [{ agent_id: 'b' }, false],
    [{ tool: 'se*' }, true],
    [{ tool: 'book' }, false],
    [{ agent_id: 'a', tool: 'book' }, false],
    [{ agent_id: 'b', tool: 'send' }, false],
  ] as const)
    assert.equal(matches(match === undefined ? {} : { match }, asked), is, JSON.stringify(match))
})
