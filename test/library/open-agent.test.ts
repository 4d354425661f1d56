import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import {
  type AgentDefinition,
  decideApproval,
  type Extension,
  openAgent,
  openHome,
  type PlanOptions,
  type RunEvent,
  readRun,
} from 'waybill'
import type { ModelRequest } from 'waybill/ports'
import { type ScriptedAnswer, scriptedModel } from 'waybill/testing'
import type { JsonObject } from '../../src/document/json.ts'
import { Place, waybill } from '../cli/fixture.ts'

const ENV = { OPENAI_API_KEY: 'not-used' }
const ID = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a11'
const OTHER_ID = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a12'
const ASKS: JsonObject = { compliance: { human_in_the_loop: { enabled: true } } }
const SEND: ScriptedAnswer = { calls: [{ tool: 'send', args: { to: 'ada' } }] }

/** A definition of a clerk; all have the same `agent_id`. */
function clerk(members: JsonObject = {}): AgentDefinition {
  return {
    sc_standard: 'SC-006',
    agent_id: ID,
    agent: {
      name: 'Clerk',
      goal: 'Help.',
      model: { provider: 'openai', preferred: 'gpt-4o' },
      ...members,
    },
  } as unknown as AgentDefinition
}

const SENDER: JsonObject = {
  tools: [
    {
      name: 'send',
      description: 'Sends.',
      parameters_schema: { type: 'object', properties: { to: { type: 'string' } } },
    },
  ],
}

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-open-agent-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes a definition into a folder below this one. @returns its path */
function fileOf(folder: string, place: string, definition: AgentDefinition, name = 'agent.json'): string {
  mkdirSync(join(folder, place), { recursive: true })
  const path = join(folder, place, name)
  writeFileSync(path, JSON.stringify(definition))
  return path
}

/** A tool that returns the address that it has sent to. */
function sender() {
  const sent: string[] = []
  const send = async ({ to }: { to: string }) => {
    sent.push(to)
    return null
  }
  return { sent, tools: { send } }
}

/** An extension that counts how often it is asked for its offers and opened. */
function counted(): {
  readonly extension: Extension
  readonly counts: { discovered: number; opened: number }
} {
  const counts = { discovered: 0, opened: 0 }
  const offered = { name: 'look', description: 'Looks.', parameters_schema: { type: 'object' } }
  const extension: Extension = {
    name: 'windows',
    toolProtocols: {
      window: {
        reach: 'nothing',
        discover: async () => {
          counts.discovered++
          return [{ ...offered, read_only: true, idempotent: true }]
        },
        open: () => {
          counts.opened++
          return { call: async () => 'a garden' }
        },
      },
    },
  }
  return { extension, counts }
}

const messagesOf = (request: ModelRequest | undefined) => JSON.stringify(request?.messages ?? [])

describe('an agent that was opened', () => {
  test('is planned once, and its runs share connections', async () => {
    const { extension, counts } = counted()
    const looks: ScriptedAnswer[] = [
      { calls: [{ tool: 'window' }] },
      { text: 'A garden.', expect: { contains: 'a garden' } },
    ]
    const modelPort = scriptedModel([...looks, ...looks])
    await using agent = await openAgent(
      clerk({ tools: [{ name: 'window', description: 'A window.', protocol: 'window' }] }),
      { env: ENV, extensions: [extension], modelPort },
    )
    assert.equal(agent.plan.tools[0]?.gate, 'allow')
    const results = [await agent.run('Look.'), await agent.run('Look again.')]
    assert.deepEqual(
      results.map(({ status, output }) => [status, output]),
      [
        ['completed', 'A garden.'],
        ['completed', 'A garden.'],
      ],
    )
    assert.notEqual(results[0]?.run_id, results[1]?.run_id)
    assert.deepEqual(counts, { discovered: 1, opened: 1 })
    assert.ok(
      !messagesOf(modelPort.requests[2]).includes('Look.'),
      'the second run knows nothing of the first',
    )
    modelPort.assertDone()
  })

  test('can be named by its file, whose folder holds the files that it uses', async (t) => {
    const folder = folderFor(t)
    const context = [{ type: 'file', value: 'facts.txt' }]
    const path = fileOf(folder, '.', clerk({ context }))
    writeFileSync(join(folder, 'facts.txt'), 'The shop opens at nine.')
    const modelPort = scriptedModel(['Hello.'])
    await using agent = await openAgent(path, { env: ENV, modelPort })
    assert.equal((await agent.run('Hello.')).status, 'completed')
    assert.match(JSON.stringify(modelPort.requests[0]), /The shop opens at nine/)
  })

  const unusable: readonly (readonly [what: string, text: string | undefined, code: string])[] = [
    ['is not there', undefined, 'FILE_UNREADABLE'],
    ['is no definition', '{"sc_standard": "SC-006", "agent": {"name": "Clerk"}}', 'DEFINITION_INVALID'],
  ]
  for (const [what, text, code] of unusable) {
    test(`is refused when its file ${what}`, async (t) => {
      const path = join(folderFor(t), 'agent.json')
      if (text !== undefined) writeFileSync(path, text)
      await assert.rejects(openAgent(path, { env: ENV }), { code })
    })
  }

  test('closes its home if it cannot be planned, and after close', async (t) => {
    const home = join(folderFor(t), 'home')
    await assert.rejects(openAgent(clerk(), { home, env: ENV, baseUrl: 'nowhere' }), {
      code: 'BASE_URL_INVALID',
    })
    const agent = await openAgent(clerk(), { home, env: ENV, modelPort: scriptedModel(['Hello.']) })
    const { run_id } = await agent.run('Hello.')
    await agent.close()
    await agent.close()
    assert.equal((await readRun(run_id, { home })).status, 'completed')
  })

  test('leaves a home open that the caller has opened', async (t) => {
    const home = await openHome(join(folderFor(t), 'home'))
    t.after(() => home.close())
    {
      await using agent = await openAgent(clerk(), { home, env: ENV, modelPort: scriptedModel(['Hello.']) })
      await agent.run('Hello.')
    }
    assert.equal((await home.runs.list()).items.length, 1)
    await using again = await openAgent(clerk(), { home, env: ENV, modelPort: scriptedModel(['Hello.']) })
    await again.run('Hello.')
    assert.equal((await home.runs.list()).items.length, 2)
  })

  test('without a home it resumes its own runs while it is open', async () => {
    const { sent, tools } = sender()
    const agent = await openAgent(clerk({ ...SENDER, ...ASKS }), {
      env: ENV,
      tools,
      modelPort: scriptedModel([SEND, 'Sent.']),
    })
    const waiting = await agent.run('Send it.')
    assert.equal(waiting.status, 'awaiting_approval')
    const started = await agent.startResume(waiting.run_id, {
      by: 'Grace',
      decide: async () => ({ verdict: 'approve', by: 'Grace' }),
    })
    const events: readonly RunEvent[] = await Array.fromAsync(started.events)
    assert.deepEqual(events[0]?.fact, { type: 'run.resumed', by: 'Grace' })
    const done = await started.result
    assert.deepEqual([done.status, done.output, done.run_id], ['completed', 'Sent.', waiting.run_id])
    assert.deepEqual(sent, ['ada'])
    assert.equal(
      (await agent.resume(waiting.run_id)).output,
      'Sent.',
      'a run that has ended gives its result',
    )
    await assert.rejects(agent.resume('0190-none'), { code: 'RUN_NOT_FOUND' })
    await agent.close()
  })

  test('a run continues with its recorded plans, including those of its sub-agents', async (t) => {
    const folder = folderFor(t)
    const home = join(folder, 'home')
    const { sent, tools } = sender()
    const child = clerk({
      ...SENDER,
      ...ASKS,
      name: 'Child',
      model: {
        provider: 'openai',
        preferred: 'gpt-4o',
        fallbacks: [{ provider: 'mistral', model: 'mistral-large-latest' }],
      },
    })
    fileOf(folder, '.', child, 'child.json')
    const chief = clerk({
      name: 'Chief',
      orchestration: { subagents: [{ ref: './child.json', alias: 'child' }], pipeline: ['child'] },
    })
    const file = fileOf(folder, '.', { ...chief, agent_id: OTHER_ID } as AgentDefinition, 'chief.json')
    await using first = await openAgent(file, { home, env: ENV, tools, modelPort: scriptedModel([SEND]) })
    const waiting = await first.run('Send it.')
    assert.equal(waiting.status, 'awaiting_approval')
    // With another key the sub-agent's plan has a second route; the chief's plan is the same.
    const modelPort = scriptedModel(['Sent.'])
    const env = { ...ENV, MISTRAL_API_KEY: 'not-used' }
    await using second = await openAgent(file, { home, env, tools, modelPort })
    assert.equal(second.plan.definition_hash, first.plan.definition_hash)
    const decide = async () => ({ verdict: 'approve', by: 'Grace' }) as const
    assert.equal((await second.resume(waiting.run_id, { decide })).output, 'Sent.')
    assert.deepEqual(sent, ['ada'])
    assert.equal(modelPort.requests[0]?.plan.agent_name, 'Child')
    assert.deepEqual(
      modelPort.requests[0]?.plan.models.map(({ provider, eligible }) => [provider, eligible]),
      [
        ['openai', true],
        ['mistral', false],
      ],
    )
  })

  test('a person’s decision is stored without the secrets of the run', async (t) => {
    const { tools } = sender()
    const home = await openHome(join(folderFor(t), 'home'), ENV)
    t.after(() => home.close())
    const env = { OPENAI_API_KEY: 'plain words that are a key' }
    const modelPort = scriptedModel([SEND, 'Not sent.'])
    await using agent = await openAgent(clerk({ ...SENDER, ...ASKS }), { home, env, tools, modelPort })
    const decide = async () =>
      ({ verdict: 'deny', by: 'Grace', why: `it holds ${env.OPENAI_API_KEY}` }) as const
    const { run_id } = await agent.run('Send it.', { decide })
    const [decision, ...others] = await home.runs.decisions(run_id)
    assert.deepEqual([decision?.by, decision?.why, others], ['Grace', 'it holds [secret OPENAI_API_KEY]', []])
  })

  test('the first decision about a call counts, not a later one of the person who was asked here', async (t) => {
    const { sent, tools } = sender()
    const folder = join(folderFor(t), 'home')
    const home = await openHome(folder, ENV)
    t.after(() => home.close())
    const modelPort = scriptedModel([SEND, 'Not sent.'])
    await using agent = await openAgent(clerk({ ...SENDER, ...ASKS }), { home, env: ENV, tools, modelPort })
    const started = await agent.start('Send it.', {
      decide: async ({ call_id }) => {
        await decideApproval(started.run_id, call_id, { verdict: 'deny', by: 'Ada' }, { home: folder })
        return { verdict: 'approve', by: 'Grace' }
      },
    })
    assert.equal((await started.result).output, 'Not sent.')
    assert.deepEqual(sent, [])
    const { events } = await readRun(started.run_id, { home })
    const decided = events.flatMap(({ fact }) => (fact.type === 'person.decided' ? [fact] : []))
    assert.deepEqual(
      decided.map(({ verdict, by }) => [verdict, by]),
      [['deny', 'Ada']],
    )
  })

  test('chat: each input is a turn of one run, one after the other', async () => {
    const modelPort = scriptedModel(['Good day.', 'It is noon.', 'Goodbye.'])
    await using agent = await openAgent(clerk(), { env: ENV, modelPort })
    const chat = await agent.chat()
    assert.equal(chat.run_id, undefined)
    const answers = await Promise.all([chat.say('Hello.'), chat.say('What time is it?')])
    assert.deepEqual(
      answers.map(({ output, run_id }) => [output, run_id]),
      [
        ['Good day.', chat.run_id],
        ['It is noon.', chat.run_id],
      ],
    )
    assert.ok(messagesOf(modelPort.requests[1]).includes('Good day.'), 'the second turn knows the first')
    await chat.close()
    const next = await agent.resume(chat.run_id ?? '', { input: 'Bye.' })
    assert.deepEqual([next.output, next.run_id], ['Goodbye.', chat.run_id])
  })

  test('a turn that waits for a person must be resumed before the next input', async () => {
    const { tools } = sender()
    const modelPort = scriptedModel([SEND, 'Sent.', 'You are welcome.'])
    await using agent = await openAgent(clerk({ ...SENDER, ...ASKS }), { env: ENV, tools, modelPort })
    await using chat = await agent.chat()
    assert.equal((await chat.say('Send it.')).status, 'awaiting_approval')
    await assert.rejects(chat.say('Thanks.'), { code: 'TURN_UNFINISHED' })
    const decide = async () => ({ verdict: 'approve', by: 'Grace' }) as const
    await assert.rejects(agent.resume(chat.run_id ?? '', { decide }), { code: 'RUN_LOCKED' })
    assert.equal((await chat.resume({ decide })).output, 'Sent.')
    assert.equal((await chat.say('Thanks.')).output, 'You are welcome.')
  })
})

describe('owners of memory', () => {
  const save = (content: string): ScriptedAnswer => ({
    calls: [{ tool: 'memory_save', args: { key: 'k', content } }],
  })
  const memory = (scope: string) => ({ memory: [{ scope, content: 'x' }] })
  /** Runs an agent once. @returns the first message of its model */
  async function once(
    from: string | AgentDefinition,
    options: PlanOptions,
    script: readonly ScriptedAnswer[] = ['Yes.'],
  ): Promise<string> {
    const modelPort = scriptedModel(script)
    await using agent = await openAgent(from, { env: ENV, ...options, modelPort })
    assert.equal((await agent.run('Hello.')).status, 'completed')
    modelPort.assertDone()
    return messagesOf(modelPort.requests[0])
  }

  test('AAIF-4.5-02: each run of one agent has the user and the session that it names', async (t) => {
    const modelPort = scriptedModel([save('Ada takes Assam'), 'Kept.', 'Hello.', 'Hello.', 'Hello.'])
    await using agent = await openAgent(clerk(memory('user')), {
      home: join(folderFor(t), 'home'),
      env: ENV,
      user: 'ada',
      modelPort,
    })
    await agent.run('I take Assam.')
    await agent.run('Hello.', { user: 'bob' })
    await agent.run('Hello.')
    await agent.run('Hello.', { user: 'ada', session: 's1' })
    const [, , bob, ada, inSession] = modelPort.requests.map((request) =>
      messagesOf(request).includes('Assam'),
    )
    assert.deepEqual([bob, ada, inSession], [false, true, true])
  })

  test('definitions with the same agent_id in different files have separate memory', async (t) => {
    const folder = folderFor(t)
    const home = join(folder, 'home')
    const own = fileOf(folder, 'own', clerk(memory('long_term')))
    const copy = fileOf(folder, 'copy', clerk(memory('long_term')))
    await once(own, { home }, [save('the code of the safe'), 'Kept.'])
    assert.ok((await once(own, { home })).includes('the code of the safe'))
    assert.ok(!(await once(copy, { home })).includes('the code of the safe'))
    assert.ok(!(await once(clerk(memory('long_term')), { home })).includes('the code of the safe'))
    const edited = { ...clerk(memory('long_term')).agent, goal: 'Help more.' }
    fileOf(folder, 'own', { ...clerk(), agent: edited } as AgentDefinition)
    assert.ok((await once(own, { home })).includes('the code of the safe'), 'a file may be edited')
  })

  test('a definition given in code is identified by its source, or else by its content', async (t) => {
    const home = join(folderFor(t), 'home')
    const changed = { ...clerk(memory('long_term')) }
    changed.agent = { ...changed.agent, goal: 'Help more.' }
    await once(clerk(memory('long_term')), { home, source: 'desk' }, [save('of the desk'), 'Kept.'])
    await once(clerk(memory('long_term')), { home }, [save('of the content'), 'Kept.'])
    assert.match(await once(changed, { home, source: 'desk' }), /of the desk/)
    assert.doesNotMatch(await once(changed, { home, source: 'counter' }), /of the desk|of the content/)
    assert.match(await once(clerk(memory('long_term')), { home }), /of the content/)
    assert.doesNotMatch(await once(changed, { home }), /of the content/)
  })

  test('a sub-agent does not share the memory of runs of its own file', async (t) => {
    const folder = folderFor(t)
    const home = join(folder, 'home')
    const child = { ...clerk({ ...memory('long_term'), name: 'Child' }) }
    const file = fileOf(folder, 'agents', child, 'child.json')
    await once(file, { home }, [save('the code of the safe'), 'Kept.'])
    const chief = {
      ...clerk({
        name: 'Chief',
        orchestration: { subagents: [{ ref: './child.json', alias: 'child' }], pipeline: ['child'] },
      }),
      agent_id: OTHER_ID,
    } as AgentDefinition
    const asked: ModelRequest[] = []
    const answers = scriptedModel([save('of the child below its chief'), 'Kept.', 'Hello.'])
    const modelPort: PlanOptions['modelPort'] = {
      ask: (request, options) => {
        asked.push(request)
        return answers.ask(request, options)
      },
    }
    await using agent = await openAgent(fileOf(folder, 'agents', chief, 'chief.json'), {
      home,
      env: ENV,
      ...(modelPort !== undefined && { modelPort }),
    })
    assert.equal((await agent.run('Hello.')).status, 'completed')
    assert.equal((await agent.run('Hello again.')).status, 'completed')
    assert.equal(asked[0]?.plan.agent_name, 'Child')
    assert.doesNotMatch(messagesOf(asked[0]), /the code of the safe/)
    assert.match(
      messagesOf(asked[2]),
      /of the child below its chief/,
      'below the same root it is the same agent',
    )
    assert.doesNotMatch(await once(file, { home }), /below its chief/, 'nor the other way round')
  })
})

describe('grants', () => {
  test('belong to the definition that they were given to, and to no other with its agent_id', async (t) => {
    const tool = {
      name: 'depot',
      description: 'The depot.',
      protocol: 'http',
      endpoint: 'https://depot.example/',
    }
    const definition = clerk({ tools: [tool] })
    const place = new Place(t, definition as unknown as JsonObject)
    const own = join(place.folder, 'agent.json')
    const copy = fileOf(place.folder, 'copy', definition)
    const gateOf = async (from: string | AgentDefinition) => {
      await using agent = await openAgent(from, { home: place.home, env: ENV })
      return agent.plan.tools[0]?.gate
    }
    assert.equal(await gateOf(own), 'deny')
    const given = await waybill(place, ['grants', 'allow', 'host', 'depot.example', '--agent', 'agent.json'])
    assert.equal(given.code, 0, given.err)
    assert.deepEqual(
      [await gateOf(own), await gateOf(copy), await gateOf(definition)],
      ['allow', 'deny', 'deny'],
    )
    place.write(
      'agent.json',
      JSON.stringify(clerk({ tools: [{ ...tool, endpoint: 'https://depot.example/drop' }] })),
    )
    assert.equal(await gateOf(own), 'deny', 'it was given for the tool as it was')
  })
})

test('the input of a run is stored without secrets and personal data, and a run that is started from its record has the real values', async (t) => {
  const folder = folderFor(t)
  const home = await openHome(join(folder, 'home'))
  t.after(() => home.close())
  const { sent, tools } = sender()
  const env = { OPENAI_API_KEY: 'zebra-quartz-71-lantern-mosaic' }
  const held = Promise.withResolvers<void>()
  const modelPort = scriptedModel([
    { calls: [{ tool: 'send', args: { to: 'nobody' } }] },
    'Held.',
    { calls: [{ tool: 'send', args: { to: '[email:1]' } }] },
    'Sent.',
  ])
  const limited = { ...SENDER, runtime: { concurrency: 1 }, compliance: { pii_handling: 'anonymize' } }
  await using agent = await openAgent(clerk(limited), {
    home,
    env,
    modelPort,
    tools: {
      send: async (args: { to: string }) => {
        if (args.to === 'nobody') await held.promise
        return tools.send(args)
      },
    },
  })
  const first = await agent.start('Hold the line.')
  const input = `Write to ada@example.com with ${env.OPENAI_API_KEY}.`
  const stop = new AbortController()
  const second = await agent.start(input, { signal: stop.signal })
  stop.abort(new Error('not any more'))
  await assert.rejects(second.result, { message: 'not any more' })
  const stored = await home.runs.read(second.run_id)
  assert.deepEqual(
    [stored.state.seq, stored.first.input],
    [0, 'Write to [email:1] with [secret OPENAI_API_KEY].'],
  )
  held.resolve()
  await first.result
  const resumed = await agent.resume(second.run_id)
  assert.equal(resumed.status, 'completed')
  assert.deepEqual(sent, ['nobody', 'ada@example.com'])
  assert.ok(existsSync(join(folder, 'home/waybill.db')))
})
