import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { LLMock } from '@copilotkit/aimock'
import { Place, ROOT, waybill } from './fixture.ts'

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const AGENT_ID = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a78'
const definition = (memory: readonly object[]) => ({
  sc_standard: 'SC-006',
  agent_id: AGENT_ID,
  agent: {
    name: 'Butler',
    goal: 'Remember.',
    model: { provider: 'custom', provider_id: 'custom', preferred: 'x' },
    memory,
  },
})

/** Stores each message under the key `said`, and answers. */
const model = new LLMock({ port: 0, host: '127.0.0.1' })
let flags: readonly string[] = []
before(async () => {
  flags = ['--model', 'custom/x', '--base-url', `${await model.start()}/v1`]
  model.addFixture({
    match: { predicate: (request) => request.messages.at(-1)?.role === 'tool' },
    response: { content: 'Noted.', usage },
  })
  const args = JSON.stringify({ key: 'said', content: 'Assam, no sugar' })
  model.addFixture({
    match: {},
    response: { toolCalls: [{ id: 'c1', name: 'memory_save', arguments: args }], usage },
  })
})
after(() => model.stop())

const lastRequest = () => JSON.stringify(model.getRequests().at(-1)?.body)

describe('waybill memory', () => {
  test('lists, shows and deletes the memory items of runs', async (t) => {
    const place = new Place(t, definition([{ scope: 'user', key: 'house', content: 'By the sea.' }]))
    assert.match((await waybill(place, ['memory', 'list'])).err, /no memory items/)
    for (const user of ['ada', 'bob'])
      await waybill(place, ['run', 'agent.json', '--user', user, '--input', 'Go', ...flags])
    const { items } = JSON.parse((await waybill(place, ['memory', 'list', '--json'])).out)
    assert.deepEqual(
      items.map((item: { user: string; key: string; source: string }) => [item.user, item.key, item.source]),
      [
        ['ada', 'house', 'definition'],
        ['ada', 'said', 'agent'],
        ['bob', 'house', 'definition'],
        ['bob', 'said', 'agent'],
      ],
    )
    const ambiguous = await waybill(place, ['memory', 'show', 'said', '--json'])
    assert.deepEqual([ambiguous.code, JSON.parse(ambiguous.out).error.code], [2, 'MEMORY_AMBIGUOUS'])
    const shown = await waybill(place, ['memory', 'show', 'said', '--user', 'ada'])
    assert.deepEqual([shown.code, shown.out], [0, 'Assam, no sugar\n'])
    const unclear = await waybill(place, ['memory', 'forget', 'said', '--json'])
    const { code, hint } = JSON.parse(unclear.out).error
    assert.deepEqual([unclear.code, code, hint], [2, 'MEMORY_AMBIGUOUS', 'select one with --user'])
    assert.equal(JSON.parse((await waybill(place, ['memory', 'list', '--json'])).out).items.length, 4)
    await waybill(place, ['memory', 'forget', 'said', '--user', 'ada'])
    assert.equal((await waybill(place, ['memory', 'show', 'said', '--user', 'ada'])).code, 2)
    const all = JSON.parse(
      (await waybill(place, ['memory', 'forget', '--all', '--user', 'bob', '--json'])).out,
    )
    assert.deepEqual(all, { forgotten: 2 })
    const left = JSON.parse((await waybill(place, ['memory', 'list', '--json', '--agent', AGENT_ID])).out)
    assert.equal(left.items.length, 1)
    assert.equal(
      (await waybill(place, ['memory', 'forget', '--all'])).code,
      2,
      'deleting all items of all users is not the default',
    )
  })

  test('a deleted item is removed from the disk', async (t) => {
    const place = new Place(t)
    const owner = { definition: 'd', agent_id: AGENT_ID, scope: 'long_term', user: '', session: '' } as const
    const item = { scope: 'long_term', key: 'note', saved_at: 0, expires_at: null } as const
    await place.withHome(({ memory }) => memory.save(owner, { ...item, content: 'unmistakable-words' }, 'k'))
    const onDisk = () => place.homeText().includes('unmistakable')
    assert.equal(onDisk(), true)
    assert.equal((await waybill(place, ['memory', 'forget', 'note'])).code, 0)
    assert.equal(onDisk(), false)
  })

  test('AAIF-4.5-03: end-session deletes the items of the session', async (t) => {
    const place = new Place(t, definition([{ scope: 'session', content: 'a session' }]))
    const run = ['run', 'agent.json', '--session', 'desk-7', '--input', 'Go', ...flags]
    await waybill(place, run)
    await waybill(place, run)
    assert.match(lastRequest(), /Assam/)
    const ended = await waybill(place, ['memory', 'end-session', 'desk-7', '--json'])
    assert.deepEqual(JSON.parse(ended.out), { session: 'desk-7', forgotten: 2 })
    assert.deepEqual(JSON.parse((await waybill(place, ['memory', 'list', '--json'])).out).items, [])
  })

  test('a damaged database is an error with a fix, and no run starts without a record', async (t) => {
    const place = new Place(t, definition([{ scope: 'long_term', content: 'x' }]))
    await waybill(place, ['run', 'agent.json', '--input', 'Go', ...flags])
    const asked = model.getRequests().length
    writeFileSync(place.database, 'not a database at all, alas. '.repeat(400))
    for (const argv of [
      ['memory', 'list', '--json'],
      ['run', 'agent.json', '--input', 'Go', '--json', ...flags],
    ]) {
      const said = await waybill(place, argv)
      const { error } = JSON.parse(said.out)
      assert.deepEqual([said.code, error.code], [3, 'RECORD_DAMAGED'])
      assert.match(error.hint, /restore the whole folder from a backup/)
    }
    assert.equal(model.getRequests().length, asked)
  })
})

describe('waybill chat and memory of its session', () => {
  test('AAIF-4.5-03: the session of a conversation ends only when the person leaves', async (t) => {
    const place = new Place(t, definition([{ scope: 'session', content: 'a session' }]))
    const { code, err } = await waybill(place, ['chat', 'agent.json', ...flags], { stdin: 'Go\nAgain\n' })
    assert.equal(code, 0, err)
    assert.match(err, /session ended: 2 memory items deleted/)
    assert.match(lastRequest(), /Assam/, 'the item still exists in the second turn')
    assert.deepEqual(JSON.parse((await waybill(place, ['memory', 'list', '--json'])).out).items, [])
  })

  test('a session given with --session outlives the conversation', async (t) => {
    const place = new Place(t, definition([{ scope: 'session', content: 'a session' }]))
    await waybill(place, ['chat', 'agent.json', '--session', 'desk-7', ...flags], { stdin: 'Go\n' })
    const { items } = JSON.parse(
      (await waybill(place, ['memory', 'list', '--session', 'desk-7', '--json'])).out,
    )
    assert.equal(items.length, 2)
  })
})

test('two processes can write to memory at the same time without losing items', async (t) => {
  const place = new Place(t)
  const writer = (name: string) => `
    import { openHome } from ${JSON.stringify(join(ROOT, 'src/index.ts'))}
    const home = await openHome(${JSON.stringify(place.home)}, {})
    const owner = { definition: 'd', agent_id: 'a', scope: 'long_term', user: '', session: '' }
    for (let n = 0; n < 60; n++) {
      const item = { scope: 'long_term', key: '${name}' + n, content: 'x', saved_at: n, expires_at: null }
      await home.memory.save(owner, item, '${name}' + n)
    }
    await home.close()`
  const codes = await Promise.all(
    ['p', 'q'].map(async (name) => {
      const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', writer(name)], {
        stdio: 'inherit',
      })
      return (await once(child, 'close'))[0]
    }),
  )
  assert.deepEqual(codes, [0, 0])
  const kept = await place.withHome(({ memory }) => memory.list({}, 0))
  assert.equal(kept.length, 120)
})
