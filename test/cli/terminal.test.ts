import assert from 'node:assert/strict'
import { after, before, beforeEach, describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFINITION, MailModel, Place, until, waybill } from './fixture.ts'
import { Terminal, terminal } from './real-terminal.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

const run = (file = 'agent.json') => ['run', file, '--tools', 'tools.mjs', '--input', 'Go', ...model.flags]

describe('on a terminal', () => {
  terminal('a call is shown whole, and approved', async (t) => {
    const place = new Place(t)
    const tty = new Terminal(t, place)
    tty.command(...run())
    await tty.shows(/Decide later/)
    for (const part of [
      'send_mail needs your approval',
      'Sends a mail.',
      '"to": "ada"',
      'never sent again automatically',
    ])
      assert.ok(tty.screen().includes(part), part)
    assert.deepEqual(place.sent(), [])
    await tty.choose('Approve', 'Down')
    assert.equal(await tty.code(), 0)
    assert.deepEqual(place.sent(), ['ada'])
    assert.equal(tty.screen().match(/It is sent\./g)?.length, 1)
  })

  terminal('what was typed before the question approves nothing', async (t) => {
    const place = new Place(t)
    model.server.clearFixtures()
    model.server.addFixture({
      match: {},
      response: async () => {
        await sleep(1200)
        return { toolCalls: [{ id: 'c1', name: 'send_mail', arguments: '{"to":"ada"}' }] }
      },
    })
    const tty = new Terminal(t, place)
    tty.command(...run())
    await tty.shows(/is thinking/)
    tty.key('Enter', 'Enter')
    await tty.shows(/Decide later/)
    await sleep(300)
    assert.deepEqual(place.sent(), [])
    tty.key('C-c')
    assert.equal(await tty.code(), 130)
    assert.deepEqual(place.sent(), [])
    assert.equal(JSON.parse((await waybill(place, ['runs', 'list', '--json'])).out).runs[0].status, 'paused')
  })

  terminal('Enter alone at the question neither approves nor denies', async (t) => {
    const place = new Place(t)
    const tty = new Terminal(t, place)
    tty.command(...run())
    await tty.shows(/● Decide later/)
    tty.key('Enter')
    assert.equal(await tty.code(), 4)
    assert.deepEqual(place.sent(), [])
    const [run_id = ''] = await place.runIds()
    assert.ok((await place.events(run_id)).every(({ fact }) => fact.type !== 'person.decided'))
  })

  terminal('text that is typed or pasted at the question neither approves nor denies', async (t) => {
    const place = new Place(t)
    for (const text of ['hello', 'jjkk yes']) {
      const tty = new Terminal(t, place)
      tty.command(...run())
      await tty.shows(/● Decide later/)
      tty.key('Up')
      await tty.shows(/● Approve all/)
      tty.type(text)
      tty.key('Enter')
      assert.equal(await tty.code(), 4)
    }
    const tty = new Terminal(t, place)
    tty.command(...run())
    await tty.shows(/● Decide later/)
    tty.paste('make\n\x1b[A\x1b[A\n')
    tty.key('Enter')
    assert.equal(await tty.code(), 4)
    assert.deepEqual(place.sent(), [])
    for (const id of await place.runIds())
      assert.ok((await place.events(id)).every(({ fact }) => fact.type !== 'person.decided'))
  })

  terminal('a denial takes a reason, which the model reads', async (t) => {
    const place = new Place(t)
    const tty = new Terminal(t, place)
    tty.command(...run())
    await tty.shows(/Decide later/)
    await tty.choose('Deny', 'Down', 'Down')
    await tty.shows(/Reason\?/)
    tty.type('not on a Sunday')
    tty.key('Enter')
    assert.equal(await tty.code(), 0)
    assert.deepEqual(place.sent(), [])
    assert.match(model.lastMessage(), /did not approve this call: not on a Sunday/)
  })

  terminal(
    'one answer can be for all calls like it: which, shown against the past, and for how long',
    async (t) => {
      const place = new Place(t)
      const tty = new Terminal(t, place)
      tty.command(...run())
      await tty.shows(/Decide later/)
      await tty.choose('Approve all', 'Up')
      await tty.shows(/Which calls\?.*\n.*send_mail to=ada/)
      tty.type('m')
      tty.key('Enter')
      await tty.shows(/the rule does not match this call: to is "ada"/)
      tty.key('BSpace', 'BSpace', 'BSpace', 'BSpace')
      tty.type('*')
      tty.key('Enter')
      await tty.shows(/1 call of 1 recorded would need no approval/)
      // An Enter goes back to the question about the call.
      tty.key('Enter')
      await tty.shows(/for how long\?[\s\S]*Cancel[\s\S]*Allow send_mail\?/)
      await tty.choose('Approve all', 'Up')
      await tty.shows(/Which calls\?.*\n.*send_mail to=ada(?![\s\S]*for how long)/)
      tty.key('BSpace', 'BSpace', 'BSpace')
      tty.type('*')
      tty.key('Enter')
      await tty.shows(/● Cancel/)
      await tty.choose('An hour', 'Down')
      assert.equal(await tty.code(), 0)
      assert.deepEqual(place.sent(), ['ada'])
      // The next one is not asked about.
      model.script({ args: '{"to":"grace"}' })
      const next = await waybill(place, [...run(), '--json'])
      assert.equal(next.code, 0, next.err)
      assert.deepEqual(place.sent(), ['ada', 'grace'])
      const listed = await waybill(place, ['grants', 'list'])
      assert.match(listed.out, / call {2}send_mail to=\*/)
    },
  )

  terminal('memory of several users is deleted only after a yes', async (t) => {
    const place = new Place(t)
    const owner = { definition: 'd', agent_id: 'a', scope: 'user', session: '' } as const
    const item = { scope: 'user', key: 'tea', saved_at: 0, expires_at: null } as const
    await place.withHome(async ({ memory }) => {
      for (const user of ['carl', 'dora'])
        await memory.save({ ...owner, user }, { ...item, content: `of ${user}` }, `k-${user}`)
    })
    const keys = async () => JSON.parse((await waybill(place, ['memory', 'list', '--json'])).out).items.length
    const tty = new Terminal(t, place)
    tty.command('memory', 'forget', 'tea')
    await tty.shows(/of carl[\s\S]*of dora[\s\S]*Delete all 2 memory items, of 2 owners\?/)
    tty.key('Enter')
    assert.equal(await tty.code(), 130)
    assert.equal(await keys(), 2)
    tty.command('memory', 'forget', 'tea')
    await until('it asks again', () => tty.screen().split('Delete all 2').length > 2)
    tty.type('yes')
    tty.key('Enter')
    assert.equal(await tty.code(), 130)
    assert.equal(await keys(), 2)
    tty.command('memory', 'forget', 'tea')
    await until('it asks again', () => tty.screen().split('Delete all 2').length > 3)
    await tty.choose('Yes', 'Up')
    assert.equal(await tty.code(), 0)
    assert.equal(await keys(), 0)
  })

  terminal('another terminal may decide while this one asks', async (t) => {
    const place = new Place(t)
    const tty = new Terminal(t, place)
    tty.command(...run())
    await tty.shows(/Decide later/)
    const [id = ''] = await place.runIds()
    await waybill(place, ['approvals', 'approve', id, '--by', 'grace'])
    assert.equal(await tty.code(), 0)
    assert.match(tty.screen(), /approved by grace/)
    assert.deepEqual(place.sent(), ['ada'])
  })

  terminal('a host that was not granted is asked about once, and a yes for good is remembered', async (t) => {
    const crm = {
      name: 'crm',
      description: 'Asks the CRM.',
      protocol: 'http',
      endpoint: 'https://crm.example.com/v1',
      parameters_schema: { type: 'object' },
    }
    const inside = { ...crm, name: 'inside', endpoint: 'http://127.0.0.1:9/v1' }
    const place = new Place(t, { ...DEFINITION, agent: { ...DEFINITION.agent, tools: [crm, inside] } })
    model.script({ calls: false })
    const tty = new Terminal(t, place)
    tty.command(...run())
    await tty.shows(/wants to connect to crm\.example\.com \(crm\)/)
    tty.key('C-c')
    assert.equal(await tty.code(), 130)
    assert.deepEqual(await place.runIds(), [])
    tty.command(...run())
    await until('it asks again', () => tty.screen().split('wants to connect to crm').length > 2)
    await tty.choose('Always', 'Down', 'Down')
    assert.equal(await tty.code(), 0)
    assert.doesNotMatch(tty.screen(), /wants to call 127/)
    const { tools } = JSON.parse((await waybill(place, ['plan', 'agent.json', '--json'])).out)
    assert.deepEqual(
      tools.map(({ gate }: { gate: string }) => gate),
      ['ask', 'deny'],
    )
  })

  terminal('a conversation: turns, /usage, and Ctrl-D', async (t) => {
    const place = new Place(t)
    model.script({ calls: false, answer: 'Good day.' })
    const tty = new Terminal(t, place)
    tty.command('chat', 'agent.json', '--tools', 'tools.mjs', ...model.flags)
    await tty.shows(/\n> $/m)
    tty.type('Hello')
    tty.key('Enter')
    await tty.shows(/> Hello\nGood day\.\n/)
    tty.type('/usage')
    tty.key('Enter')
    await tty.shows(/11 tokens in, 5 out/)
    tty.key('C-d')
    assert.equal(await tty.code(), 0)
    assert.match(tty.screen(), /waybill chat --resume/)
  })

  const SLOW = async () => {
    await sleep(700)
    return { content: 'It is sent.' }
  }
  const WAYS = [
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['CI', { CI: 'true' }],
    ['a dumb terminal', { TERM: 'dumb' }],
  ] as const
  for (const [name, env] of WAYS) {
    terminal(`${name}: neither colours nor cursor codes, and no spinner`, async (t) => {
      model.server.clearFixtures()
      model.server.addFixture({ match: {}, response: SLOW })
      const tty = new Terminal(t, new Place(t), env)
      await tty.shows(/\$/)
      tty.record()
      tty.command(...run())
      assert.equal(await tty.code(), 0)
      await until('all is recorded', () => tty.recorded().includes('completed'))
      assert.match(tty.recorded(), /It is sent\./)
      assert.equal(tty.recorded().includes('\x1b'), false, JSON.stringify(tty.recorded()))
      assert.equal(tty.recorded().includes('is thinking'), false)
    })
  }

  terminal(
    'colours, and a sign of life for what takes a while, where nothing speaks against them',
    async (t) => {
      model.server.clearFixtures()
      model.server.addFixture({ match: {}, response: SLOW })
      const tty = new Terminal(t, new Place(t))
      await tty.shows(/\$/)
      tty.record()
      tty.command(...run())
      assert.equal(await tty.code(), 0)
      await until('all is recorded', () => tty.recorded().includes('completed'))
      assert.ok(tty.recorded().includes('custom/x is thinking'))
      assert.ok(tty.recorded().includes('\x1b[32mcompleted\x1b[0m'))
      // The sign of life is gone when there is something to read.
      assert.doesNotMatch(tty.screen(), /is thinking/)
    },
  )
})
