import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { DEFINITION, GO, MailModel, Place, start, until, waybill } from './fixture.ts'
import { Terminal, terminal } from './real-terminal.ts'

const model = new MailModel()

const WITHOUT_QUESTIONS = { ...DEFINITION, agent: { ...DEFINITION.agent, compliance: {} } }

/** A place whose tool answers when the test writes the file `go`, so that no test depends on time. */
function slowPlace(t: TestContext, definition: object = WITHOUT_QUESTIONS): Place {
  const place = new Place(t, definition)
  place.write(
    'tools.mjs',
    `import { existsSync } from 'node:fs'
export const tools = {
  send_mail: async () => {
    while (!existsSync(new URL('./go', import.meta.url))) await new Promise((r) => setTimeout(r, 20))
    return 1
  },
}
`,
  )
  return place
}

describe('waybill runs watch', () => {
  before(() => model.begin())
  after(() => model.server.stop())

  test('RUN prints the steps as they happen, and ends with the run', async (t) => {
    const place = slowPlace(t)
    const driven = start(place, [...GO, ...model.flags])
    await until('the call is under way', () => /→ send_mail/.test(driven.err()))
    const [id = ''] = await place.runIds()
    const watched = start(place, ['runs', 'watch', id.slice(-6)])
    await until('the watch shows the call', () => /→ send_mail/.test(watched.out()))
    assert.doesNotMatch(watched.out(), /✓ send_mail|completed/)
    place.write('go', '')
    assert.equal(await watched.ended, 0)
    assert.equal(await driven.ended, 0)
    const out = watched.out()
    assert.match(out, new RegExp(`^Clerk run ${id.slice(-6)}\\n`))
    assert.match(out, /✓ send_mail[\s\S]*\ncompleted · .* tokens in/)
    assert.equal(out.match(/→ send_mail/g)?.length, 1)
    assert.match(watched.err(), new RegExp(`next waybill runs show ${id.slice(-6)}`))
  })

  test('RUN --json prints each event once, as one line', async (t) => {
    const place = slowPlace(t)
    place.write('go', '')
    await waybill(place, [...GO, ...model.flags])
    const { code, out, err } = await waybill(place, ['runs', 'watch', 'last', '--json'])
    assert.deepEqual(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).seq),
      [1, 2, 3, 4],
    )
    assert.deepEqual([code, err], [0, ''])
  })

  test('RUN ends with exit 4 at a question, and suggests its approval', async (t) => {
    const place = new Place(t)
    await waybill(place, [...GO, ...model.flags])
    const [id = ''] = await place.runIds()
    const { code, out, err } = await waybill(place, ['runs', 'watch', 'last'])
    assert.equal(code, 4)
    assert.match(out, /\nawaiting approval · /)
    assert.match(err, new RegExp(`next waybill approvals approve ${id.slice(-6)} --resume`))
  })

  test('Ctrl-C ends the watching with exit 130, and not the run', async (t) => {
    const place = slowPlace(t)
    const driven = start(place, [...GO, ...model.flags])
    await until('the call is under way', () => /→ send_mail/.test(driven.err()))
    const watched = start(place, ['runs', 'watch', 'last'])
    await until('the watch shows the call', () => /→ send_mail/.test(watched.out()))
    watched.child.kill('SIGINT')
    assert.equal(await watched.ended, 130)
    assert.equal(watched.err(), '')
    place.write('go', '')
    assert.equal(await driven.ended, 0)
  })

  test('without RUN prints a line for each run that becomes active, waits or ends', async (t) => {
    const place = slowPlace(t)
    const lines = start(place, ['runs', 'watch'])
    const json = start(place, ['runs', 'watch', '--json'])
    const driven = start(place, [...GO, ...model.flags])
    await until('both show the run', () => /running/.test(lines.out()) && /running/.test(json.out()))
    const [id = ''] = await place.runIds()
    place.write('go', '')
    assert.equal(await driven.ended, 0)
    await until('both show its end', () => /completed/.test(lines.out()) && /completed/.test(json.out()))
    for (const { child } of [lines, json]) child.kill('SIGINT')
    assert.deepEqual([await lines.ended, await json.ended], [130, 130])
    const short = id.slice(-6)
    assert.match(lines.out(), new RegExp(`^${short}  running +Clerk\\n${short}  completed +Clerk\\n$`))
    const changes = json
      .out()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      changes.map(({ run_id, status, agent_name }) => ({ run_id, status, agent_name })),
      ['running', 'completed'].map((status) => ({ run_id: id, status, agent_name: 'Clerk' })),
    )
  })
})

test('without RUN prints each new status of a run', async (t) => {
  const asking = new MailModel()
  await asking.begin()
  t.after(() => asking.server.stop())
  const place = slowPlace(t, DEFINITION)
  await waybill(place, [...GO, ...asking.flags])
  const lines = start(place, ['runs', 'watch'])
  t.after(() => lines.child.kill('SIGKILL'))
  await until('it shows the question', () => /awaiting approval/.test(lines.out()))
  const driven = start(place, ['resume', 'last', '--yes', 'send_mail to=ada'])
  await until('it shows the active run', () => /running/.test(lines.out()))
  place.write('go', '')
  assert.equal(await driven.ended, 0)
  await until('it shows the end', () => /completed/.test(lines.out()))
  lines.child.kill('SIGINT')
  await lines.ended
  assert.match(
    lines.out(),
    /^(\w{6}) {2}awaiting approval +Clerk\n\1 {2}running +Clerk\n\1 {2}completed +Clerk\n$/,
  )
})

terminal('on a terminal the list of active and waiting runs is drawn again in its place', async (t) => {
  const waiting = new MailModel()
  await waiting.begin()
  t.after(() => waiting.server.stop())
  const place = new Place(t)
  const window = new Terminal(t, place)
  window.command('runs', 'watch')
  await window.shows(/no active or waiting runs in /)
  await waybill(place, [...GO, ...waiting.flags])
  await window.shows(/RUN +STATUS +AGE +AGENT\n[0-9a-f]{6} +awaiting approval +now +Clerk\n/)
  assert.doesNotMatch(window.screen(), /no active or waiting runs/)
  await waybill(place, ['runs', 'rm', 'last'])
  await window.shows(/no active or waiting runs in /)
  assert.doesNotMatch(window.screen(), /awaiting approval/)
  window.key('C-c')
  assert.equal(await window.code(), 130)
})
