import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { isTimeZone, readCron } from '../../src/schema/cron-schedule.ts'
import { testDatabase } from '../platform/postgres.ts'

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kathmandu',
]
const FROM = new Date('2025-01-01T00:00:00Z')
const UNTIL = new Date('2028-01-01T00:00:00Z')

/** An expression, and a condition in SQL for local times `l`; `wild`: the field of the hours is a wildcard. */
const EXPRESSIONS: readonly (readonly [expression: string, condition: string, wild: boolean])[] = [
  ['*/15 * * * *', 'true', true],
  ['30 * * * *', 'extract(minute FROM l) = 30', true],
  ['0 */2 * * *', 'extract(minute FROM l) = 0 AND extract(hour FROM l)::int % 2 = 0', true],
  ['30 2 * * *', 'extract(minute FROM l) = 30 AND extract(hour FROM l) = 2', false],
  ['15 2 * * *', 'extract(minute FROM l) = 15 AND extract(hour FROM l) = 2', false],
  ['45 1 * * *', 'extract(minute FROM l) = 45 AND extract(hour FROM l) = 1', false],
  ['*/30 2 * * *', 'extract(minute FROM l) IN (0, 30) AND extract(hour FROM l) = 2', false],
  ['30 1-3 * * *', 'extract(minute FROM l) = 30 AND extract(hour FROM l) IN (1, 2, 3)', false],
  ['0 0 * * *', 'extract(minute FROM l) = 0 AND extract(hour FROM l) = 0', false],
  [
    '30 23 * * 6',
    'extract(minute FROM l) = 30 AND extract(hour FROM l) = 23 AND extract(dow FROM l) = 6',
    false,
  ],
  ['0 9 1 * *', 'extract(minute FROM l) = 0 AND extract(hour FROM l) = 9 AND extract(day FROM l) = 1', false],
]

/** Compares all quarters of an hour of the three years, and not only those near the changes; this takes a minute. */
const WHOLE = process.env.WAYBILL_WHOLE_YEARS !== undefined

interface Window {
  readonly from: Date
  readonly until: Date
}

/** Returns the days around each change of the offset of a zone, and those around a change of the year. */
async function windowsOf(engine: pg.Pool, zone: string): Promise<readonly Window[]> {
  if (WHOLE) return [{ from: FROM, until: UNTIL }]
  const { rows } = await engine.query<Window>(
    `WITH days AS (SELECT u, u - (u AT TIME ZONE $1 AT TIME ZONE 'UTC') AS o
       FROM generate_series($2::timestamptz, $3, interval '1 day') AS u),
     near AS (SELECT u, o, lag(o) OVER (ORDER BY u) AS before FROM days)
     SELECT u - interval '2 days' AS from, u + interval '1 day' AS until FROM near
     WHERE o <> before OR extract(doy FROM u) = 1 AND before IS NOT NULL ORDER BY u`,
    [zone, FROM, UNTIL],
  )
  return rows
}

test('schedules in five time zones over three years are those that PostgreSQL calculates', async (t) => {
  const { engine } = (await testDatabase(t)).database
  for (const zone of ZONES) {
    const windows = await windowsOf(engine, zone)
    // The start and the end of daylight saving in each year, and three turns of the year.
    if (!WHOLE) assert.equal(windows.length, zone === 'Asia/Kathmandu' ? 3 : 9, zone)
    for (const { from, until } of windows) {
      const expected = await calculated(engine, zone, { from, until })
      for (const [n, [expression]] of EXPRESSIONS.entries()) {
        const read = readCron(expression, zone)
        assert.ok(read.ok)
        const actual: string[] = []
        let at = read.next(new Date(from.getTime() - 1))
        for (; at !== null && at < until; at = read.next(at)) actual.push(at.toISOString())
        assert.deepEqual(actual, expected[n], `${expression} in ${zone} from ${from.toISOString()}`)
      }
    }
  }
})

/** Returns the slots of all expressions in a window. */
async function calculated(
  engine: pg.Pool,
  zone: string,
  { from, until }: Window,
): Promise<readonly string[][]> {
  // Every offset of these zones and each of its changes is a multiple of a quarter of an hour. A day more on both sides:
  // the first occurrence of a time may be before the window.
  const quarters = `SELECT u, u AT TIME ZONE $1 AS l, lead(u AT TIME ZONE $1) OVER (ORDER BY u) AS n
    FROM generate_series($2::timestamptz - interval '1 day', $3::timestamptz + interval '1 day', interval '15 minutes') AS u`
  const slots = EXPRESSIONS.map(([, condition, wild]) => {
    const each = `SELECT u FROM q WHERE ${condition}`
    // A fixed local time counts at its first occurrence; one in a gap, which no row has, at the end of the gap.
    const fixed = `SELECT min(u) AS u FROM q WHERE ${condition} GROUP BY l
      UNION SELECT u + interval '15 minutes' FROM q CROSS JOIN LATERAL
        generate_series(q.l + interval '15 minutes', q.n - interval '15 minutes', interval '15 minutes') AS g(l)
      WHERE q.n > q.l + interval '15 minutes' AND (${condition.replaceAll(/\bl\b/g, 'g.l')})`
    return `ARRAY(SELECT u FROM (${wild ? each : fixed}) AS s WHERE u >= $2 AND u < $3 ORDER BY u)`
  })
  const columns = slots.map((text, n) => `${text} AS "${n}"`)
  const { rows } = await engine.query<Record<string, readonly Date[]>>(
    `WITH q AS MATERIALIZED (${quarters}) SELECT ${columns.join(', ')}`,
    [zone, from, until],
  )
  return EXPRESSIONS.map((_, n) => (rows[0]?.[n] ?? []).map((at) => at.toISOString()))
}

test('time zones are names of places', () => {
  const table: readonly (readonly [string, boolean])[] = [
    ['UTC', true],
    ['Europe/Berlin', true],
    ['Asia/Kathmandu', true],
    ['+02:00', false],
    ['-0300', false],
    ['Mars/Base', false],
    ['', false],
  ]
  for (const [name, is] of table) assert.equal(isTimeZone(name), is, name)
})
