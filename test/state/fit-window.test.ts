import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { messageTokens } from '../../src/run/decide/prompt-tokens.ts'
import type { Message } from '../../src/run/state.ts'
import { messagesThatFit } from '../../src/state/fit-window.ts'

const message = (kind: string): Message =>
  kind === 'u'
    ? { role: 'user', text: 'question' }
    : kind === 'a'
      ? { role: 'assistant', text: 'question', calls: [] }
      : { role: 'tool', call_id: 'c', tool: 'look', result: 'question' }

/** All messages of the tables have the same length. */
const EACH = messageTokens(message('u'))

describe('the messages that fit a window', () => {
  for (const kind of ['a', 't']) assert.equal(messageTokens(message(kind)), EACH)
  for (const [conversation, room, kept] of [
    ['uaua', 4, [0, 1, 2, 3]],
    ['uaua', 3, [2, 3]],
    ['uaua', 2, [2, 3]],
    // The question is kept beside the newest answers, and counts.
    ['uatat', 3, [0, 3, 4]],
    ['uatatat', 5, [0, 3, 4, 5, 6]],
    // A result without its answer goes too.
    ['uattat', 5, [0, 4, 5]],
    ['uatuat', 4, [3, 4, 5]],
    // The last answer is kept with its results, whatever the room is.
    ['uatt', 1, [0, 1, 2, 3]],
    ['ua', 0, [0, 1]],
  ] as const)
    test(`${conversation} in the room of ${room}: ${kept.join()}`, () => {
      assert.deepEqual(messagesThatFit([...conversation].map(message), 100 + room * EACH, 100), kept)
    })
})
