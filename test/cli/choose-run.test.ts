import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { GO, MailModel, Place, start, until, waybill } from './fixture.ts'
import { Terminal, terminal } from './real-terminal.ts'

const model = new MailModel()

describe('a command that lacks a run', () => {
  before(() => model.begin())
  after(() => model.server.stop())

  test('says without a terminal how a run is named, and which command lists the runs', async (t) => {
    const place = new Place(t)
    const none = await waybill(place, ['runs', 'show'])
    assert.equal(none.code, 2)
    assert.match(
      none.err,
      /hint name a run by its id or its ending, or use `last` for the newest; `waybill runs list` lists the runs; usage: waybill runs show /,
    )
    await waybill(place, [...GO, ...model.flags])
    const [id = ''] = await place.runIds()
    for (const argv of [
      ['approvals', 'approve'],
      ['resume', '--json'],
    ]) {
      const { code, out, err } = await waybill(place, argv)
      assert.equal(code, 2)
      const said = argv.includes('--json') ? JSON.parse(out).error.hint : err
      assert.match(
        said,
        new RegExp(`waiting for a person: ${id.slice(-6)} \\(Clerk\\); .* \`last\` for the newest`),
      )
      assert.match(
        said,
        argv[0] === 'approvals' ? /`waybill approvals list` lists/ : /`waybill runs list` lists/,
      )
    }
  })

  terminal('offers on a terminal the runs that it can work on: those to resume', async (t) => {
    const place = new Place(t)
    await waybill(place, [...GO, '--rehearse'])
    await waybill(place, [...GO, ...model.flags])
    await waybill(place, ['approvals', 'approve', 'last'])
    const [done = '', id = ''] = await place.runIds()
    const window = new Terminal(t, place)
    window.command('resume', '--tools', 'tools.mjs')
    await window.shows(
      new RegExp(`waybill resume: which run\\?[\\s\\S]*${id.slice(-6)} {2}Clerk · awaiting approval · now`),
    )
    assert.ok(!window.screen().includes(done.slice(-6)))
    window.key('Enter')
    await window.shows(/✓ send_mail/)
    assert.equal(await window.code(), 0)
    window.command('resume')
    await window.shows(/error USAGE no run in .* is one for `waybill resume`/)
    assert.equal(await window.code(), 2)
    window.command('resume', '--replay')
    await window.shows(new RegExp(`${id.slice(-6)} {2}Clerk[\\s\\S]*${done.slice(-6)} {2}Clerk`))
    window.key('Escape')
    assert.equal(await window.code(), 2)
    window.command('migrate', '--from', 'https://other.example')
    await window.shows(/missing required argument 'run'/)
    window.command('pause')
    await window.shows(/error USAGE no run in .* is one for `waybill pause`/)
    assert.equal(await window.code(), 2)
  })

  terminal(
    'offers on a terminal the active run to pause, and an interrupted one to resume, the newest first',
    async (t) => {
      const place = new Place(t)
      place.write(
        'tools.mjs',
        'export const tools = { send_mail: () => new Promise(() => setInterval(() => {}, 1000)) }',
      )
      await waybill(place, [...GO, ...model.flags])
      const driven = start(place, [...GO, '--yes', 'send_mail to=ada', ...model.flags])
      await until('the call is under way', () => /→ send_mail/.test(driven.err()))
      const [waits = '', active = ''] = await place.runIds()
      const window = new Terminal(t, place)
      window.command('pause')
      await window.shows(
        new RegExp(`which run\\?\n.*${active.slice(-6)} {2}Clerk · running · now\n.*navigate`),
      )
      window.key('Escape')
      assert.equal(await window.code(), 2)
      driven.child.kill('SIGKILL')
      await driven.ended
      window.command('resume')
      await window.shows(
        new RegExp(
          `resume: which run\\?\n.*${active.slice(-6)} {2}Clerk · interrupted .*\n.*${waits.slice(-6)} {2}Clerk · awaiting`,
        ),
      )
      window.key('Escape')
      assert.equal(await window.code(), 2)
    },
  )

  terminal('offers on a terminal the calls that a person can decide, and the call is decided', async (t) => {
    const place = new Place(t)
    model.script({ args: '{"to":"eve"}' })
    await waybill(place, [...GO, ...model.flags])
    model.script()
    await waybill(place, [...GO, ...model.flags])
    const [first = '', second = ''] = await place.runIds()
    const window = new Terminal(t, place)
    window.command('approvals', 'resend')
    await window.shows(/no run in .* is one for `waybill approvals resend`/)
    assert.equal(await window.code(), 2)
    window.command('approvals', 'approve', '--why', 'as agreed')
    await window.shows(/which call\?/)
    await window.shows(new RegExp(`${second.slice(-6)} {2}Clerk · send_mail to="ada"`))
    await window.shows(new RegExp(`${first.slice(-6)} {2}Clerk · send_mail to="eve"`))
    // An Enter that was typed for something else chooses no call.
    window.key('Enter')
    await window.shows(/error USAGE no run was chosen/)
    assert.equal(await window.code(), 2)
    window.command('approvals', 'approve', '--why', 'as agreed')
    await window.shows(/● None of these(?![\s\S]*error USAGE)/)
    await window.choose(first.slice(-6), 'Down', 'Down')
    await window.shows(/next waybill resume/)
    assert.equal(await window.code(), 0)
    const { approvals } = JSON.parse((await waybill(place, ['approvals', 'list', '--json'])).out)
    assert.deepEqual(
      approvals.map((one: { run_id: string; decided?: object }) => [one.run_id, one.decided !== undefined]),
      [
        [second, false],
        [first, true],
      ],
    )
    window.command('approvals', 'deny')
    await window.shows(new RegExp(`approvals deny: which call\\?[\\s\\S]*${second.slice(-6)} {2}Clerk`))
    const offered = window.screen().split('approvals deny: which call?')[1] ?? ''
    assert.ok(!offered.includes(first.slice(-6)), 'it is decided')
    window.key('Escape')
    await window.shows(/error USAGE no run was chosen/)
    assert.equal(await window.code(), 2)
  })

  terminal('offers on a terminal all runs to show', async (t) => {
    const place = new Place(t)
    await waybill(place, [...GO, '--rehearse'])
    await waybill(place, [...GO, ...model.flags])
    const [older = '', newer = ''] = await place.runIds()
    const window = new Terminal(t, place)
    window.command('runs', 'show', '--json')
    await window.shows(/USAGE/)
    assert.equal(await window.code(), 2)
    window.command('runs', 'show')
    await window.shows(new RegExp(`${newer.slice(-6)} [\\s\\S]*${older.slice(-6)} {2}Clerk · `))
    window.key('Down')
    window.key('Enter')
    await window.shows(new RegExp(`Clerk run ${older.slice(-6)}`))
    assert.equal(await window.code(), 0)
  })
})
