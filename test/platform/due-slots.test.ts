import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dueSlots } from '../../src/platform/triggers/due-slots.ts'
import type { Missed } from '../../src/platform/triggers/trigger.ts'
import { readCron } from '../../src/schema/cron-schedule.ts'

const DAY = 86_400_000
const at = (text: string) => new Date(`2026-${text}Z`)
const texts = (times: readonly Date[]) => times.map((time) => time.toISOString().slice(5, 19))

function due(expression: string, from: Date, now: Date, missed: Missed, catchUpMs = DAY) {
  const read = readCron(expression)
  assert.ok(read.ok)
  const { fire, missed: left, missedCount, next } = dueSlots(read.next, from, now, { missed, catchUpMs })
  return {
    fire: texts(fire),
    left: left === null ? null : texts([left])[0],
    missedCount,
    next: next?.toISOString(),
  }
}

test('which slots fire after a time without workers', () => {
  const hourly = '0 * * * *'
  const [from, late, onTime] = [at('03-01T00:00:00'), at('03-01T03:30:00'), at('03-01T03:00:01')]
  const all = ['03-01T00:00:00', '03-01T01:00:00', '03-01T02:00:00', '03-01T03:00:00']
  const table: readonly (readonly [Missed, Date, readonly string[], string | null, number])[] = [
    ['latest', late, all.slice(3), '03-01T02:00:00', 3],
    ['all', late, all, null, 0],
    ['skip', late, [], '03-01T03:00:00', 4],
    ['latest', onTime, all.slice(3), '03-01T02:00:00', 3],
    ['all', onTime, all, null, 0],
    ['skip', onTime, all.slice(3), '03-01T02:00:00', 3],
  ]
  for (const [missed, now, fire, left, missedCount] of table)
    assert.deepEqual(due(hourly, from, now, missed), {
      fire,
      left,
      missedCount,
      next: '2026-03-01T04:00:00.000Z',
    })
})

test('a slot is on time for a minute, and several may be', () => {
  const from = at('03-01T00:00:00')
  assert.deepEqual(due('0 * * * *', from, at('03-01T00:01:00'), 'skip').fire, ['03-01T00:00:00'])
  assert.deepEqual(due('0 * * * *', from, at('03-01T00:01:01'), 'skip').fire, [])
  assert.equal(due('* * * * * *', from, at('03-01T00:00:30'), 'latest').fire.length, 31)
})

test('a slot that is on time fires whatever is caught up on, also if nothing is', () => {
  const from = at('03-01T00:00:00')
  for (const missed of ['skip', 'latest', 'all'] as const)
    for (const catchUpMs of [0, 1000, 59_000]) {
      const seen = (text: string) => due('0 * * * *', from, at(text), missed, catchUpMs).fire
      assert.deepEqual(seen('03-01T00:00:00'), ['03-01T00:00:00'])
      assert.deepEqual(seen('03-01T00:01:00'), ['03-01T00:00:00'], `${missed} ${catchUpMs}`)
      assert.deepEqual(seen('03-01T00:01:01'), [], `${missed} ${catchUpMs}`)
      assert.equal(due('*/20 * * * * *', from, at('03-01T00:00:50'), missed, catchUpMs).fire.length, 3)
    }
})

test('slots that are older than the limit are never caught up on', () => {
  const [from, now] = [at('03-01T00:00:00'), at('03-03T00:30:00')]
  assert.equal(due('0 * * * *', from, now, 'all').fire.length, 24)
  assert.deepEqual(due('0 * * * *', from, now, 'all', 3_600_000).fire, ['03-03T00:00:00'])
  assert.deepEqual(due('0 12 * * *', from, now, 'latest', 3_600_000), {
    fire: [],
    left: '03-02T12:00:00',
    missedCount: 2,
    next: '2026-03-03T12:00:00.000Z',
  })
})

test('a year without workers, with a slot in every second, is the last hundred', () => {
  const begun = performance.now()
  const found = due('* * * * * *', new Date('2025-03-01T00:00:00Z'), at('03-01T00:00:00'), 'all')
  assert.equal(found.fire.length, 100)
  assert.equal(found.fire.at(-1), '03-01T00:00:00')
  assert.ok(performance.now() - begun < 5000)
  const yearly = due('0 0 1 3 *', new Date('2015-01-01T00:00:00Z'), at('03-01T00:00:30'), 'latest')
  assert.deepEqual(yearly.fire, ['03-01T00:00:00'])
})
