import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { promptLength } from '../../src/run/decide/prompt-tokens.ts'
import { Log } from '../../src/run/log.ts'
import type { Message, RunState } from '../../src/run/state.ts'
import { stateWith } from './core.ts'
import { programOf } from './fixture.ts'

describe('how long a question is at most', () => {
  const user = (text: string): Message => ({ role: 'user', text })
  const long = 'x'.repeat(3_000)
  const cases: readonly (readonly [rule: string, message: Message, units: number])[] = [
    ['a user', user('12345'), 5],
    ['an answer', { role: 'assistant', text: '12345', calls: [] }, 5],
    [
      'an answer with calls',
      {
        role: 'assistant',
        text: '1',
        calls: [
          { id: 'a', tool: 'look', args: { x: 1 } },
          { id: 'b', tool: 'look', args: {}, malformed: '{' },
        ],
      },
      '1\nlook {"x":1}\nlook {'.length,
    ],
    ['a result that is a text', { role: 'tool', call_id: 'a', tool: 'look', result: '12345' }, 5],
    ['a result that is data', { role: 'tool', call_id: 'a', tool: 'look', result: { x: 1 } }, 7],
    ['a long text', user(long), 3_000],
  ]
  for (const [rule, message, units] of cases) {
    test(`${rule}: two tokens for each of ${units} UTF-16 units, and four for the message`, () => {
      const state = stateWith({})
      const { atMost, estimate } = promptLength(programOf(), state, { tokens: 10, messages: 0 }, [message])
      assert.equal(atMost(), 10 + 4 + 2 * units)
      // A long message is measured once; the second answer is the same.
      assert.equal(atMost(), 10 + 4 + 2 * units)
      assert.ok(estimate() > 14 && estimate() <= atMost())
    })
  }

  test('messages that a provider has counted are not counted again', () => {
    const state = stateWith({ messages: Log.empty<Message>().append([user('12345'), user('1')]) })
    const most = (counted: RunState['counted']) => promptLength(programOf(), state, counted, []).atMost()
    assert.equal(most({ tokens: 10, messages: 1 }), 16)
    assert.equal(most({ tokens: 10, messages: 2 }), 10)
    assert.equal(most(null), programOf().fixedTokens() + 14 + 6)
  })
})
