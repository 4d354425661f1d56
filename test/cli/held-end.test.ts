import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Started } from '../started-process.ts'
import { DEFINITION, MailModel, Place, start, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

/** Long enough for the call to be sent on a slow machine. */
const TIMED = {
  ...DEFINITION,
  agent: { ...DEFINITION.agent, compliance: {}, runtime: { timeout_seconds: 4, max_retries: 0 } },
}
const RUN = ['run', 'agent.json', '--tools', 'tools.mjs', '--input', 'Go', '--json']
const tool = (body: string) => `export const tools = { send_mail: async () => { ${body} } }\n`

async function finished(started: Started) {
  const code = await started.ended
  return { code, out: started.out() }
}

describe('a run whose time limit passes during a write', { concurrency: true }, () => {
  test('waits for the answer of the write, and then ends', async (t) => {
    const place = new Place(t, TIMED)
    place.write(
      'tools.mjs',
      tool(`await new Promise((done) => setTimeout(done, 7000)); return 'sent after all'`),
    )
    const { code, out } = await finished(start(place, [...RUN, ...model.flags]))
    const result = JSON.parse(out)
    assert.deepEqual([code, result.status, result.error.code], [3, 'failed', 'TIMEOUT'])
    const events = (await waybill(place, ['runs', 'events', result.run_id])).out
    assert.match(events, /"result":"sent after all"/)
  })

  for (const verdict of ['assume', 'deny']) {
    test(`asks a person if the write never answers; after ${verdict} it ends`, async (t) => {
      const place = new Place(t, TIMED)
      const log = `(await import('node:fs')).appendFileSync('sent.log', 'x\\n')`
      place.write('tools.mjs', tool(`${log}; await new Promise(() => {})`))
      const { code, out } = await finished(start(place, [...RUN, ...model.flags]))
      const { run_id, status, warnings } = JSON.parse(out)
      assert.deepEqual([code, status], [4, 'awaiting_approval'])
      assert.match(JSON.stringify(warnings), /CALL_UNSETTLED.*send_mail.*TIMEOUT/)

      const list = JSON.parse((await waybill(place, ['approvals', 'list', '--json'])).out).approvals
      assert.deepEqual(
        list.map((each: { call_id: string; asks: string }) => [each.call_id, each.asks]),
        [['c1', 'unknown']],
      )
      place.write('tools.mjs', tool(`${log}; return 'sent'`))
      assert.equal((await waybill(place, ['approvals', verdict, run_id])).code, 0)
      const resumed = await finished(start(place, ['resume', run_id, '--json']))
      const result = JSON.parse(resumed.out)
      assert.deepEqual([resumed.code, result.status, result.error.code], [3, 'failed', 'TIMEOUT'])
      assert.equal(place.sent().length, 1)
      assert.equal(
        JSON.parse((await waybill(place, ['approvals', 'list', '--json'])).out).approvals.length,
        0,
      )
    })
  }
})
