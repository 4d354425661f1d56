import assert from 'node:assert/strict'
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { GO, MailModel, Place, type Said, waybill } from './fixture.ts'
import { killedBeforeItsWrites } from './killed-before-writes.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

const json = ({ out }: Said) => JSON.parse(out)

/** Starts a run that waits for the approval of its only write. */
async function waiting(t: TestContext, definition?: object) {
  const place = new Place(t, definition)
  assert.equal((await waybill(place, [...GO, ...model.flags])).code, 4)
  const [run = ''] = await place.runIds()
  return { place, run }
}

const backup = ({ folder, home }: Place): string => {
  const copy = join(folder, 'backup')
  cpSync(home, copy, { recursive: true })
  return copy
}

/** Puts a copy back as a backup program does: the files are new ones. */
function putBack({ home }: Place, copy: string): void {
  rmSync(home, { recursive: true })
  cpSync(copy, home, { recursive: true })
}

/** Puts the files back in place, so that each keeps its identity. */
function overwrite({ home }: Place, copy: string, names: readonly string[]): void {
  for (const name of names) writeFileSync(join(home, name), readFileSync(join(copy, name)))
}

const asked = async (place: Place, run: string) => {
  const said = await waybill(place, ['resume', run, '--json'])
  const { approvals } = json(await waybill(place, ['approvals', 'list', '--json']))
  return { said, approvals }
}

async function assertAsks(place: Place, run: string): Promise<void> {
  const { said, approvals } = await asked(place, run)
  assert.equal(said.code, 4, said.out)
  assert.deepEqual(
    approvals.map((one: { run_id: string; asks: string }) => [one.run_id, one.asks]),
    [[run, 'unknown']],
  )
  assert.match(approvals[0].reason, /put back from an older copy/)
}

describe('a home that was put back from an older copy', () => {
  test('asks about a write that was approved and sent after the copy, and does not send it again', async (t) => {
    const { place, run } = await waiting(t)
    const copy = backup(place)
    await waybill(place, ['approvals', 'approve', run, '--resume'])
    assert.deepEqual(place.sent(), ['ada'])
    putBack(place, copy)
    const listed = await waybill(place, ['runs', 'list'])
    assert.match(listed.err, /HOME_COPIED: .*generation 2/)
    assert.doesNotMatch((await waybill(place, ['runs', 'list'])).err, /HOME_COPIED/)
    const again = await waybill(place, ['approvals', 'approve', run, '--resume'])
    assert.equal(again.code, 4, again.err)
    await assertAsks(place, run)
    assert.deepEqual(place.sent(), ['ada'])
    const assumed = await waybill(place, [
      ...['approvals', 'assume', run, '--result', '{"sent":"ada"}', '--resume', '--json'],
    ])
    assert.deepEqual([assumed.code, json(assumed).status, place.sent()], [0, 'completed', ['ada']])
    const doctor = await waybill(place, ['doctor', '--port', '0'])
    assert.match(doctor.out, /records: generation 2/)
    const verified = await waybill(place, ['audit', 'verify', '--json'])
    assert.equal(verified.code, 0, verified.out)
    const { out } = await waybill(place, ['audit', 'export'])
    assert.match(out, /"kind":"home.restored".*"generation":2/)
  })

  test('does not take in a decision that was made before the copy', async (t) => {
    const { place, run } = await waiting(t)
    await waybill(place, ['approvals', 'approve', run])
    const copy = backup(place)
    await waybill(place, ['resume', run])
    putBack(place, copy)
    await assertAsks(place, run)
    assert.deepEqual(place.sent(), ['ada'])
  })

  test('asks about the first new write of a run that was interrupted before it', async (t) => {
    const place = await killedBeforeItsWrites(t, model)
    const [run = ''] = await place.runIds()
    const copy = backup(place)
    assert.equal((await waybill(place, ['resume', run])).code, 0)
    assert.deepEqual(place.sent(), ['put 1', 'ada', 'bob'])
    const keys = place.keys()
    putBack(place, copy)
    const { said, approvals } = await asked(place, run)
    assert.equal(said.code, 4)
    assert.deepEqual(
      approvals.map((one: { tool: string }) => one.tool),
      ['send_mail'],
    )
    // The idempotent write is sent again, with the same key.
    assert.deepEqual(place.sent(), ['put 1', 'ada', 'bob', 'put 1'])
    assert.equal(new Set(place.keys()).size, keys.length)
    // What was done already says nothing about the next one; a write that may leave ends the questions.
    await waybill(place, ['approvals', 'assume', run, '--resume'])
    const second = json(await waybill(place, ['approvals', 'list', '--json'])).approvals
    assert.deepEqual(
      second.map((one: { arguments: unknown }) => one.arguments),
      [{ to: 'bob' }],
    )
    const done = await waybill(place, ['approvals', 'assume', run, '--resume', '--json'])
    assert.equal(json(done).status, 'completed')
    assert.deepEqual(place.sent(), ['put 1', 'ada', 'bob', 'put 1'])
  })

  test('asks no more after a person has let a write leave', async (t) => {
    const place = await killedBeforeItsWrites(t, model)
    const [run = ''] = await place.runIds()
    putBack(place, backup(place))
    assert.equal((await waybill(place, ['resume', run])).code, 4)
    const done = await waybill(place, ['approvals', 'resend', run, '--resume', '--json'])
    assert.equal(json(done).status, 'completed', done.out)
    assert.deepEqual(place.sent(), ['put 1', 'ada', 'bob'])
  })

  test('notices a database that was overwritten in place, by the stamp in the home', async (t) => {
    const { place, run } = await waiting(t)
    const copy = backup(place)
    await waybill(place, ['approvals', 'approve', run, '--resume'])
    overwrite(place, copy, ['waybill.db'])
    await assertAsks(place, run)
    assert.deepEqual(place.sent(), ['ada'])
  })

  test('notices a folder that was overwritten in place as a whole, by the stamp outside', async (t) => {
    const { place, run } = await waiting(t)
    const copy = backup(place)
    await waybill(place, ['approvals', 'approve', run, '--resume'])
    overwrite(place, copy, ['waybill.db'])
    rmSync(join(place.home, 'waybill.stamp'))
    await assertAsks(place, run)
    assert.deepEqual(place.sent(), ['ada'])
  })

  test('is noticed again when the same copy is put back again', async (t) => {
    const { place, run } = await waiting(t)
    const copy = backup(place)
    for (const generation of [2, 2, 2]) {
      putBack(place, copy)
      assert.match((await waybill(place, ['runs', 'list'])).err, new RegExp(`generation ${generation}`))
    }
    // In place, and without the stamp of the home.
    overwrite(place, copy, ['waybill.db'])
    rmSync(join(place.home, 'waybill.stamp'))
    assert.match((await waybill(place, ['runs', 'list'])).err, /HOME_COPIED/)
    await assertAsks(place, run)
  })

  test('asks nothing of a home that was only moved, or that has lost its stamps', async (t) => {
    const { place, run } = await waiting(t)
    const elsewhere = join(place.folder, 'elsewhere')
    renameSync(place.home, elsewhere)
    place.env.WAYBILL_HOME = elsewhere
    const done = await waybill(place, ['approvals', 'approve', run, '--resume'])
    assert.deepEqual([done.code, place.sent()], [0, ['ada']])
    assert.doesNotMatch(done.err, /HOME_COPIED/)
    rmSync(join(elsewhere, 'waybill.stamp'))
    rmSync(join(place.folder, '.local'), { recursive: true })
    assert.doesNotMatch((await waybill(place, ['runs', 'list'])).err, /HOME_COPIED/)
  })
})

describe('a home that was copied', () => {
  test('the copy asks, and the original continues without a question', async (t) => {
    const { place, run } = await waiting(t)
    const copy = backup(place)
    const done = await waybill(place, ['approvals', 'approve', run, '--resume'])
    assert.deepEqual([done.code, place.sent()], [0, ['ada']])
    const { home } = place
    place.env.WAYBILL_HOME = copy
    await assertAsks(place, run)
    assert.deepEqual(place.sent(), ['ada'])
    // The copy has an id of its own: what it sends says nothing about the original.
    await waybill(place, ['approvals', 'resend', run, '--resume'])
    assert.deepEqual(place.sent(), ['ada', 'ada'])
    place.env.WAYBILL_HOME = home
    assert.doesNotMatch((await waybill(place, ['runs', 'list'])).err, /HOME_COPIED/)
  })
})
