import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Place, waybill } from './fixture.ts'

const ASKING = ['run', 'agent.json', '--rehearse', '--ask', '--input', 'Go'] as const

describe('a rehearsal that asks', () => {
  test('stops for an approval, and continues after it with the double', async (t) => {
    const place = new Place(t)
    const said = await waybill(place, [...ASKING, '--tools', 'tools.mjs'])
    assert.equal(said.code, 4, said.err)
    assert.match(said.err, /REHEARSAL/)
    assert.match(said.err, /awaiting approval \(rehearsal\)/)
    const listed = await waybill(place, ['approvals', 'list'])
    assert.match(listed.out, /send_mail/)
    const done = await waybill(place, ['approvals', 'approve', 'last', '--resume', '--json'])
    assert.equal(done.code, 0, done.err)
    const { status, rehearsal, warnings, usage } = JSON.parse(done.out)
    assert.deepEqual([status, rehearsal, usage.tool_calls], ['completed', true, 1])
    assert.deepEqual(
      warnings.filter(({ code }: { code: string }) => code === 'APPROVAL_ASSUMED'),
      [],
    )
    assert.deepEqual(place.sent(), [], 'the function itself is not called')
  })

  test('sends nothing after a denial', async (t) => {
    const place = new Place(t)
    await waybill(place, ASKING)
    const denied = await waybill(place, ['approvals', 'deny', 'last', '--resume', '--json'])
    assert.equal(denied.code, 0, denied.err)
    assert.equal(JSON.parse(denied.out).usage.tool_calls, 0)
  })

  test('uses no standing rule, whose uses are for real runs', async (t) => {
    const place = new Place(t)
    const rule = [
      'grants',
      'allow',
      'call',
      'send_mail',
      '--agent',
      'agent.json',
      '--uses',
      '1',
      '--for',
      '1h',
    ]
    const given = await waybill(place, rule)
    assert.equal(given.code, 0, given.err)
    assert.equal((await waybill(place, [...ASKING, '--tools', 'tools.mjs'])).code, 4)
  })

  test('takes a rule of its own command line', async (t) => {
    const place = new Place(t)
    const said = await waybill(place, [...ASKING, '--yes', 'send_mail to=**'])
    assert.equal(said.code, 0, said.err)
  })

  test('without --rehearse, --ask is refused: a real run asks in any case', async (t) => {
    const place = new Place(t)
    const said = await waybill(place, ['run', 'agent.json', '--ask', '--input', 'Go', '--json'])
    assert.equal(said.code, 2)
    assert.equal(JSON.parse(said.out).error.code, 'USAGE')
    assert.match(JSON.parse(said.out).error.hint, /--rehearse/)
  })

  test('without --ask, an approval counts as granted and is listed', async (t) => {
    const place = new Place(t)
    const said = await waybill(place, ['run', 'agent.json', '--rehearse', '--input', 'Go', '--json'])
    assert.equal(said.code, 0, said.err)
    assert.match(said.out, /APPROVAL_ASSUMED/)
  })
})
