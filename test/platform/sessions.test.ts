import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inOrganisation } from '../../src/platform/database/tenant.ts'
import type { RunState } from '../../src/run/state.ts'
import { calls, modelOf, text, toolsOf } from '../run/fixture.ts'
import { SessionWorld } from './sessions-fixture.ts'

const ASKS = { compliance: { human_in_the_loop: { enabled: true } } }
const textsOf = ({ messages }: RunState) =>
  messages.toArray().map((message) => (message.role === 'tool' ? 'result' : message.text || 'calls'))
const hangs = () => new Promise<never>(() => {})
const NOTE = 'The user interrupted the turn here, before it was complete.'

describe('sessions', () => {
  test('the first message begins the run, and further messages are its turns', async (t) => {
    const world = await SessionWorld.open(t)
    const session = await world.created()
    const begun = await world.sessions.send(session, { input: 'one' })
    assert.deepEqual([begun.status, begun.queued], ['queued', 0])
    const queued = await world.sessions.send(session, { input: 'two' })
    assert.deepEqual([queued.run_id, queued.queued], [begun.run_id, 1])
    const state = await world.leg(session, { model: modelOf(text('1'), text('2')), tools: toolsOf({}) })
    assert.deepEqual(textsOf(state), ['one', '1', 'two', '2'])
    const after = await world.sessions.read(session)
    assert.deepEqual([after.status, after.queued], ['completed', 0])
    assert.deepEqual(world.notified, [begun.run_id, begun.run_id])
  })

  test('a message after the end of a turn wakes the run again', async (t) => {
    const world = await SessionWorld.open(t)
    const session = await world.created()
    await world.sessions.send(session, { input: 'one' })
    await world.leg(session, { model: modelOf(text('1')), tools: toolsOf({}) })
    const progress = async () =>
      (await world.database.engine.query('SELECT phase, leg, wakes FROM waybill.progress')).rows[0]
    const before = await progress()
    assert.equal(before.phase, 'over')
    await world.sessions.send(session, { input: 'two' })
    const after = await progress()
    assert.deepEqual([after.phase, after.leg], ['queued', before.leg + 1])
    const state = await world.leg(session, { model: modelOf(text('2')), tools: toolsOf({}) })
    assert.equal(state.turn, 2)
  })

  test('a message that arrives while the worker still holds the ended run is found by that worker', async (t) => {
    const world = await SessionWorld.open(t)
    const session = await world.created()
    await world.sessions.send(session, { input: 'one' })
    await world.leg(session, { model: modelOf(text('1')), tools: toolsOf({}) })
    await world.database.engine.query(`UPDATE waybill.progress SET holder = 'w'`)
    await world.sessions.send(session, { input: 'two' })
    const { rows } = await world.database.engine.query('SELECT phase, wakes, leg FROM waybill.progress')
    assert.equal(rows[0].phase, 'queued')
    assert.ok(rows[0].wakes > 0)
    assert.equal(rows[0].leg, 1)
  })

  test('reject: a message while a turn is active is refused with SESSION_BUSY, and is accepted after it', async (t) => {
    const world = await SessionWorld.open(t)
    const session = await world.created()
    await world.sessions.send(session, { input: 'one', on_busy: 'reject' })
    await assert.rejects(world.sessions.send(session, { input: 'two', on_busy: 'reject' }), {
      code: 'SESSION_BUSY',
    })
    await world.leg(session, { model: modelOf(text('1')), tools: toolsOf({}) })
    await world.sessions.send(session, { input: 'two', on_busy: 'reject' })
    await assert.rejects(world.sessions.send(session, { input: 'x', on_busy: 'reject' }), {
      code: 'SESSION_BUSY',
    })
    const state = await world.leg(session, { model: modelOf(text('2')), tools: toolsOf({}) })
    assert.deepEqual(textsOf(state), ['one', '1', 'two', '2'])
  })

  for (const on_busy of ['interrupt', 'rollback'] as const)
    test(`${on_busy}: closes an open question, goes before queued messages, and never waits for a person`, async (t) => {
      const world = await SessionWorld.open(t, ASKS)
      const session = await world.created()
      await world.sessions.send(session, { input: 'one' })
      const asking = calls(['a', 'send', { x: 1 }])
      const waiting = await world.leg(session, { model: modelOf(asking), tools: toolsOf({}) })
      assert.equal(waiting.status, 'waiting')
      await world.sessions.send(session, { input: 'later' })
      assert.equal((await world.leg(session, { model: modelOf(), tools: toolsOf({}) })).status, 'waiting')
      await world.sessions.send(session, { input: 'yes', on_busy })
      const tools = toolsOf({})
      const state = await world.leg(session, { model: modelOf(text('2'), text('3')), tools })
      const before = on_busy === 'interrupt' ? ['one', 'calls', 'result', NOTE] : []
      assert.deepEqual(textsOf(state), [...before, 'yes', '2', 'later', '3'])
      assert.deepEqual(tools.made, [])
      assert.equal((await world.sessions.read(session)).queued, 0)
    })

  test('steer: a message enters the running turn, before messages that wait, and answers no question', async (t) => {
    const world = await SessionWorld.open(t)
    const session = await world.created()
    await world.sessions.send(session, { input: 'one' })
    const tools = toolsOf({
      look: async () => {
        await world.sessions.send(session, { input: 'later' })
        await world.sessions.send(session, { input: 'shorter', on_busy: 'steer' })
        await world.deliver()
        await world.deliver()
        return 1
      },
    })
    const model = modelOf(calls(['b', 'look', { x: 1 }]), text('1'), text('2'))
    const state = await world.leg(session, { model, tools })
    assert.deepEqual(textsOf(state), ['one', 'calls', 'result', 'shorter', '1', 'later', '2'])
    assert.deepEqual((await world.sessions.read(session)).queued, 0)
  })

  test('steer: a message that no question has read becomes the next turn', async (t) => {
    const world = await SessionWorld.open(t, { orchestration: { max_iterations: 1 } })
    const session = await world.created()
    await world.sessions.send(session, { input: 'one' })
    const model = modelOf(async () => {
      await world.sessions.send(session, { input: 'shorter', on_busy: 'steer' })
      await world.deliver()
      return text('1')
    }, text('2'))
    const state = await world.leg(session, { model, tools: toolsOf({}) })
    assert.deepEqual(textsOf(state), ['one', '1', 'shorter', '2'])
    assert.equal(state.turn, 2)
  })

  test('interrupt: a write in flight stays on record, and its unknown outcome does not block the session', async (t) => {
    const world = await SessionWorld.open(t)
    const session = await world.created()
    await world.sessions.send(session, { input: 'one' })
    const tools = toolsOf({
      send: async () => {
        await world.sessions.send(session, { input: 'stop', on_busy: 'interrupt' })
        await world.deliver()
        return hangs()
      },
    })
    const model = modelOf(calls(['a', 'send', { x: 1 }]), text('2'))
    const state = await world.leg(session, { model, tools })
    assert.deepEqual(textsOf(state), ['one', 'calls', 'result', NOTE, 'stop', '2'])
    assert.equal(state.unsettled.length, 1)
    assert.equal(tools.made.length, 1)
  })

  test('a crash at any event neither loses nor repeats a message', async (t) => {
    const world = await SessionWorld.open(t)
    for (const on_busy of ['enqueue', 'interrupt', 'rollback', 'steer'] as const)
      for (let crashAfter = 1; crashAfter <= 6; crashAfter++) {
        const session = await world.created()
        await world.sessions.send(session, { input: 'one' })
        const sent: string[] = []
        const tools = toolsOf({
          send: async () => {
            sent.push('send')
            await world.sessions.send(session, { input: 'two', on_busy }, 'm2').catch(() => {})
            await world.deliver()
            return 1
          },
        })
        // Repeats each answer that the crash has taken back.
        const model = {
          ask: async ({ messages }: { messages: readonly { role: string; text?: string }[] }) =>
            messages.some(({ role, text: said }) => role === 'tool' || said === 'two')
              ? text('done')
              : calls(['a', 'send', { x: 1 }]),
        }
        await world.leg(session, { model, tools }, { crashAfter }).catch((error: Error) => {
          assert.match(error.message, /the process died/)
        })
        const before = [{ type: 'run.resumed', by: 'a test' }] as const
        const state = await world.leg(
          session,
          { model, tools },
          (await world.stateOf(session)).seq === 0 ? {} : { before },
        )
        const name = `${on_busy}, after ${crashAfter} events: ${JSON.stringify(textsOf(state))}`
        if (state.status === 'waiting') {
          // Without an interruption, a person decides about a write of unknown outcome.
          assert.ok(on_busy === 'enqueue' || on_busy === 'steer', name)
          continue
        }
        const said = textsOf(state).filter((one) => one === 'two').length
        assert.equal(said, sent.length === 0 ? 0 : 1, name)
        assert.ok(sent.length <= 1, name)
        assert.equal((await world.sessions.read(session)).queued, 0, name)
      }
  })

  test('the same message id is one message, also for the first message and at the same time', async (t) => {
    const world = await SessionWorld.open(t)
    const session = await world.created()
    const send = (id: string) => world.sessions.send(session, { input: id }, id)
    const views = await Promise.all([send('m1'), send('m1'), send('m2'), send('m2')])
    assert.equal(new Set(views.map(({ run_id }) => run_id)).size, 1)
    await send('m1')
    const { rows } = await world.database.engine.query('SELECT id FROM waybill.messages ORDER BY id')
    assert.deepEqual(rows, [{ id: 'm1' }, { id: 'm2' }])
    const runs = await world.database.engine.query('SELECT 1 FROM waybill.runs')
    assert.equal(runs.rowCount, 1)
  })

  test('a session whose run was refused begins another run', async (t) => {
    const world = await SessionWorld.open(t, { io: { input_schema: { type: 'object' } } })
    const session = await world.created()
    const first = await world.sessions.send(session, { input: 'text' })
    const model = modelOf(text('1'))
    assert.equal((await world.leg(session, { model, tools: toolsOf({}) })).status, 'refused')
    const second = await world.sessions.send(session, { input: {} })
    assert.notEqual(second.run_id, first.run_id)
    assert.equal((await world.leg(session, { model, tools: toolsOf({}) })).status, 'completed')
  })

  test('an interruption lets a session continue whose run was set aside', async (t) => {
    const world = await SessionWorld.open(t)
    const session = await world.created()
    await world.sessions.send(session, { input: 'one' })
    const phase = async () =>
      (await world.database.engine.query('SELECT phase, cardinality(died) AS deaths FROM waybill.progress'))
        .rows[0]
    await world.database.engine.query(`UPDATE waybill.progress SET phase = 'set_aside', died = '{a,b,c}'`)
    assert.equal((await world.sessions.send(session, { input: 'two' })).status, 'set_aside')
    await world.sessions.send(session, { input: 'three', on_busy: 'interrupt' })
    assert.deepEqual(await phase(), { phase: 'queued', deaths: 0 })
  })

  test('the text of a message is removed from the queue when it is delivered, and may hold any character', async (t) => {
    const world = await SessionWorld.open(t)
    const session = await world.created()
    const input = 'a\0b \ud800 "c"'
    await world.sessions.send(session, { input: 'one' })
    await world.sessions.send(session, { input })
    const model = modelOf(text('1'), text('2'))
    const state = await world.leg(session, { model, tools: toolsOf({}) })
    // What is recorded is well-formed.
    assert.deepEqual(state.input, input.toWellFormed())
    const { rows } = await world.database.engine.query('SELECT DISTINCT state, input FROM waybill.messages')
    assert.deepEqual(rows, [{ state: 'delivered', input: null }])
  })

  test('a session belongs to one organisation, and its name to one agent and user', async (t) => {
    const world = await SessionWorld.open(t)
    const session = await world.created()
    const other = world.sessionsOf('other')
    await assert.rejects(other.read(session), { code: 'SESSION_NOT_FOUND' })
    await assert.rejects(other.send(session, { input: 'x' }), { code: 'SESSION_NOT_FOUND' })
    assert.deepEqual((await other.list({})).items, [])
    await assert.rejects(world.sessions.send('none', { input: 'x' }), { code: 'SESSION_NOT_FOUND' })
    const { agent_id } = await world.sessions.read(session)
    assert.equal((await world.sessions.create({ agent_id, session })).session, session)
    await assert.rejects(world.sessions.create({ agent_id, session, user: 'bob' }), {
      code: 'SESSION_EXISTS',
    })
    await assert.rejects(world.sessions.create({ agent_id: 'none' }), { code: 'AGENT_NOT_FOUND' })
    const seen = await inOrganisation(world.database.app, 'other', (sql) =>
      sql.query('SELECT 1 FROM waybill.conversations'),
    )
    assert.equal(seen.rowCount, 0)
  })

  test('lists sessions in pages, newest first', async (t) => {
    const world = await SessionWorld.open(t)
    const names: string[] = []
    for (let made = 0; made < 5; made++) names.unshift(await world.created())
    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await world.sessions.list({ limit: 2, ...(cursor !== undefined && { cursor }) })
      seen.push(...page.items.map(({ session }) => session))
      if (page.next === null) break
      cursor = page.next
    }
    assert.deepEqual(seen, names)
    await assert.rejects(world.sessions.list({ cursor: '!' }), { code: 'CURSOR_INVALID' })
  })
})
