import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { DEFINITION, GO, MailModel, Place, start, until, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

const rehearse = (...more: string[]) => ['run', 'agent.json', '--rehearse', '--input', 'Go', ...more]

describe('waybill runs', () => {
  test('lists the newest first, filtered by status and limited', async (t) => {
    const place = new Place(t)
    await waybill(place, rehearse())
    await waybill(place, [...GO, ...model.flags])
    await waybill(place, rehearse())
    const list = async (...more: string[]) =>
      JSON.parse((await waybill(place, ['runs', 'list', '--json', ...more])).out).runs
    const all = await list()
    assert.deepEqual(
      all.map(({ status }: { status: string }) => status),
      ['completed', 'awaiting_approval', 'completed'],
    )
    assert.ok(all[0].run_id > all[1].run_id && all[1].run_id > all[2].run_id)
    assert.equal((await list('--status', 'awaiting_approval')).length, 1)
    assert.equal((await list('--limit', '1'))[0].run_id, all[0].run_id)
    const { out } = await waybill(place, ['runs', 'list'])
    assert.match(out, /awaiting approval +now +[\d.]+ m?s +custom\/x +Clerk$/m)
  })

  test('a damaged record is shown as damaged, and does not hide others', async (t) => {
    const place = new Place(t)
    await waybill(place, rehearse())
    await waybill(place, rehearse())
    const [first = ''] = await place.runIds()
    place.tamper("UPDATE runs SET header = 'no json' WHERE run_id = ?", first)
    const { runs } = JSON.parse((await waybill(place, ['runs', 'list', '--json'])).out)
    assert.deepEqual(
      runs.map(({ status }: { status: string }) => status),
      ['completed', 'damaged'],
    )
  })

  test('shows the conversation, the calls and the usage', async (t) => {
    const place = new Place(t)
    await waybill(place, rehearse())
    const [id = ''] = await place.runIds()
    const { out } = await waybill(place, ['runs', 'show', id.slice(0, 18)])
    for (const part of [
      '> Go',
      '→ send_mail (write) to=',
      '✓ send_mail',
      '[rehearsal]',
      '2 model calls · 1 tool call',
    ])
      assert.ok(out.includes(part), `${part} in ${out}`)
    const data = JSON.parse((await waybill(place, ['runs', 'show', id, '--json'])).out)
    assert.equal(data.run_id, id)
    assert.deepEqual(
      data.messages.map(({ role }: { role: string }) => role),
      ['user', 'assistant', 'tool', 'assistant'],
    )
  })

  test('events --follow prints events until the run stops', async (t) => {
    const place = new Place(t, { ...DEFINITION, agent: { ...DEFINITION.agent, compliance: {} } })
    place.write(
      'tools.mjs',
      'export const tools = { send_mail: () => new Promise((r) => setTimeout(() => r(1), 1200)) }',
    )
    const driven = start(place, [...GO, ...model.flags])
    await until('the call is under way', () => /→ send_mail/.test(driven.err()))
    const [id = ''] = await place.runIds()
    const before = (await waybill(place, ['runs', 'events', id])).out.trimEnd().split('\n')
    const followed = (await waybill(place, ['runs', 'events', id, '--follow'])).out.trimEnd().split('\n')
    assert.equal(before.length, 2)
    assert.deepEqual(
      followed.map((line) => JSON.parse(line).type),
      ['run.started', 'model.answered', 'call.answered', 'model.answered'],
    )
    await driven.ended
  })

  test('rm removes the given runs; all runs only after confirmation', async (t) => {
    const place = new Place(t)
    for (let i = 0; i < 3; i++) await waybill(place, rehearse())
    const [first = '', second = ''] = await place.runIds()
    assert.equal((await waybill(place, ['runs', 'rm', first])).code, 0)
    assert.deepEqual((await place.runIds()).includes(first), false)
    const refused = await waybill(place, ['runs', 'rm', '--all', '--json'])
    assert.equal(refused.code, 2)
    assert.match(JSON.parse(refused.out).error.hint, /--yes/)
    assert.ok((await place.runIds()).includes(second))
    const all = await waybill(place, ['runs', 'rm', '--all', '--yes', '--json'])
    assert.equal(JSON.parse(all.out).removed.length, 2)
    assert.deepEqual(await place.runIds(), [])
  })

  test('an ambiguous beginning of an id is an error that lists the runs', async (t) => {
    const place = new Place(t)
    await waybill(place, rehearse())
    await waybill(place, rehearse())
    const { code, out } = await waybill(place, ['runs', 'show', '0', '--json'])
    assert.equal(code, 2)
    const { error } = JSON.parse(out)
    assert.equal(error.code, 'RUN_AMBIGUOUS')
    for (const id of await place.runIds())
      assert.match(error.message, new RegExp(`${id} \\(Clerk, (?:now|\\d+ min ago), completed\\)`))
  })
})

describe('waybill chat', () => {
  test('reads one turn per line in one run, and keeps the conversation', async (t) => {
    const place = new Place(t)
    model.server.clearFixtures()
    model.server.addFixture({
      match: {},
      response: (request) => ({
        content: `You have said ${request.messages.filter(({ role }) => role === 'user').length}.`,
      }),
    })
    const chat = ['chat', 'agent.json', '--tools', 'tools.mjs', ...model.flags]
    const { code, out } = await waybill(place, chat, { stdin: 'one\n\ntwo\n' })
    assert.equal(code, 0)
    assert.equal(out, 'You have said 1.\nYou have said 2.\n')
    const [id = ''] = await place.runIds()
    assert.equal((await place.runIds()).length, 1)
    const more = await waybill(place, ['chat', '--resume', id, '--json'], { stdin: 'three\n' })
    const { run_id, turns } = JSON.parse(more.out)
    assert.equal(run_id, id)
    assert.deepEqual(
      turns.map(({ output }: { output: string }) => output),
      ['You have said 3.'],
    )
    const events = JSON.parse((await waybill(place, ['runs', 'events', id, '--json'])).out)
    assert.deepEqual(
      events.map(({ type }: { type: string }) => type).filter((type: string) => type !== 'model.answered'),
      ['run.started', 'user.said', 'user.said'],
    )
  })

  test('stops with exit 4 if a person must decide', async (t) => {
    const place = new Place(t)
    const chat = ['chat', 'agent.json', '--tools', 'tools.mjs', ...model.flags]
    const { code, err } = await waybill(place, chat, { stdin: 'one\ntwo\n' })
    assert.equal(code, 4)
    assert.match(err, /waybill approvals approve/)
    assert.deepEqual(place.sent(), [])
  })

  test('needs either a definition or a conversation', async (t) => {
    const place = new Place(t)
    assert.equal((await waybill(place, ['chat'])).code, 2)
    assert.equal((await waybill(place, ['chat', 'agent.json', '--resume', 'x'])).code, 2)
    assert.equal((await waybill(place, ['chat', '-'])).code, 2)
  })
})

describe('waybill init', () => {
  const named = ['--name', 'Parcel "clerk": #1', '--goal', "Tell where a parcel is: it's due."]
  for (const file of ['agent.yaml', 'small.json']) {
    test(`AAIF-4.1-03: ${file} gets a new UUID, is valid and can be rehearsed`, async (t) => {
      const place = new Place(t)
      const ids = new Set<string>()
      for (const more of [[], ['--force']]) {
        const { code, out } = await waybill(place, [
          'init',
          ...named,
          '--tool',
          'find_parcel',
          '--output',
          file,
          '--json',
          ...more,
        ])
        assert.equal(code, 0)
        ids.add(JSON.parse(out).agent_id)
      }
      assert.equal(ids.size, 2)
      for (const id of ids)
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      const { files } = JSON.parse((await waybill(place, ['validate', file, '--strict', '--json'])).out)
      assert.deepEqual(files[0].issues, [])
      const plan = JSON.parse((await waybill(place, ['plan', file, '--json'])).out)
      assert.equal(plan.agent_name, 'Parcel "clerk": #1')
      assert.ok(ids.has(plan.agent_id))
      const rehearsed = await waybill(place, ['run', file, '--rehearse', '--input', 'Hello', '--json'])
      assert.equal(JSON.parse(rehearsed.out).status, 'completed')
    })
  }

  test('does not overwrite an existing file without --force', async (t) => {
    const place = new Place(t)
    const before = readFileSync(join(place.folder, 'agent.json'), 'utf8')
    const { code, out } = await waybill(place, ['init', ...named, '--output', 'agent.json', '--json'])
    assert.equal(code, 2)
    assert.equal(JSON.parse(out).error.code, 'FILE_EXISTS')
    assert.equal(readFileSync(join(place.folder, 'agent.json'), 'utf8'), before)
    assert.equal((await waybill(place, ['init', '--json'])).code, 2)
    assert.equal(existsSync(join(place.folder, 'agent.yaml')), false)
  })
})

describe('waybill plan', () => {
  test('--json contains the plan, and whether a run would be refused', async (t) => {
    const place = new Place(t)
    const ok = await waybill(place, ['plan', 'agent.json', '--json', '--tools', 'tools.mjs', ...model.flags])
    assert.equal(ok.code, 0)
    const plan = JSON.parse(ok.out)
    for (const member of [
      'models',
      'tools',
      'subagents',
      'constraints',
      'degradations',
      'secrets',
      'system_prompt',
    ])
      assert.ok(member in plan, member)
    assert.equal(plan.ok, true)
    assert.equal(plan.tools[0].gate, 'ask')
    place.write('old.json', JSON.stringify({ ...DEFINITION, status: 'deprecated' }))
    const refused = await waybill(place, ['plan', 'old.json', '--json'])
    assert.equal(refused.code, 1)
    assert.equal(JSON.parse(refused.out).ok, false)
  })

  test('the text lists all models and tools with reasons, and shortens the prompt', async (t) => {
    const place = new Place(t, {
      ...DEFINITION,
      agent: {
        ...DEFINITION.agent,
        instructions: Array.from({ length: 30 }, (_, i) => `Line ${i}.`).join('\n'),
      },
    })
    const { out } = await waybill(place, ['plan', 'agent.json'])
    assert.match(out, /✗ custom\/x: .*base_url/)
    assert.match(out, /✗ send_mail denied .*\n.*no function named send_mail/)
    assert.doesNotMatch(out, /Line 20/)
    assert.match((await waybill(place, ['plan', 'agent.json', '--prompt'])).out, /Line 20/)
  })
})
