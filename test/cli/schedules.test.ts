import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { openSchedule } from '../../src/adapters/triggers/cron-schedule.ts'
import { WaybillError } from '../../src/document/issue.ts'
import { DEFINITION, Place, waybill } from './fixture.ts'

const withTriggers = (t: TestContext, ...triggers: readonly object[]): Place =>
  new Place(t, {
    ...DEFINITION,
    agent: {
      name: 'Night watch',
      goal: 'Look.',
      model: { provider: 'custom', provider_id: 'custom', preferred: 'x' },
      events: { triggers },
    },
  })

/** Whether each is a schedule. */
const SCHEDULES: Readonly<Record<string, boolean>> = {
  '0 9 * * 1-5': true,
  '*/15 * * * *': true,
  '30 0 9 * * *': true,
  '0 9 * * MON-FRI': true,
  '0 0 L * *': true,
  '0 0 ? * 1#2': true,
  '@daily': true,
  '@HOURLY': true,
  '  0 9 * * *  ': true,
  '0 0 29 2 *': true,
  '99 * * * *': false,
  '60 * * * *': false,
  '* 24 * * *': false,
  '0 0 0 * *': false,
  '* * * * 9': false,
  '*/0 * * * *': false,
  '0 0 31 2 *': false,
  '0 0 30 2 *': false,
  'every day': false,
  '* * * *': false,
  '* * * * * * *': false,
  '@reboot': false,
  '@fortnightly': false,
  'TZ=Europe/Oslo 0 9 * * *': false,
  '2999-01-01T00:00:00': false,
  ' ': false,
}

function opens(schedule: string): boolean {
  try {
    openSchedule(schedule, '/x').stop()
    return true
  } catch (error) {
    assert.ok(error instanceof WaybillError)
    assert.equal(error.code, 'TRIGGER_INVALID')
    return false
  }
}

describe('schedules of triggers', () => {
  test('SPEC-D-29: validate and watch accept the same schedules', async (t) => {
    for (const [schedule, valid] of Object.entries(SCHEDULES)) {
      assert.equal(opens(schedule), valid, `watch: "${schedule}"`)
      const place = withTriggers(t, { type: 'manual' }, { type: 'schedule', schedule })
      const { out, code } = await waybill(place, ['validate', 'agent.json', '--format', 'json'])
      assert.equal(code, valid ? 0 : 1, `validate: "${schedule}"`)
      const found = JSON.parse(out).files[0].issues.filter(
        ({ code: c }: { code: string }) => c === 'TRIGGER_INVALID',
      )
      assert.equal(found.length, valid ? 0 : 1)
      if (valid) continue
      assert.equal(found[0].pointer, '/agent/events/triggers/1/schedule')
      assert.equal(found[0].rule, 'SPEC-D-29')
      assert.match(found[0].hint, /five fields, in UTC/)
      assert.ok(found[0].column > 1)
    }
  })

  test('an invalid schedule is found by plan, run and watch', async (t) => {
    const place = withTriggers(t, { type: 'schedule', schedule: '99 * * * *' })
    for (const command of ['plan', 'run', 'watch']) {
      const { code, err } = await waybill(place, [command, 'agent.json', '--rehearse'])
      assert.equal(code, 1, command)
      assert.match(
        err,
        /the schedule "99 \* \* \* \*" is not a cron expression: Invalid value for minute: 99/,
      )
    }
  })

  test('a schedule of a trigger of another type is not read', async (t) => {
    const place = withTriggers(t, { type: 'webhook', schedule: '99 * * * *' })
    assert.equal((await waybill(place, ['validate', 'agent.json'])).code, 0)
  })
})

describe('triggers in the plan', () => {
  test('the plan lists each trigger: its next time in UTC, its path and filter, or why it starts nothing', async (t) => {
    const place = withTriggers(
      t,
      { type: 'schedule', schedule: '30 9 * * *' },
      { type: 'file_change', event_name: 'inbox', filter: { lang: 'cel', expr: 'path != ""' } },
      { type: 'webhook' },
    )
    const text = (await waybill(place, ['plan', 'agent.json', '--rehearse'])).out
    assert.match(
      text,
      /Triggers\n {2}✓ schedule "30 9 \* \* \*" \(UTC\) next \d{4}-\d\d-\d\dT09:30:00\.000Z\n/,
    )
    assert.match(text, /✓ file_change inbox when cel path != ""\n/)
    assert.match(text, /! webhook: a trigger of type webhook needs the server/)
    const { triggers } = JSON.parse(
      (await waybill(place, ['plan', 'agent.json', '--rehearse', '--json'])).out,
    )
    assert.match(triggers[0].next, /T09:30:00\.000Z$/)
    assert.deepEqual(triggers[1].path, 'inbox')
    assert.match(triggers[2].reason, /needs the server/)
  })

  test('the hash of the plan does not depend on the clock', async (t) => {
    const place = withTriggers(t, { type: 'schedule', schedule: '* * * * * *' })
    const plan = async () =>
      JSON.parse((await waybill(place, ['plan', 'agent.json', '--rehearse', '--json'])).out)
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) })
    const first = await plan()
    t.mock.timers.setTime(Date.UTC(2027, 5, 5))
    const second = await plan()
    assert.notEqual(first.triggers[0].next, second.triggers[0].next)
    assert.equal(first.plan_hash, second.plan_hash)
  })
})
