import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import {
  type AgentDefinition,
  decideApproval,
  listApprovals,
  listRuns,
  openAgent,
  openHome,
  planRun,
  type RunEvent,
  type RunOptions,
  readRun,
  resume,
  run,
  startResume,
  startRun,
} from 'waybill'
import { scriptedModel } from 'waybill/testing'
import type { ModelPort } from '../../src/run/ports.ts'
import { DEFINITION, Place, waybill } from '../cli/fixture.ts'

/** A definition of a clerk that sends mail, with members of `agent` that the test gives. */
function clerk(agent: object = {}): AgentDefinition {
  return {
    ...DEFINITION,
    agent: { ...DEFINITION.agent, model: { provider: 'openai', preferred: 'gpt-4o' }, ...agent },
  } as unknown as AgentDefinition
}

const KEY = 'zebra-quartz-71-lantern-mosaic'
const CALL = { calls: [{ tool: 'send_mail', args: { to: 'ada' } }] }

/** An own home, a tool that counts its calls, and options that use both. */
function world(t: TestContext, script: Parameters<typeof scriptedModel>[0]) {
  const place = new Place(t)
  const sent: string[] = []
  const model = scriptedModel(script)
  const options = {
    home: place.home,
    env: { OPENAI_API_KEY: KEY },
    tools: {
      send_mail: async ({ to }: { to: string }) => {
        sent.push(to)
        return { sent: to }
      },
    },
    modelPort: model,
  } satisfies RunOptions
  return { place, sent, model, options }
}

async function all<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  return Array.fromAsync(values)
}

test('AAIF-4.9-08: a library run of an agent that asks for an audit log is audited in the home, and tampering is found', async (t) => {
  const audited = clerk({ compliance: { audit_log: true } })
  const { place, options, sent, model } = world(t, [CALL, 'Done.'])
  const { home: _home, ...homeless } = options
  const refused = await run(audited, { ...homeless, input: 'Send it.' })
  assert.deepEqual([refused.status, refused.error?.rule], ['refused', 'AAIF-4.9-08'])

  assert.deepEqual((await planRun(audited, options)).refusals, [])
  const result = await run(audited, { ...options, input: 'Send it.' })
  assert.equal(result.status, 'completed')
  assert.deepEqual(sent, ['ada'])
  model.assertDone()

  const home = await openHome(place.home)
  t.after(() => home.close())
  const entries = (await home.audit.lines()).map(
    (line) => JSON.parse(line) as { fact: { kind: string; run_id: string } },
  )
  assert.deepEqual(
    entries.map(({ fact }) => fact.kind),
    [
      'definition.imported',
      'grants.in_force',
      ...(await readRun(result.run_id, options)).events.map(({ fact }) => fact.type),
    ],
  )
  assert.ok(entries.every(({ fact }) => fact.run_id === result.run_id))
  assert.equal((await waybill(place, ['audit', 'verify', '--json'])).code, 0)
  const database = new DatabaseSync(join(place.home, 'waybill.db'))
  database.exec(`UPDATE audit SET line = replace(line, '"call.answered"', '"call.failed"')`)
  database.close()
  assert.equal((await waybill(place, ['audit', 'verify', '--json'])).code, 1)
})

test('AAIF-4.9-10: a rule of the run or of the home approves the calls that it covers, and no others', async (t) => {
  const { options, sent, place } = world(t, [CALL, 'Done.', CALL, CALL, 'Done.', CALL, CALL])
  const allowed = await run(clerk(), { ...options, allowCalls: ['send_mail to=a*'], input: 'Send it.' })
  assert.deepEqual([allowed.status, sent.length], ['completed', 1])
  place.write('agent.json', JSON.stringify(clerk()))
  const rule = ['grants', 'allow', 'call', 'send_mail to=*', '--agent', 'agent.json', '--uses', '1']
  assert.equal((await waybill(place, rule)).code, 0)
  const inCode = await run(clerk(), { ...options, input: 'Send it.' })
  assert.equal(inCode.status, 'awaiting_approval', 'the rule stands for the file, and for no copy of it')
  await using agent = await openAgent(join(place.folder, 'agent.json'), options)
  const ruled = await agent.run('Send it.')
  assert.deepEqual([ruled.status, sent.length], ['completed', 2])
  const after = await agent.run('Send it.')
  assert.equal(after.status, 'awaiting_approval', 'its one use is spent')
  const other = await run(clerk(), { ...options, allowCalls: ['send_mail to=b*'], input: 'Send it.' })
  assert.deepEqual([other.status, sent.length], ['awaiting_approval', 2])
})

test('a run waits for a person, is found after its process has ended, gets a decision, and continues: by library and by command line', async (t) => {
  const { place, options, sent, model } = world(t, [CALL, 'Done.'])
  const waiting = await run(clerk(), { ...options, input: 'Send it.' })
  assert.equal(waiting.status, 'awaiting_approval')
  assert.deepEqual(sent, [])

  const kept = { home: place.home }
  assert.deepEqual(
    (await listRuns(kept)).map(({ run_id, status }) => [run_id, status]),
    [[waiting.run_id, 'awaiting_approval']],
  )
  const shown = JSON.parse((await waybill(place, ['approvals', 'list', '--json'])).out)
  assert.deepEqual(shown.approvals, await listApprovals(kept))
  const [call] = await listApprovals(kept)
  assert.ok(call)
  assert.deepEqual([call.tool, call.asks, call.arguments], ['send_mail', 'approval', { to: 'ada' }])

  const early = await resume(waiting.run_id, options)
  assert.equal(early.status, 'awaiting_approval', 'there is no decision yet')
  await decideApproval(
    waiting.run_id,
    call.call_id,
    { verdict: 'approve', by: 'Grace', why: 'it is due' },
    kept,
  )
  assert.equal((await listApprovals({ ...kept, runId: waiting.run_id }))[0]?.decided?.by, 'Grace')
  await assert.rejects(decideApproval(waiting.run_id, call.call_id, { verdict: 'deny', by: 'Grace' }, kept), {
    code: 'APPROVAL_DECIDED',
  })
  const done = await resume(waiting.run_id, options)
  assert.deepEqual([done.status, done.output, done.run_id], ['completed', 'Done.', waiting.run_id])
  assert.deepEqual(sent, ['ada'])
  model.assertDone()

  const again = await resume(waiting.run_id, options)
  assert.deepEqual(again.output, 'Done.', 'a run that has ended gives its result again')
  const { runs } = JSON.parse((await waybill(place, ['runs', 'list', '--json'])).out)
  assert.deepEqual(runs, await listRuns(kept))
  assert.deepEqual(sent, ['ada'])
})

test('a decision that was stored elsewhere counts for the process that resumes, also if it only prints events', async (t) => {
  const place = new Place(t)
  const flags = ['--rehearse', '--tools', 'tools.mjs']
  const model = scriptedModel([CALL, 'Done.'])
  const options = { home: place.home, env: { OPENAI_API_KEY: KEY }, modelPort: model }
  const waiting = await run(clerk(), { ...options, tools: { send_mail: () => null } })
  await decideApproval(waiting.run_id, 'call', { verdict: 'deny', by: 'Grace' }, options)
  const said = await waybill(place, ['resume', waiting.run_id, '--events', 'ndjson', ...flags.slice(1)], {
    env: { OPENAI_API_KEY: KEY },
  })
  const types = said.out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string; by?: string }).type)
  assert.ok(types.includes('person.decided'), said.out)
})

test('events can be read with for await, each once and in order, and the result is the same as that of run', async (t) => {
  const { options } = world(t, [CALL, 'Done.'])
  const calm = clerk({ compliance: {} })
  const started = await startRun(calm, options)
  const events = await all(started.events)
  const result = await started.result
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_event, index) => index + 1),
  )
  assert.deepEqual(
    events.map(({ fact }) => fact.type),
    ['run.started', 'model.answered', 'call.answered', 'model.answered'],
  )
  assert.deepEqual((await readRun(started.run_id, options)).events, events)
  assert.equal(result.run_id, started.run_id)
  assert.deepEqual((await readRun(started.run_id, options)).result.output, result.output)
})

test('text is emitted as it is generated, without the secrets that the run knows, also if they are split between pieces', async (t) => {
  const { options } = world(t, [])
  const pieces = ['The key is zebra-', 'quartz-71-lantern', '-mosaic, so ', 'there.']
  const modelPort: ModelPort = {
    async ask(_request, { onText }) {
      for (const piece of pieces) onText?.(piece)
      return {
        message: { role: 'assistant', text: pieces.join(''), calls: [] },
        finish: 'stop',
        usage: { input_tokens: 1, output_tokens: 1 },
        warnings: [],
      }
    },
  }
  const started = await startRun(clerk({ compliance: {} }), { ...options, modelPort, text: true })
  const text = (await all(started.text)).join('')
  assert.match(text, /^The key is \[secret OPENAI_API_KEY\], so there\.$/)
  assert.ok(!text.includes('lantern'))
  assert.equal((await started.result).status, 'completed')
})

test('a paused run is saved, continues with startResume, and takes another turn when it has ended', async (t) => {
  const { options, sent, model } = world(t, [CALL, 'Done.', { text: 'Yes.', expect: { contains: 'sure' } }])
  const calm = clerk({ compliance: {} })
  const started = await startRun(calm, {
    ...options,
    tools: {
      send_mail: async (args: { to: string }) => {
        started.pause()
        return options.tools.send_mail(args)
      },
    },
  })
  assert.equal((await started.result).status, 'paused')
  await assert.rejects(resume(started.run_id, { ...options, input: 'More?' }), { code: 'TURN_UNFINISHED' })

  const resumed = await startResume(started.run_id, { ...options, by: 'Grace' })
  const events: readonly RunEvent[] = await all(resumed.events)
  assert.deepEqual(events[0]?.fact, { type: 'run.resumed', by: 'Grace' })
  assert.equal((await resumed.result).status, 'completed')
  assert.deepEqual(sent, ['ada'], 'what had been sent is not sent again')

  const next = await resume(started.run_id, { ...options, input: 'Are you sure?' })
  assert.deepEqual([next.status, next.output], ['completed', 'Yes.'])
  model.assertDone()
})

test('a run that is paused in mid-generation continues its answer, and its text is whole', async (t) => {
  const { options } = world(t, [])
  const answer = 'The parcel left Bern on Monday and is with the courier now.'
  let started: Awaited<ReturnType<typeof startRun>> | undefined
  const modelPort: ModelPort = {
    async ask({ messages }, { signal, onText }) {
      const before = messages.at(-2)
      const from = before?.role === 'assistant' ? before.text.length : 0
      const written = from === 0 ? answer.slice(0, 20) : answer.slice(from)
      for (const piece of written.match(/.{1,6}/gs) ?? []) onText?.(piece)
      if (from === 0) {
        started?.pause()
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      }
      return {
        message: { role: 'assistant', text: written, calls: [] },
        finish: 'stop',
        usage: { input_tokens: 1, output_tokens: 1 },
        warnings: [],
      }
    },
  }
  started = await startRun(clerk(), { ...options, modelPort, input: 'Where is it?', text: true })
  assert.equal((await all(started.text)).join(''), answer.slice(0, 20))
  assert.equal((await started.result).status, 'paused')
  const resumed = await startResume(started.run_id, { ...options, modelPort, text: true })
  assert.equal((await all(resumed.text)).join(''), answer)
  assert.equal((await resumed.result).output, answer)
})

test('AAIF-4-10: io.streaming true delivers an answer while it is written, false delivers it whole', async (t) => {
  const pieces = ['One ', 'two ', 'three.']
  const answer = pieces.join('')
  for (const [io, while_written] of [
    [{ streaming: true }, pieces],
    [{ streaming: false }, []],
    // The caller decides.
    [{}, pieces],
  ] as const)
    for (const runtime of [{}, { streaming: true }]) {
      const { options } = world(t, [])
      const seen: string[] = []
      let before: readonly string[] = []
      const modelPort: ModelPort = {
        async ask(_request, { onText }) {
          for (const piece of pieces) onText?.(piece)
          before = [...seen]
          return {
            message: { role: 'assistant', text: answer, calls: [] },
            finish: 'stop',
            usage: { input_tokens: 1, output_tokens: 1 },
            warnings: [],
          }
        },
      }
      const started = await startRun(clerk({ compliance: {}, io, runtime }), {
        ...options,
        modelPort,
        text: true,
        onText: (text) => void seen.push(text),
      })
      const about = JSON.stringify({ io, runtime })
      assert.equal((await all(started.text)).join(''), while_written.join(''), about)
      const { output } = await started.result
      assert.deepEqual([output, before.join('').length > 0], [answer, while_written.length > 0], about)
      const events = (await all(started.events)).map(({ fact }) => fact)
      const answered = events.find(({ type }) => type === 'model.answered')
      assert.ok(answered?.type === 'model.answered' && answered.message.text === answer, about)
    }
})

test('a run that is cancelled from outside ends its events, and one that cannot start fails at once', async (t) => {
  const { options } = world(t, [CALL, 'Done.'])
  const started = await startRun(clerk({ compliance: {} }), {
    ...options,
    tools: {
      send_mail: () => {
        started.cancel()
        return null
      },
    },
  })
  const events = await all(started.events)
  assert.equal((await started.result).status, 'cancelled')
  assert.ok(events.some(({ fact }) => fact.type === 'run.cancelled'))
  await assert.rejects(startResume('0190-none', options), { code: 'RUN_NOT_FOUND' })
  await assert.rejects(startRun(clerk(), { ...options, baseUrl: 'nowhere' }), { code: 'BASE_URL_INVALID' })
})
