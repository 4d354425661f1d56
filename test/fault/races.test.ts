import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codeOf, type Ended, Site, timesOf } from './fault-site.ts'
import { openFaultWorld } from './fault-world.ts'

/** Number of races of each kind; the long form is `npm run fault:kill`. */
const RACES = timesOf('WAYBILL_RACES', 4)
const ASKS = { compliance: { human_in_the_loop: { enabled: true } } }

describe('two processes with conflicting commands', { concurrency: 2 }, () => {
  test(`approve against deny, ${RACES} times: one decision is stored, and it takes effect`, async (t) => {
    const world = await openFaultWorld(t, { rounds: () => 1 })
    const site = new Site(t, world)
    site.writer('clerk', ASKS)
    let won = 0
    for (let race = 0; race < RACES; race++) {
      const started = await site.ask(site.go('clerk', '--input', `i${race}`))
      assert.equal(started.code, 4, started.err)
      const { run_id } = JSON.parse(started.out)
      const people = [
        ['approve', 'ann'],
        ['deny', 'bob'],
      ] as const
      const ended = await Promise.all(
        people.map(([verdict, by]) => site.run(['approvals', verdict, run_id, '--by', by, '--json'])),
      )
      const winner = ended.findIndex(({ code }) => code === 0)
      const loser = ended[1 - winner] as Ended
      const [verdict, by] = people[winner] ?? ['', '']
      assert.equal(codeOf(loser), 'APPROVAL_DECIDED', JSON.stringify(ended))
      assert.match(JSON.parse(loser.out).error.message, new RegExp(`${by} .*${verdict}`))
      assert.notEqual(loser.code, 0)
      const resumed = await site.ask(['resume', run_id, '--json'])
      assert.equal(resumed.code, 0, resumed.err)
      assert.equal(world.writes.get(`clerk/i${race}/0`), verdict === 'approve' ? 1 : undefined)
      if (verdict === 'approve') won++
    }
    assert.equal(world.writes.size, won)
  })

  test(`two resumes, ${RACES} times: one drives, the other is refused, writes happen once`, async (t) => {
    let held = false
    const world = await openFaultWorld(t, { rounds: () => 1, holds: () => held })
    const site = new Site(t, world)
    site.writer('clerk', ASKS)
    for (let race = 0; race < RACES; race++) {
      const started = await site.ask(site.go('clerk', '--input', `i${race}`))
      assert.equal(started.code, 4, started.err)
      const { run_id } = JSON.parse(started.out)
      assert.equal((await site.ask(['approvals', 'approve', run_id])).code, 0)
      // The winner must not end before the other has tried.
      held = true
      const both = [0, 1].map(() => site.launch(['resume', run_id, '--json']))
      const first = await Promise.race(both.map(({ ended }) => ended))
      held = false
      const ended = await Promise.all(both.map(({ ended }) => ended))
      assert.equal(codeOf(first), 'RUN_LOCKED', first.out + first.err)
      assert.deepEqual(ended.filter(({ code }) => code === 0).length, 1, JSON.stringify(ended))
      assert.equal(world.writes.get(`clerk/i${race}/0`), 1)
    }
  })
})
