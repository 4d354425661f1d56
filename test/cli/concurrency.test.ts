import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Plan } from '../../src/plan/plan.ts'
import { RunSlots } from '../../src/run/run-slots.ts'
import { DEFINITION, MailModel, Place, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

const ONE = {
  ...DEFINITION,
  agent: { ...DEFINITION.agent, compliance: {}, runtime: { concurrency: 1 } },
}

describe('runtime.concurrency on the command line', () => {
  test('AAIF-4.6-03: an extra start is refused with --no-wait, and else waits and says so', async (t) => {
    const place = new Place(t, ONE)
    const plan = { agent_id: ONE.agent_id, rehearsal: false, limits: { concurrency: 1 } } as unknown as Plan
    const release = await new RunSlots(join(place.home, 'slots')).take(plan)
    const command = ['run', 'agent.json', '--tools', 'tools.mjs', '--input', 'Go', '--json', ...model.flags]
    const refused = await waybill(place, [...command, '--no-wait'])
    assert.equal(refused.code, 1)
    assert.equal(JSON.parse(refused.out).error.code, 'CONCURRENCY_EXCEEDED')
    assert.deepEqual(place.runIds(), [])
    const waiting = waybill(place, command)
    setTimeout(release, 300)
    const { code, err, out } = await waiting
    assert.equal(code, 0, err)
    assert.match(err, /waiting for Clerk: 1 at a time \(runtime\.concurrency\), under way in process \d+/)
    assert.equal(JSON.parse(out).status, 'completed')
  })
})
