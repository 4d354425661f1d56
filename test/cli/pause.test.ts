import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DEFINITION, GO, KEY, MailModel, Place, start, until, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())

describe('waybill pause', () => {
  test('pauses a run that another process drives: its call in flight is finished, and nothing more is sent', async (t) => {
    model.script({ args: '{"to":"ada"}' })
    const place = new Place(t)
    place.env.WAYBILL_KEY_CUSTOM = KEY
    place.write(
      'tools.mjs',
      `import { appendFileSync } from 'node:fs'
      export const tools = { send_mail: async ({ to }) => {
        appendFileSync(new URL('./sent.log', import.meta.url), to + '\\n')
        await new Promise((resolve) => setTimeout(resolve, 1500))
        return { sent: to }
      } }`,
    )
    place.write(
      'agent.json',
      JSON.stringify({ ...DEFINITION, agent: { ...DEFINITION.agent, compliance: {} } }),
    )
    const driving = start(place, [...GO, '--json', ...model.flags])
    await until('the call is in flight', () => place.sent().length === 1)
    const [run = ''] = await place.runIds()
    const asked = model.server.getRequests().length
    const paused = await waybill(place, ['pause', run, '--json'])
    assert.equal(paused.code, 0, paused.err)
    assert.deepEqual(JSON.parse(paused.out), { run_id: run, status: 'paused' })
    assert.equal(await driving.ended, 130, driving.err())
    assert.equal(model.server.getRequests().length, asked, 'the model is not asked')
    const events = await place.events(run)
    assert.ok(events.some(({ fact }) => fact.type === 'call.answered'))
    assert.equal(events.find(({ fact }) => fact.type === 'run.paused')?.fact.type, 'run.paused')
    const again = await waybill(place, ['pause', run])
    assert.equal(again.code, 0, again.err)
    const done = await waybill(place, ['resume', run, '--json'])
    assert.equal(JSON.parse(done.out).status, 'completed', 'a request of before does not pause it again')
    assert.deepEqual(place.sent(), ['ada'])
    const over = await waybill(place, ['pause', run, '--json'])
    assert.deepEqual([over.code, JSON.parse(over.out).error.code], [1, 'RUN_ENDED'])
  })

  test('a run that waits for a person needs no pause', async (t) => {
    model.script({ args: '{"to":"ada"}' })
    const place = new Place(t)
    place.env.WAYBILL_KEY_CUSTOM = KEY
    await waybill(place, [...GO, '--json', ...model.flags])
    const said = await waybill(place, ['pause', 'last', '--json'])
    assert.deepEqual([said.code, JSON.parse(said.out).status], [0, 'awaiting_approval'])
    const none = await waybill(place, ['pause', 'gone', '--json'])
    assert.deepEqual([none.code, JSON.parse(none.out).error.code], [2, 'RUN_NOT_FOUND'])
  })
})
