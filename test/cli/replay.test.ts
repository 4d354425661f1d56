import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { after, before, describe, type TestContext, test } from 'node:test'
import { readRun, resume } from 'waybill'
import { DEFINITION, GO, KEY, MailModel, Place, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())

const calm = (agent: object = {}) => ({
  ...DEFINITION,
  agent: { ...DEFINITION.agent, compliance: {}, ...agent },
})

/** A place with a run that has asked a model twice and sent a mail. */
async function recorded(t: TestContext, definition: object = calm()): Promise<{ place: Place; run: string }> {
  model.script()
  const place = new Place(t, definition)
  place.env.WAYBILL_KEY_CUSTOM = KEY
  const { out, err } = await waybill(place, [...GO, '--json', '--allow-host', '127.0.0.1:9', ...model.flags])
  const { run_id } = JSON.parse(out)
  assert.ok(run_id, err)
  return { place, run: run_id }
}

/** Returns what an act does outside: sockets that it opens, questions to the model, and mails. */
async function outside<T>(
  place: Place,
  act: () => Promise<T>,
): Promise<{ result: T; sockets: number; asked: number; sent: number }> {
  let sockets = 0
  const count = () => {
    sockets++
  }
  const asked = model.server.getRequests().length
  const sent = place.sent().length
  diagnostics.subscribe('net.client.socket', count)
  try {
    const result = await act()
    return {
      result,
      sockets,
      asked: model.server.getRequests().length - asked,
      sent: place.sent().length - sent,
    }
  } finally {
    diagnostics.unsubscribe('net.client.socket', count)
  }
}

describe('waybill resume RUN --replay', () => {
  test('repeats a run without a key, a model or a function, and opens no connection', async (t) => {
    const { place, run } = await recorded(t)
    assert.deepEqual(place.sent(), ['ada'])
    place.write('tools.mjs', 'throw new Error("it must not be loaded")')
    delete place.env.WAYBILL_KEY_CUSTOM
    const { result, ...effects } = await outside(place, () =>
      waybill(place, ['resume', run, '--replay', '--json']),
    )
    assert.deepEqual(effects, { sockets: 0, asked: 0, sent: 0 })
    assert.equal(result.code, 0, result.err)
    const replayed = JSON.parse(result.out)
    const original = JSON.parse((await waybill(place, ['runs', 'show', run, '--json'])).out)
    assert.deepEqual(
      [replayed.status, replayed.output, replayed.usage, replayed.model],
      [original.status, original.output, original.usage, original.model],
    )
    assert.notEqual(replayed.run_id, run)
    assert.deepEqual(replayed.replay, { run_id: run, equal: true, changes: 0, differences: [] })
    const diff = await waybill(place, ['runs', 'diff', run, replayed.run_id])
    assert.deepEqual([diff.code, diff.out], [0, ''])
  })

  test('counts connections: a real run opens one', async (t) => {
    const place = new Place(t, calm())
    place.env.WAYBILL_KEY_CUSTOM = KEY
    model.script()
    const { sockets, asked, sent } = await outside(place, () =>
      waybill(place, [...GO, '--json', ...model.flags]),
    )
    assert.ok(sockets > 0 && asked === 2 && sent === 1)
  })

  test('every output says that it is a replay', async (t) => {
    const { place, run } = await recorded(t)
    const live = await waybill(place, ['resume', run, '--replay'])
    assert.match(
      live.err,
      new RegExp(`^Clerk.*\nREPLAY the record of run ${run.slice(-6)} answers, and nothing is sent`),
    )
    assert.match(live.err, /completed \(replay\) · custom\/x · 22 tokens in, 10 out · 2 model calls/)
    assert.match(
      live.err,
      new RegExp(
        `next waybill runs diff ${run.slice(-6)} \\w{6}\nthe replay did the same as run ${run.slice(-6)}\n$`,
      ),
    )
    assert.equal(live.out, 'It is sent.\n')
    const [, replay = ''] = await place.runIds()
    const list = await waybill(place, ['runs', 'list'])
    assert.match(
      list.out,
      new RegExp(`^RUN .*\n${replay.slice(-6)} .* Clerk replay\n${run.slice(-6)} .* Clerk\n$`),
    )
    const json = JSON.parse((await waybill(place, ['runs', 'list', '--json'])).out)
    assert.deepEqual(
      json.runs.map((one: { replay?: object; imported?: true }) => [one.replay, one.imported]),
      [
        [{ run_id: run }, undefined],
        [undefined, undefined],
      ],
    )
    const shown = await waybill(place, ['runs', 'show', replay])
    assert.match(shown.out, new RegExp(`replay of run ${run.slice(-6)}`))
    assert.match(shown.out, /REPLAY the record of run/)
    assert.match(shown.out, new RegExp(`next waybill runs diff ${run.slice(-6)} ${replay.slice(-6)}`))
    const parsed = JSON.parse((await waybill(place, ['runs', 'show', replay, '--json'])).out)
    assert.deepEqual([parsed.replay, parsed.warnings[0].code], [{ run_id: run }, 'REPLAY'])
    const exported = (await waybill(place, ['runs', 'export', replay])).out
    assert.deepEqual(JSON.parse(exported.split('\n')[0] ?? '').header.replay, { run_id: run })
    const trace = await waybill(place, ['runs', 'show', replay, '--trace'])
    assert.equal(trace.err, `replay of run ${run.slice(-6)}\n`)
    const read = await readRun(replay, { home: place.home })
    assert.deepEqual([read.result.replay, read.result.warnings[0]?.code], [{ run_id: run }, 'REPLAY'])
  })

  test('a replay can be neither resumed, decided, captured nor replayed', async (t) => {
    const { place, run } = await recorded(t, DEFINITION)
    const made = await waybill(place, ['resume', run, '--replay', '--json'])
    assert.equal(made.code, 0, made.err)
    const { run_id, status } = JSON.parse(made.out)
    assert.equal(status, 'awaiting_approval')
    const open = JSON.parse((await waybill(place, ['approvals', 'list', '--json'])).out)
    assert.deepEqual(
      open.approvals.map((call: { run_id: string }) => call.run_id),
      [run],
    )
    for (const argv of [
      ['resume', run_id],
      ['resume', run_id, '--at', '1'],
      ['resume', run_id, '--replay'],
      ['state', 'export', run_id],
    ]) {
      const { code, err } = await waybill(place, argv)
      assert.deepEqual([code, /REPLAY_REFUSED/.test(err)], [1, true], `${argv.join(' ')}: ${err}`)
    }
    const decided = await waybill(place, ['approvals', 'approve', run_id])
    assert.deepEqual([decided.code === 0, place.sent()], [false, []])
    await assert.rejects(resume(run_id, { home: place.home, env: {} }), { code: 'REPLAY_REFUSED' })
  })

  test('the run itself is not changed, and continues afterwards', async (t) => {
    const { place, run } = await recorded(t, DEFINITION)
    const before = JSON.stringify(await place.events(run))
    await waybill(place, ['resume', run, '--replay'])
    assert.equal(JSON.stringify(await place.events(run)), before)
    await waybill(place, ['approvals', 'approve', run])
    const done = await waybill(place, ['resume', run, '--json'])
    assert.equal(JSON.parse(done.out).status, 'completed', done.err)
    const again = await outside(place, () => waybill(place, ['resume', run, '--replay', '--json']))
    assert.deepEqual([again.result.code, again.sockets, again.sent], [0, 0, 0], again.result.err)
    assert.equal(JSON.parse(again.result.out).status, 'completed')
  })

  test('from an event on, it ends as the run', async (t) => {
    const { place, run } = await recorded(t)
    const { result, ...effects } = await outside(place, () =>
      waybill(place, ['resume', run, '--replay', '--at', '2', '--json']),
    )
    assert.equal(result.code, 0, result.err)
    assert.deepEqual(effects, { sockets: 0, asked: 0, sent: 0 })
    const { output, replay } = JSON.parse(result.out)
    assert.deepEqual(
      [output, replay],
      ['It is sent.', { run_id: run, at: 2, equal: true, changes: 0, differences: [] }],
    )
    const shown = await waybill(place, ['runs', 'show', 'last'])
    assert.match(shown.out, new RegExp(`replay of run ${run.slice(-6)}, after its event 2`))
  })

  test('a changed definition that acts otherwise ends it, names the place, and the comparison shows it', async (t) => {
    const { place, run } = await recorded(t)
    place.write('changed.json', JSON.stringify(DEFINITION))
    delete place.env.WAYBILL_KEY_CUSTOM
    const { result, ...effects } = await outside(place, () =>
      waybill(place, ['resume', run, '--replay', '--agent', 'changed.json', '--json']),
    )
    assert.deepEqual(effects, { sockets: 0, asked: 0, sent: 0 })
    const { status, error, replay, run_id } = JSON.parse(result.out)
    assert.deepEqual([result.code, status, error.code, replay.equal], [1, 'failed', 'REPLAY_DIVERGED', false])
    assert.match(error.message, /^Clerk would ask a person about call send_mail \{"to":"ada"\}, and run/)
    const diff = await waybill(place, ['runs', 'diff', run, run_id])
    assert.equal(diff.code, 1)
    assert.match(diff.out, /\+ \d end failed REPLAY_DIVERGED/)
    assert.match(diff.out, /- \d end completed/)
    const person = await waybill(place, ['resume', run, '--replay', '--agent', 'changed.json'])
    assert.match(person.err, /REPLAY_DIVERGED/)
    assert.match(person.err, new RegExp(`the replay differs from run ${run.slice(-6)} in \\d steps\n$`))
  })

  test('a changed definition or model that acts alike is the same run, and the questions that differ are named', async (t) => {
    const { place, run } = await recorded(t)
    place.write('brief.json', JSON.stringify(calm({ instructions: 'Be brief.' })))
    const said = await waybill(place, ['resume', run, '--replay', '--agent', 'brief.json'])
    assert.equal(said.code, 0, said.err)
    assert.match(said.err, /question 1 of Clerk is not the recorded one: instructions\n/)
    const other = await waybill(place, ['resume', run, '--replay', '--model', 'openai/gpt-4o', '--json'])
    assert.equal(other.code, 0, other.err)
    const { model: used, replay } = JSON.parse(other.out)
    assert.deepEqual(used, { provider: 'openai', model: 'gpt-4o' })
    assert.deepEqual(
      replay.differences.map(({ differs }: { differs: string[] }) => differs),
      [['model'], ['model']],
    )
  })

  test('its events can be followed', async (t) => {
    const { place, run } = await recorded(t)
    const { code, out } = await waybill(place, ['resume', run, '--replay', '--events', 'ndjson'])
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      [code, lines.map(({ type }) => type)],
      [0, (await place.events(run)).map(({ fact }) => fact.type)],
    )
    assert.ok(lines.every(({ run_id }) => run_id !== run))
  })

  test('options without a meaning for it, and a server, are refused', async (t) => {
    const { place, run } = await recorded(t)
    for (const option of [['--fail-on-loss'], ['--rehearse'], ['--trace'], ['--no-wait']])
      assert.equal((await waybill(place, ['resume', run, '--replay', ...option])).code, 2, option.join(' '))
    const there = await waybill(place, ['resume', run, '--replay', '--server', 'http://127.0.0.1:9'], {
      env: { WAYBILL_TOKEN: 'wb_x' },
    })
    assert.deepEqual([there.code, /OPTION_LOCAL_ONLY/.test(there.err)], [2, true])
    const none = await waybill(place, ['resume', 'gone', '--replay'])
    assert.deepEqual([none.code, /RUN_NOT_FOUND/.test(none.err)], [2, true])
    assert.equal((await place.runIds()).length, 1)
  })

  test('memory, grants, the audit log and telemetry are not touched', async (t) => {
    const audited = calm({
      compliance: { audit_log: true },
      memory: [{ scope: 'long_term', key: 'note', content: 'Keep it short.', backend: 'sqlite' }],
      telemetry: { tracing: true, otlp_endpoint: 'http://127.0.0.1:9/v1/traces' },
    })
    const { place, run } = await recorded(t, audited)
    const state = () =>
      place.withHome(async (home) => [
        (await home.audit.lines()).length,
        await home.grants.list(),
        await home.memory.list({}, 0),
        [...(await home.routes.read())],
      ])
    const before = await state()
    const { result, sockets } = await outside(place, () =>
      waybill(place, ['resume', run, '--replay', '--json']),
    )
    assert.deepEqual([result.code, sockets], [0, 0], result.err)
    assert.deepEqual(await state(), before)
    const verified = await waybill(place, ['audit', 'verify'])
    assert.equal(verified.code, 0, verified.err)
  })

  test('personal data stays behind its placeholders, and is found as before', async (t) => {
    model.script({
      answer: 'Ask ada@post.example or call +49 151 23456789.',
      args: '{"to":"bob@post.example"}',
    })
    const place = new Place(t, calm({ compliance: { pii_handling: 'anonymize' } }))
    place.env.WAYBILL_KEY_CUSTOM = KEY
    const first = await waybill(place, [...GO, '--json', ...model.flags])
    const { run_id, ...original } = JSON.parse(first.out)
    const { code, out, err } = await waybill(place, ['resume', run_id, '--replay', '--json'])
    assert.equal(code, 0, err)
    const replayed = JSON.parse(out)
    assert.deepEqual(replayed.output, original.output)
    assert.deepEqual(replayed.warnings.slice(1), original.warnings)
    assert.ok(!out.includes('post.example'))
  })
})
