import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { AgentState } from '../../src/spec/aaif/generated/state.ts'
import { DEFINITION, GO, KEY, MailModel, Place, type Said, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())

function placeOf(t: TestContext, agent: object = {}): Place {
  const place = new Place(t, { ...DEFINITION, agent: { ...DEFINITION.agent, version: '1.0.0', ...agent } })
  place.env.WAYBILL_KEY_CUSTOM = KEY
  return place
}

async function ok(place: Place, ...argv: readonly string[]): Promise<Said> {
  const said = await waybill(place, argv)
  assert.equal(said.code, 0, said.err)
  return said
}

/** Starts a run that waits for approval. @returns its id */
async function waiting(place: Place): Promise<string> {
  const said = await waybill(place, [...GO, '--json', ...model.flags])
  assert.equal(said.code, 4, said.err)
  return JSON.parse(said.out).run_id
}

function stateIn(place: Place, name = 'state.json'): AgentState {
  return JSON.parse(readFileSync(join(place.folder, name), 'utf8'))
}

describe('waybill state', () => {
  test('AAIF-8.1-01, AAIF-8.1-02, AAIF-8.1-03: captures of one run differ in their ids and agree in the others', async (t) => {
    model.script({ args: '{"to":"ada"}' })
    const place = placeOf(t)
    const run_id = await waiting(place)
    const again = await waiting(place)
    const states: AgentState[] = []
    for (const run of [run_id, run_id, again]) {
      await ok(place, 'state', 'export', run, '-o', 'state.json')
      states.push(stateIn(place))
    }
    assert.equal(new Set(states.map(({ state_id }) => state_id)).size, 3)
    for (const { state_id } of states) assert.match(state_id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
    assert.deepEqual(
      states.map((state) => state.run_id),
      [run_id, run_id, again],
    )
    for (const state of states) {
      assert.equal(state.agent_id, DEFINITION.agent_id)
      assert.match(state.checkpoint_at, /^\d{4}-\d\d-\d\dT.*Z$/)
    }
    assert.equal(statSync(join(place.folder, 'state.json')).mode & 0o777, 0o600)
  })

  test('AAIF-8.1-12, AAIF-8.1-17: a state that awaits approval says what is asked, and validates', async (t) => {
    model.script({ args: '{"to":"ada"}' })
    const place = placeOf(t, { compliance: { human_in_the_loop: { enabled: true, timeout_seconds: 60 } } })
    await ok(place, 'state', 'export', await waiting(place), '-o', 'state.json')
    const { status, approval_request: asked } = stateIn(place)
    assert.equal(status, 'awaiting_approval')
    assert.deepEqual(asked?.pending_action, { tool_name: 'send_mail', arguments: { to: 'ada' } })
    assert.equal(Date.parse(asked?.timeout_at ?? '') - Date.parse(asked?.requested_at ?? ''), 60_000)
    const checked = await ok(place, 'validate', 'state.json')
    assert.match(checked.err, /^1 file valid$/m)
  })

  test('AAIF-8.1-14: verify accepts a state as it was captured, and nothing else', async (t) => {
    model.script({ args: '{"to":"ada"}' })
    const place = placeOf(t)
    await ok(place, 'state', 'export', await waiting(place), '-o', 'state.json')
    assert.match((await ok(place, 'state', 'verify', 'state.json')).err, /state.json: valid/)
    const text = readFileSync(join(place.folder, 'state.json'), 'utf8')
    place.write('state.json', text.replace('"to": "ada"', '"to": "eve"'))
    for (const argv of [
      ['state', 'verify', 'state.json', '--json'],
      ['resume', 'state.json', '--json'],
    ]) {
      const said = await waybill(place, argv)
      assert.equal(said.code, 1)
      assert.match(said.out, /STATE_CHECKSUM_MISMATCH/)
    }
    assert.equal((await place.runIds()).length, 1, 'nothing was restored')
  })

  test('inspect and diff show what is in a state, and what has changed', async (t) => {
    model.script({ args: '{"to":"ada"}' })
    const place = placeOf(t)
    const run = await waiting(place)
    await ok(place, 'state', 'export', run, '--at', '1', '-o', 'before.json')
    await ok(place, 'state', 'export', run, '-o', 'state.json')
    const shown = JSON.parse((await ok(place, 'state', 'inspect', 'state.json', '--json')).out)
    assert.deepEqual(
      [shown.status, shown.pending_calls, shown.continues],
      ['awaiting_approval', ['send_mail (pending)'], 'exactly, after event 2 of the run'],
    )
    assert.match(
      (await ok(place, 'state', 'inspect', 'state.json')).out,
      /^pending calls +send_mail \(pending\)$/m,
    )
    await ok(place, 'state', 'export', run, '-o', 'again.json')
    assert.match((await ok(place, 'state', 'diff', 'state.json', 'again.json')).err, /are equal/)
    const differ = await waybill(place, ['state', 'diff', 'before.json', 'state.json', '--json'])
    assert.equal(differ.code, 1)
    const paths = JSON.parse(differ.out).changes.map(({ path }: { path: string }) => path)
    assert.ok(paths.includes('/status') && paths.includes('/conversation/1'), paths.join())
    assert.match(
      (await waybill(place, ['state', 'diff', 'before.json', 'state.json'])).out,
      /^~ \/status "running" → "awaiting_approval"$/m,
    )
    const missing = await waybill(place, ['state', 'export', run, '--at', '99', '--json'])
    assert.equal(missing.code, 2)
  })
})

describe('waybill resume of a state', () => {
  test('a state continues in another home with the definition that is named', async (t) => {
    model.script({ args: '{"to":"ada"}' })
    const [place, other] = [placeOf(t), placeOf(t)]
    await ok(place, 'state', 'export', await waiting(place), '-o', 'state.json')
    other.write('state.json', readFileSync(join(place.folder, 'state.json'), 'utf8'))
    const unknown = await waybill(other, ['resume', 'state.json', '--json'])
    assert.deepEqual([unknown.code, JSON.parse(unknown.out).error.code], [2, 'STATE_AGENT_MISSING'])
    const resumed = await waybill(other, [
      'resume',
      'state.json',
      '--agent',
      'agent.json',
      '--tools',
      'tools.mjs',
      '--json',
      ...model.flags,
    ])
    assert.equal(resumed.code, 4, resumed.err)
    const { run_id, waiting: asked } = JSON.parse(resumed.out)
    assert.deepEqual(
      asked.map(({ asks }: { asks: string }) => asks),
      ['unknown'],
      'it may be sent where it came from',
    )
    assert.notEqual(run_id, stateIn(place).run_id, 'a fork is another run')
    await ok(other, 'approvals', 'resend', run_id)
    const done = await ok(other, 'resume', run_id, '--json')
    assert.equal(JSON.parse(done.out).status, 'completed')
    assert.deepEqual([place.sent(), other.sent()], [[], ['ada']])
    assert.match(
      (await ok(other, 'runs', 'show', run_id)).out,
      new RegExp(`forked from run ${stateIn(place).run_id}`),
    )
  })

  test('--fail-on-loss refuses a state of which a part would be lost, and stores nothing', async (t) => {
    model.script({ args: '{"to":"ada"}' })
    const [place, other] = [placeOf(t), placeOf(t, { tools: [] })]
    await ok(place, 'state', 'export', await waiting(place), '-o', 'state.json')
    other.write('state.json', readFileSync(join(place.folder, 'state.json'), 'utf8'))
    const argv = ['resume', 'state.json', '--agent', 'agent.json', '--json', ...model.flags]
    const refused = await waybill(other, [...argv, '--fail-on-loss'])
    assert.equal(refused.code, 1)
    const { error } = JSON.parse(refused.out)
    assert.equal(error.code, 'STATE_LOSS')
    assert.match(error.message, /send_mail is not available here/)
    assert.deepEqual(await other.runIds(), [])
    const accepted = await waybill(other, argv)
    assert.equal(accepted.code, 0, accepted.err)
    assert.match(accepted.err, /left behind: pending_tool_calls/)
  })

  test('a write that the run has sent is never sent again by a fork, from any event before or after it', async (t) => {
    model.script({ args: '{"to":"ada"}' })
    const place = placeOf(t)
    const run = await waiting(place)
    await ok(place, 'approvals', 'approve', run)
    const { output } = JSON.parse((await ok(place, 'resume', run, '--json')).out)
    assert.deepEqual(place.sent(), ['ada'])
    const events = await place.events(run)
    const forks = events.slice(0, -1)
    for (const { seq } of forks) {
      const forked = await waybill(place, ['resume', run, '--at', String(seq), '--json'])
      assert.equal(forked.code, 0, `event ${seq}: ${forked.err}`)
      assert.equal(JSON.parse(forked.out).output, output)
      assert.deepEqual(place.sent(), ['ada'], `event ${seq}`)
    }
    assert.equal((await place.runIds()).length, forks.length + 1)
    const ended = await waybill(place, ['resume', run, '--at', String(events.length), '--json'])
    assert.equal(JSON.parse(ended.out).error.code, 'STATE_NOT_RESUMABLE')
    const none = await waybill(place, ['resume', run, '--at', '99', '--json'])
    assert.deepEqual([none.code, JSON.parse(none.out).error.code], [2, 'EVENT_NOT_FOUND'])
  })

  test('runs diff shows where a fork did something else, and that it did the same', async (t) => {
    model.script({ args: '{"to":"ada"}' })
    const place = placeOf(t)
    const run = await waiting(place)
    await ok(place, 'approvals', 'approve', run, '--resume')
    const same = JSON.parse((await ok(place, 'resume', run, '--at', '2', '--json')).out)
    const equal = JSON.parse((await waybill(place, ['runs', 'diff', run, same.run_id, '--json'])).out)
    assert.deepEqual(
      equal.changes.map((change: object) => Object.keys(change)),
      [['first']],
      'the fork uses the answer of the call, which no person has approved again',
    )
    assert.equal(equal.changes[0].first.step.type, 'decision')
    assert.match((await ok(place, 'runs', 'diff', run, run)).err, /both runs did the same, in 6 steps/)
    model.script({ args: '{"to":"bob"}' })
    const other = await waiting(place)
    const said = await waybill(place, ['runs', 'diff', run, other])
    assert.equal(said.code, 1)
    assert.match(said.out, /^- 2 answer "" → send_mail \{"to":"ada"\}$/m)
    assert.match(said.out, /^\+ 2 answer "" → send_mail \{"to":"bob"\}$/m)
  })

  test('forks after an event, and definitions of this machine, are not for a server', async (t) => {
    const place = placeOf(t)
    for (const argv of [
      ['resume', 'x', '--at', '1'],
      ['resume', 'agent.json', '--agent', 'agent.json'],
      ['resume', 'agent.json', '--model', 'x'],
    ]) {
      const there = ['--server', 'http://127.0.0.1:9', '--json']
      const said = await waybill(place, [...argv, ...there], { env: { WAYBILL_TOKEN: 'x' } })
      assert.deepEqual([said.code, JSON.parse(said.out).error.code], [2, 'OPTION_LOCAL_ONLY'], argv.join(' '))
    }
  })

  test('--agent without a state or an event is refused', async (t) => {
    const said = await waybill(placeOf(t), ['resume', 'last', '--agent', 'agent.json', '--json'])
    assert.deepEqual([said.code, JSON.parse(said.out).error.code], [2, 'USAGE'])
  })
})

describe('AAIF §12 personal data and secrets in states', () => {
  const EMAIL = 'ada@example.com'
  const GO_MAIL = ['run', 'agent.json', '--tools', 'tools.mjs', '--input', `mail ${EMAIL}`, '--json']
  const compliance = { ...DEFINITION.agent.compliance, pii_handling: 'anonymize' }

  test('AAIF-12-07: the state follows pii_handling; a fork in the same home can use the values, another home cannot', async (t) => {
    model.script({ args: '{"to":"[email:1]"}' })
    const [place, other] = [placeOf(t, { compliance }), placeOf(t, { compliance })]
    const first = await waybill(place, [...GO_MAIL, ...model.flags])
    assert.equal(first.code, 4, first.err)
    const { run_id } = JSON.parse(first.out)
    await ok(place, 'state', 'export', run_id, '-o', 'state.json')
    const text = readFileSync(join(place.folder, 'state.json'), 'utf8')
    assert.equal(text.includes(EMAIL), false)
    assert.match(text, /mail \[email:1\]/)

    const forked = JSON.parse((await waybill(place, ['resume', run_id, '--at', '2', '--json'])).out)
    await ok(place, 'approvals', 'approve', forked.run_id)
    await ok(place, 'resume', forked.run_id, '--json')
    assert.deepEqual(place.sent(), [EMAIL], 'the tool gets the real value')
    assert.equal(place.homeText().includes(EMAIL), false)

    const named = await waybill(place, ['resume', 'state.json', '--json'])
    const { run_id: fromFile } = JSON.parse(named.out)
    assert.match(
      JSON.stringify(await place.events(fromFile)),
      /mail \[email withheld\]/,
      'a file may name any run',
    )

    other.write('state.json', text)
    const away = await waybill(other, [
      'resume',
      'state.json',
      '--agent',
      'agent.json',
      '--tools',
      'tools.mjs',
      '--json',
      ...model.flags,
    ])
    assert.equal(away.code, 4, away.err)
    const { run_id: there } = JSON.parse(away.out)
    assert.match(JSON.stringify(await other.events(there)), /mail \[email withheld\]/)
  })

  test('a secret that became known after the run is not in its state', async (t) => {
    model.script({ args: '{"to":"quiet-otter-55-velvet-anchor"}' })
    const place = placeOf(t)
    const run = await waiting(place)
    place.env.CRM_TOKEN = 'quiet-otter-55-velvet-anchor'
    const { out } = await ok(place, 'state', 'export', run)
    assert.equal(out.includes('quiet-otter-55-velvet-anchor'), false)
    place.write('state.json', out)
    await ok(place, 'state', 'verify', 'state.json')
  })
})

describe('waybill run --state-out', () => {
  test('writes the state when the run stops, also one that has ended', async (t) => {
    model.script({ args: '{"to":"ada"}' })
    const place = placeOf(t)
    const stopped = await waybill(place, [...GO, '--json', '--state-out', 'state.json', ...model.flags])
    assert.equal(stopped.code, 4, stopped.err)
    const { run_id } = JSON.parse(stopped.out)
    assert.deepEqual([stateIn(place).run_id, stateIn(place).status], [run_id, 'awaiting_approval'])
    place.write(
      'agent.json',
      JSON.stringify({ ...DEFINITION, agent: { ...DEFINITION.agent, compliance: {} } }),
    )
    const ended = await waybill(place, [...GO, '--json', '--state-out', 'end.json', ...model.flags])
    assert.equal(ended.code, 0, ended.err)
    assert.equal(stateIn(place, 'end.json').status, 'completed')
    const refused = await waybill(place, ['resume', 'end.json', '--json'])
    assert.deepEqual([refused.code, JSON.parse(refused.out).error.code], [1, 'STATE_NOT_RESUMABLE'])
  })
})

describe('waybill state export --encrypt-to', () => {
  test('only the holder of the key reads the state, and a changed file is refused', async (t) => {
    model.script({ args: '{"to":"ada"}' })
    const [place, other] = [placeOf(t), placeOf(t)]
    const run = await waiting(place)
    await ok(other, 'keys', 'new', 'ours')
    const { out: key } = await ok(other, 'keys', 'export', 'ours', '--public')
    place.write('ours.pub', key)
    await ok(place, 'keys', 'trust', 'partner', 'ours.pub')
    for (const receiver of ['partner', 'ours.pub']) {
      await ok(place, 'state', 'export', run, '--encrypt-to', receiver, '-o', 'state.jwe')
      const text = readFileSync(join(place.folder, 'state.jwe'), 'utf8')
      assert.equal(text.includes('send_mail'), false)
      other.write('state.jwe', text)
      const shown = JSON.parse((await ok(other, 'state', 'inspect', 'state.jwe', '--json')).out)
      assert.equal(shown.run_id, run)
      const unread = await waybill(place, ['state', 'inspect', 'state.jwe', '--json'])
      assert.deepEqual([unread.code, JSON.parse(unread.out).error.code], [2, 'SEAL_UNREADABLE'])
      const parts = text.trim().split('.')
      const first = parts[3]?.startsWith('A') === true ? 'B' : 'A'
      other.write('state.jwe', parts.with(3, `${first}${parts[3]?.slice(1)}`).join('.'))
      const changed = await waybill(other, ['state', 'verify', 'state.jwe', '--json'])
      assert.deepEqual([changed.code, JSON.parse(changed.out).code], [1, 'SEAL_UNREADABLE'])
    }
    await ok(place, 'keys', 'revoke', 'partner', '--reason', 'lost')
    for (const [receiver, code] of [
      ['partner', 'KEY_REVOKED'],
      ['nobody', 'KEY_NOT_FOUND'],
      ['agent.json', 'KEY_INVALID'],
    ]) {
      const refused = await waybill(place, [
        'state',
        'export',
        run,
        '--encrypt-to',
        String(receiver),
        '-o',
        'no.jwe',
      ])
      assert.match(refused.err, new RegExp(String(code)))
      assert.equal(existsSync(join(place.folder, 'no.jwe')), false)
    }
  })
})
