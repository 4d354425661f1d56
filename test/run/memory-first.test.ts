import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryFirst } from '../../src/run/drive/memory-first.ts'
import type { Message } from '../../src/run/state.ts'

const LETTERS: Readonly<Record<string, Message>> = {
  q: { role: 'user', text: 'question' },
  m: { role: 'user', text: 'memory', recalled: ['user/name@1'] },
  o: { role: 'user', text: 'answers of others', others: true },
  r: { role: 'user', text: 'repair', repair: true },
  a: { role: 'assistant', text: 'answer', calls: [] },
  t: { role: 'tool', call_id: 'c', tool: 'look', result: 1 },
}

describe('memory is placed before the question that it was read for', () => {
  for (const [given, ordered] of [
    ['', ''],
    ['q', 'q'],
    ['qm', 'mq'],
    ['qma', 'mqa'],
    ['qmaqm', 'mqamq'],
    ['qom', 'mqo'],
    ['qatqm', 'qatmq'],
    ['qarm', 'qarm'],
    ['mq', 'mq'],
    ['qmqm', 'mmqq'],
  ] as const) {
    test(`${given} becomes ${ordered}`, () => {
      const messages = memoryFirst([...given].map((letter) => LETTERS[letter] as Message))
      const letters = messages.map(
        (one) => Object.entries(LETTERS).find(([, message]) => message === one)?.[0],
      )
      assert.equal(letters.join(''), ordered)
    })
  }
})
