import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RunEvent } from '../../src/run/event.ts'
import { decodeEvent, encodeEvent, publicEvent } from '../../src/run/record/event-line.ts'
import { isInForce } from '../../src/run/record/grant.ts'

const NOON = Date.parse('2026-03-01T12:00:00.000Z')

describe('one line of a record', () => {
  const events: readonly RunEvent[] = [
    { seq: 1, at: NOON, fact: { type: 'run.started', input: { text: 'Ä"\n' } }, decision: {} },
    { seq: 2, at: 0, fact: { type: 'deadline.passed' }, decision: { abort: 'all' } },
    {
      seq: 3,
      at: NOON,
      fact: { type: 'run.paused', by: 'ann', partial: '}' },
      decision: { set: { a: 'sent' } },
    },
  ]
  for (const event of events)
    test(`${event.fact.type} is one line, and is decoded unchanged`, () => {
      const line = encodeEvent(event)
      assert.equal(line.includes('\n'), false)
      assert.deepEqual(decodeEvent(line), event)
      assert.deepEqual(JSON.parse(line), {
        seq: event.seq,
        at: event.at,
        ...event.fact,
        decision: event.decision,
      })
    })

  test('text that is not JSON is refused', () => assert.throws(() => decodeEvent('{"seq":1'), SyntaxError))

  test('other programs get the run, the version and the time in ISO 8601 UTC', () => {
    assert.deepEqual(publicEvent('r1', events[2] as RunEvent), {
      v: 1,
      seq: 3,
      at: '2026-03-01T12:00:00.000Z',
      run_id: 'r1',
      type: 'run.paused',
      by: 'ann',
      partial: '}',
      decision: { set: { a: 'sent' } },
    })
  })
})

describe('a grant is valid until it expires or has no uses left', () => {
  const grant = {
    id: 'g-1',
    kind: 'host',
    what: 'depot.example',
    by: 'ann',
    at: '2026-03-01T00:00:00Z',
  } as const
  const until = '2026-03-01T12:00:00.000Z'
  for (const [name, more, now, expected] of [
    ['without an end or a limit', {}, Number.MAX_SAFE_INTEGER, true],
    ['a millisecond before its end', { until }, NOON - 1, true],
    ['at its end', { until }, NOON, false],
    ['after its end', { until }, NOON + 1, false],
    ['with a date that cannot be read', { until: 'tomorrow' }, NOON, false],
    ['with uses left', { uses_left: 1 }, NOON, true],
    ['without uses left', { uses_left: 0 }, NOON, false],
    ['with uses left, after its end', { until, uses_left: 1 }, NOON + 1, false],
    ['without uses left, before its end', { until, uses_left: 0 }, NOON - 1, false],
    ['with uses left, before its end', { until, uses_left: 2 }, NOON - 1, true],
  ] as const)
    test(`${name}: ${expected}`, () => assert.equal(isInForce({ ...grant, ...more }, now), expected))
})
