import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RunEvent } from '../../src/run/event.ts'
import { RECORD_VERSION, readLine, unknownIn, upcast } from '../../src/run/record/record-version.ts'

const event = (fact: object, decision: object = {}): RunEvent =>
  ({ seq: 4, at: 1, fact, decision }) as unknown as RunEvent

describe('versions of a record', () => {
  const table: readonly (readonly [RunEvent, RegExp | undefined])[] = [
    [event({ type: 'run.paused', by: 'x', partial: 'text' }, { abort: 'all' }), undefined],
    [event({ type: 'deadline.passed' }), undefined],
    [event({ type: 'run.teleported' }), /event 4 has the type run\.teleported/],
    [event({ type: 'toString' }), /has the type toString/],
    [event({ type: 'run.paused', by: 'x', softly: true }), /event 4 \(run\.paused\) has the member softly/],
    [event({ type: 'run.paused', by: 'x' }, { sent_twice: true }), /event 4 has the decision sent_twice/],
    [event({ type: 'run.paused', by: 'x' }, { constructor: 1 }), /has the decision constructor/],
  ]
  for (const [given, expected] of table)
    test(`${JSON.stringify(given.fact)} ${JSON.stringify(given.decision)} is ${expected === undefined ? 'known' : 'named as unknown'}`, () => {
      const found = unknownIn(given)
      if (expected === undefined) assert.equal(found, undefined)
      else assert.match(found ?? '', expected)
    })

  for (const line of [
    '{}',
    '{"seq":1,"at":1,"type":"x"}',
    '{"seq":1,"at":1,"type":"x","decision":null}',
    '{"seq":1,"at":1,"type":"x","decision":"none"}',
    '{"seq":1,"at":1,"decision":{}}',
    '{"seq":1,"at":1,"type":7,"decision":{}}',
    'null',
  ])
    test(`${line} is not an event`, () => {
      assert.throws(() => readLine(line, RECORD_VERSION), TypeError)
    })

  test('text that is not JSON is not an event', () => {
    assert.throws(() => readLine('x', RECORD_VERSION), SyntaxError)
  })

  for (const v of [0, RECORD_VERSION, RECORD_VERSION + 1])
    test(`a line of version ${v} that this version understands is read`, () => {
      const line = '{"seq":4,"at":1,"type":"run.paused","by":"x","decision":{"abort":"all"}}'
      assert.deepEqual(readLine(line, v), event({ type: 'run.paused', by: 'x' }, { abort: 'all' }))
    })

  test('there is an upcaster for every earlier version', () => {
    const missing = Array.from({ length: RECORD_VERSION - 1 }, (_, index) => index + 1).filter(
      (v) => upcast[v] === undefined,
    )
    assert.deepEqual(missing, [])
  })
})
