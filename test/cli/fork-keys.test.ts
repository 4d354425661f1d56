import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { MailModel, type Said, waybill } from './fixture.ts'
import { killedBeforeItsWrites } from './killed-before-writes.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())

const json = ({ out }: Said) => JSON.parse(out)

describe('a fork of a run whose writes are on record', () => {
  test('uses the recorded answers of idempotent writes too, so none is made twice under two keys', async (t) => {
    const place = await killedBeforeItsWrites(t, model)
    const [run = ''] = await place.runIds()
    const file = join(place.folder, 'state.json')
    assert.equal((await waybill(place, ['state', 'export', run, '-o', file])).code, 0)
    assert.equal((await waybill(place, ['resume', run])).code, 0)
    assert.deepEqual(place.sent(), ['put 1', 'ada', 'bob'])
    const fork = await waybill(place, ['resume', file, '--json'])
    assert.equal(json(fork).status, 'completed', fork.err)
    assert.notEqual(json(fork).run_id, run)
    assert.deepEqual(place.sent(), ['put 1', 'ada', 'bob'])
    assert.equal(place.keys().length, 1)
  })
})
