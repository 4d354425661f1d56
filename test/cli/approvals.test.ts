import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { BIN } from '../started-process.ts'
import { GO, MailModel, Place, type Said, start, until, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

const json = ({ out }: Said) => JSON.parse(out)

/** Starts a run without a terminal, so that it waits for a person. */
async function waitingRun(t: TestContext) {
  const place = new Place(t)
  const said = await waybill(place, [...GO, ...model.flags])
  const [run = ''] = await place.runIds()
  return { place, run, said }
}

describe('a call that needs approval', () => {
  test('--resume decides and continues the run, and prints its result', async (t) => {
    const { place, run } = await waitingRun(t)
    const done = await waybill(place, ['approvals', 'approve', run, '--resume', '--json'])
    assert.equal(done.code, 0, done.err)
    assert.deepEqual([json(done).run_id, json(done).status], [run, 'completed'])
    assert.deepEqual(place.sent(), ['ada'])
    const denied = await waitingRun(t)
    const said = await waybill(denied.place, ['approvals', 'deny', denied.run, '--resume'])
    assert.equal(said.code, 0, said.err)
    assert.deepEqual(denied.place.sent(), [])
    assert.match((await waybill(denied.place, ['runs', 'show', denied.run])).out, /denied by/)
  })

  test('waits with exit 4 without a terminal, and prints the next commands', async (t) => {
    const { place, run, said } = await waitingRun(t)
    assert.equal(said.code, 4)
    assert.equal(said.out, '')
    const short = run.slice(-6)
    assert.match(
      said.err,
      new RegExp(`next waybill approvals approve ${short} c1 --resume {3}\\(send_mail; or deny\\)`),
    )
    assert.match(said.err, new RegExp(`next waybill resume ${short}\n`))
    assert.equal(said.err.includes(run), false)
    assert.deepEqual(place.sent(), [])
  })

  test('has a short id in lists and next commands, and the whole one in JSON', async (t) => {
    const { place, run } = await waitingRun(t)
    const short = run.slice(-6)
    const list = (await waybill(place, ['approvals', 'list'])).out
    assert.ok(list.includes(short) && !list.includes(run), list)
    const shown = (await waybill(place, ['approvals', 'show', short])).out
    assert.ok(shown.includes(`next waybill approvals approve ${short} c1`) && !shown.includes(run), shown)
    const runs = (await waybill(place, ['runs', 'list'])).out
    assert.ok(runs.includes(short) && !runs.includes(run), runs)
    const story = (await waybill(place, ['runs', 'show', short])).out
    assert.ok(story.includes(`next waybill approvals show ${short}\n`) && !story.includes(run), story)
    const decided = await waybill(place, ['approvals', 'approve', short])
    assert.ok(decided.err.includes(`next waybill resume ${short}\n`), decided.err)
    const again = (await waybill(place, ['approvals', 'show', short])).out
    assert.ok(again.includes(`next waybill resume ${short} `) && !again.includes(run), again)
    for (const words of [
      ['runs', 'list'],
      ['approvals', 'list'],
      ['runs', 'show', short],
    ])
      assert.ok(
        (await waybill(place, [...words, '--json'])).out.includes(`"run_id":"${run}"`),
        words.join(' '),
      )
  })

  test('is listed, shown in full, approved, and sent once on resume', async (t) => {
    const { place, run } = await waitingRun(t)
    const [listed] = json(await waybill(place, ['approvals', 'list', '--json'])).approvals
    assert.deepEqual(
      {
        run: listed.run_id,
        call: listed.call_id,
        tool: listed.tool,
        args: listed.arguments,
        asks: listed.asks,
        effect: listed.effect,
      },
      { run, call: 'c1', tool: 'send_mail', args: { to: 'ada' }, asks: 'approval', effect: 'write' },
    )
    const shown = await waybill(place, ['approvals', 'show', run])
    for (const part of [
      'send_mail needs your approval',
      '"to": "ada"',
      'never sent again automatically',
      'human_in_the_loop',
    ])
      assert.ok(shown.out.includes(part), part)
    const decided = await waybill(place, [
      'approvals',
      'approve',
      run.slice(0, 20),
      '--why',
      'it is due',
      '--by',
      'grace',
      '--json',
    ])
    assert.equal(json(decided).takes_effect, 'on resume')
    assert.deepEqual(place.sent(), [])
    // No flag is given again: functions, model and address are on record.
    const resumed = await waybill(place, ['resume', run])
    assert.equal(resumed.code, 0)
    assert.equal(resumed.out, 'It is sent.\n')
    assert.deepEqual(place.sent(), ['ada'])
    const events = json(await waybill(place, ['runs', 'events', run, '--json']))
    assert.equal(events[2].type, 'run.resumed')
    const decision = events.find(({ type }: { type: string }) => type === 'person.decided')
    assert.deepEqual(
      { by: decision.by, why: decision.why, verdict: decision.verdict },
      { by: 'grace', why: 'it is due', verdict: 'approve' },
    )
    assert.match((await waybill(place, ['runs', 'show', run])).out, /send_mail approved by grace: it is due/)
  })

  test('is sent with the arguments of a person; those that do not fit are refused, and the question stays open', async (t) => {
    const { place, run } = await waitingRun(t)
    const edit = (args: string) =>
      waybill(place, ['approvals', 'edit', run, '--arguments', args, '--by', 'grace', '--json'])
    for (const [args, code, message] of [
      ['{"to":7}', 'ARGUMENTS_REFUSED', /do not match the tool's schema/],
      ['{"to":"sk-ant-api03-9fK2mQ7xR4vT8wZ1bC5dE6gH"}', 'ARGUMENTS_REFUSED', /secret/],
      ['[]', 'USAGE', /not a JSON object/],
      ['{', 'USAGE', /not a JSON object/],
    ] as const) {
      const { error } = json(await edit(args))
      assert.equal(error.code, code, args)
      assert.match(error.message, message)
    }
    assert.equal(json(await edit('{"to":"bob"}')).verdict, 'edit')
    assert.equal((await waybill(place, ['resume', run])).code, 0)
    assert.deepEqual(place.sent(), ['bob'])
    assert.match(model.lastMessage(), /a person has changed the arguments.*"bob"/)
    assert.match(
      (await waybill(place, ['runs', 'show', run])).out,
      /send_mail approved with other arguments by grace/,
    )
  })

  test('is not sent after a denial, and the model gets the reason', async (t) => {
    const { place, run } = await waitingRun(t)
    await waybill(place, ['approvals', 'deny', run, 'c1', '--why', 'not today', '--by', 'grace'])
    assert.equal((await waybill(place, ['resume', run])).code, 0)
    assert.deepEqual(place.sent(), [])
    assert.match(model.lastMessage(), /grace did not approve this call: not today/)
  })

  test('is decided once: a second decision is refused', async (t) => {
    const { place, run } = await waitingRun(t)
    await waybill(place, ['approvals', 'deny', run, '--by', 'grace'])
    const second = await waybill(place, ['approvals', 'approve', run, '--json'])
    assert.equal(second.code, 1)
    assert.equal(json(second).error.code, 'APPROVAL_DECIDED')
    assert.match(second.out, /grace/)
  })

  test('an approval applies to the call that the person saw, not to a later call with the same id', async (t) => {
    const { place, run } = await waitingRun(t)
    // The model uses the same id again: some servers restart the numbering of calls in each answer.
    model.server.clearFixtures()
    model.server.addFixture({
      match: {},
      response: { toolCalls: [{ id: 'c1', name: 'send_mail', arguments: '{"to":"mallory"}' }] },
    })
    await waybill(place, ['approvals', 'approve', run])
    const resumed = await waybill(place, ['resume', run])
    assert.equal(resumed.code, 4)
    assert.deepEqual(place.sent(), ['ada'])
  })

  test('an unsuitable verdict and an unknown call are usage errors', async (t) => {
    const { place, run } = await waitingRun(t)
    const resend = await waybill(place, ['approvals', 'resend', run, '--json'])
    assert.equal(resend.code, 2)
    assert.equal(json(resend).error.code, 'APPROVAL_VERDICT_INVALID')
    const unknown = await waybill(place, ['approvals', 'approve', run, 'c9', '--json'])
    assert.equal(unknown.code, 2)
    assert.equal(json(unknown).error.code, 'APPROVAL_NOT_FOUND')
  })

  test('resume without a decision waits again; without the functions it fails and names them', async (t) => {
    const { place, run } = await waitingRun(t)
    assert.equal((await waybill(place, ['resume', run])).code, 4)
    place.write('other.mjs', 'export const tools = {}')
    const missing = await waybill(place, ['resume', run, '--tools', 'other.mjs', '--json'])
    assert.equal(missing.code, 3)
    assert.equal(json(missing).error.code, 'FUNCTION_MISSING')
    assert.match(missing.out, /send_mail/)
  })

  test('resume of a finished run prints its result and exits with its code, without driving it again', async (t) => {
    const { place, run } = await waitingRun(t)
    await waybill(place, ['approvals', 'approve', run])
    await waybill(place, ['resume', run])
    const asked = model.server.getRequests().length
    const again = await waybill(place, ['resume', run])
    assert.equal(again.code, 0)
    assert.equal(again.out, 'It is sent.\n')
    assert.match(again.err, /has already finished/)
    assert.equal(model.server.getRequests().length, asked)
    assert.deepEqual(place.sent(), ['ada'])
  })
})

describe('a call with unknown outcome', () => {
  /** The process is killed while its function is at work. */
  async function killedRun(t: TestContext) {
    const place = new Place(t)
    place.write(
      'tools.mjs',
      `import { appendFileSync } from 'node:fs'
export const tools = { send_mail: async ({ to }) => {
  appendFileSync(new URL('./sent.log', import.meta.url), to + '\\n')
  if (process.env.HANG) await new Promise((resolve) => setTimeout(resolve, 60_000))
  return { sent: to }
} }
`,
    )
    const flags = ['--tools', 'tools.mjs', '--input', 'Go', ...model.flags]
    await waybill(place, ['run', 'agent.json', ...flags])
    const [run = ''] = await place.runIds()
    await waybill(place, ['approvals', 'approve', run])
    const driven = start(place, ['resume', run], { HANG: '1' })
    await until('the call left', () => place.sent().length === 1)
    const live = json(await waybill(place, ['runs', 'list', '--json'])).runs[0].status
    const kept = await waybill(place, ['runs', 'rm', run])
    driven.child.kill('SIGKILL')
    await driven.ended
    return { place, run, live, kept }
  }

  test('is never sent again automatically; the run continues after a person marks the call as done', async (t) => {
    const { place, run, live, kept } = await killedRun(t)
    assert.equal(live, 'running')
    assert.equal(kept.code, 1)
    assert.match(kept.err, /driven by process/)
    assert.equal(json(await waybill(place, ['runs', 'list', '--json'])).runs[0].status, 'interrupted')
    // The approval that was used up must not send it a second time.
    const resumed = await waybill(place, ['resume', run])
    assert.equal(resumed.code, 4)
    assert.deepEqual(place.sent(), ['ada'])
    assert.equal(json(await waybill(place, ['approvals', 'list', '--json'])).approvals[0].asks, 'unknown')
    const approve = await waybill(place, ['approvals', 'approve', run, '--json'])
    assert.equal(json(approve).error.code, 'APPROVAL_VERDICT_INVALID')
    await waybill(place, ['approvals', 'assume', run, '--result', '{"sent":"ada"}'])
    const done = await waybill(place, ['resume', run])
    assert.equal(done.code, 0, done.err)
    assert.deepEqual(place.sent(), ['ada'])
    assert.match(model.lastMessage(), /"sent":"ada"/)
  })

  test('is sent again after the decision of a person, which applies once', async (t) => {
    const { place, run } = await killedRun(t)
    await waybill(place, ['resume', run])
    await waybill(place, ['approvals', 'resend', run])
    const driven = start(place, ['resume', run], { HANG: '1' })
    await until('the call left again', () => place.sent().length === 2)
    driven.child.kill('SIGKILL')
    await driven.ended
    assert.equal((await waybill(place, ['resume', run])).code, 4)
    assert.equal(place.sent().length, 2)
  })
})

test('the exit code reaches the shell', async (t) => {
  const { place, run } = await waitingRun(t)
  const code = (argv: string[]) =>
    spawnSync(BIN, argv, { cwd: place.folder, env: place.env as NodeJS.ProcessEnv }).status
  assert.equal(code(['validate', 'agent.json']), 0)
  assert.equal(code(['approvals', 'show', run]), 0)
  assert.equal(code(['approvals', 'show', 'nobody']), 2)
  place.write('bad.json', '{"agent":{}}')
  assert.equal(code(['validate', 'bad.json']), 1)
})
