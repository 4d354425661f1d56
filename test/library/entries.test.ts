import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import {
  type AgentDefinition,
  type AgentSource,
  decideApproval,
  type Extension,
  listApprovals,
  listRuns,
  loadAgent,
  openAgent,
  openHome,
  parseAgentDefinition,
  planRun,
  readRun,
  resume,
  reviewPlan,
  run,
  runBatch,
  startResume,
  startRun,
  validateAgentDefinition,
  WaybillError,
} from 'waybill'
import { type ScriptedAnswer, scriptedModel } from 'waybill/testing'
import type { JsonObject } from '../../src/document/json.ts'
import { Place, waybill } from '../cli/fixture.ts'

const ENV = { OPENAI_API_KEY: 'not-used' }

const clerk = (members: JsonObject = {}): AgentDefinition =>
  ({
    sc_standard: 'SC-006',
    agent: { name: 'Clerk', goal: 'Help.', model: { provider: 'openai', preferred: 'gpt-4o' }, ...members },
  }) as unknown as AgentDefinition

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-entries-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes two schemas whose circle is an error only if the documents are read. */
function writeCircle(folder: string): void {
  writeFileSync(join(folder, 'a.json'), '{"$ref": "b.json"}')
  writeFileSync(join(folder, 'b.json'), '{"$ref": "a.json"}')
}

/** Each function that takes an agent; the model answers once. */
const ENTRIES: Readonly<Record<string, (from: AgentSource, options?: object) => Promise<unknown>>> = {
  openAgent: async (from, options) => (await openAgent(from, { env: ENV, ...options })).close(),
  run: (from, options) => run(from, { env: ENV, modelPort: scriptedModel(['Hello.']), ...options }),
  startRun: async (from, options) =>
    (await startRun(from, { env: ENV, modelPort: scriptedModel(['Hello.']), ...options })).result,
  runBatch: (from, options) =>
    runBatch(from, ['Hello.'], { env: ENV, modelPort: scriptedModel(['Hello.']), ...options }),
  planRun: (from, options) => planRun(from, { env: ENV, ...options }),
  reviewPlan: (from, options) => reviewPlan(from, { env: ENV, ...options }),
  'a rehearsal': (from, options) => run(from, { rehearse: true, ...options }),
}

const cyclic: Record<string, unknown> = { sc_standard: 'SC-006' }
cyclic.agent = cyclic

/** What is no valid definition, with the pointers of its errors. */
const INVALID: readonly (readonly [rule: string, value: unknown, pointers: readonly string[]])[] = [
  ['without its members', { agent: { name: 'x' } }, ['/sc_standard', '/agent/goal']],
  ['with a member of a wrong type', { ...clerk({ goal: 7 }) }, ['/agent/goal']],
  [
    'that breaks a rule of the format',
    clerk({ orchestration: { pipeline: ['nobody'] } }),
    ['/agent/orchestration/pipeline/0'],
  ],
  [
    'that contains a secret',
    clerk({ instructions: `sk-proj-${'a1B2'.repeat(10)}` }),
    ['/agent/instructions'],
  ],
  ['that is null', null, ['']],
  ['that is undefined', undefined, ['']],
  ['that is a list', [clerk()], ['']],
  ['that is a promise', Promise.resolve(clerk()), ['']],
  ['with a function', clerk({ name: (() => 'x') as never }), ['/agent/name']],
  ['with a date', clerk({ name: new Date() as never }), ['/agent/name']],
  [
    'with a number that JSON does not have',
    clerk({ runtime: { timeout_seconds: Number.NaN } }),
    ['/agent/runtime/timeout_seconds'],
  ],
]

describe('a definition is checked at every entry', () => {
  for (const [entry, enter] of Object.entries(ENTRIES)) {
    for (const [rule, value, pointers] of INVALID) {
      test(`${entry} refuses one ${rule}`, async () => {
        await assert.rejects(enter(value as AgentDefinition), (error) => {
          assert.ok(error instanceof WaybillError, String(error))
          assert.equal(error.code, 'DEFINITION_INVALID')
          assert.equal(error.fault, 'refused')
          const errors = error.issues.filter(({ severity }) => severity === 'error')
          assert.deepEqual([...new Set(errors.map(({ pointer }) => pointer))], pointers)
          assert.equal(error.pointer, pointers[0])
          assert.ok(
            error.issues.every(({ line }) => line === undefined),
            'data has no lines',
          )
          return true
        })
      })
    }

    test(`${entry} refuses data that contains itself`, async () => {
      await assert.rejects(enter(cyclic as never), { code: 'DEFINITION_INVALID', message: /nested/ })
    })

    test(`${entry} accepts a path, a URL, a loaded agent, and data with absent members`, async (t) => {
      const file = join(folderFor(t), 'agent.json')
      writeFileSync(file, JSON.stringify(clerk()))
      const data = { ...clerk(), status: undefined } as unknown as AgentDefinition
      for (const from of [file, pathToFileURL(file), await loadAgent(file), data]) await enter(from)
    })

    const unread: readonly (readonly [rule: string, from: string | URL, words: RegExp])[] = [
      ['a file that is not there', 'nowhere.yaml', /there is no such file/],
      ['a URL of another scheme', new URL('https://a.example/agent.yaml'), /never fetched/],
      ['the text of a definition', 'sc_standard: SC-006\nagent: {}', /not the path of a definition/],
    ]
    for (const [rule, from, message] of unread) {
      test(`${entry} refuses ${rule}`, () =>
        assert.rejects(enter(from), { code: 'FILE_UNREADABLE', fault: 'usage', message }))
    }

    test(`${entry} refuses an option that does not exist`, async () => {
      await assert.rejects(enter(clerk(), { allowHost: ['a.example'] }), {
        code: 'USAGE',
        fault: 'usage',
        message: /has no option "allowHost"$/,
        hint: 'did you mean allowHosts?',
      })
      await assert.rejects(enter(clerk(), { telemetry: { otlpEndpont: 'http://a.example' } }), {
        code: 'USAGE',
        hint: 'did you mean otlpEndpoint?',
      })
    })
  }

  test('the caller may change its data afterwards: the agent keeps what was checked', async () => {
    const data = structuredClone(
      clerk({ tools: [{ name: 'find', description: 'Finds.', parameters_schema: { type: 'object' } }] }),
    )
    await using agent = await openAgent(data, { env: ENV, modelPort: scriptedModel(['Hello.']) })
    ;(data.agent as { goal: unknown }).goal = 7
    ;(data.agent.tools?.[0]?.parameters_schema as { type: string }).type = 'string'
    const result = await agent.run('Hello.', { user: 'another' })
    assert.equal(result.status, 'completed')
  })

  test('names that an extension adds are valid with the extension', async () => {
    const extension: Extension = {
      name: 'windows',
      toolProtocols: { window: { reach: 'nothing', open: () => ({ call: async () => null }) } },
    }
    const definition = clerk({ tools: [{ name: 'look', description: 'Looks.', protocol: 'window' }] })
    await assert.rejects(planRun(definition, { env: ENV }), { code: 'DEFINITION_INVALID' })
    const plan = await planRun(definition, { env: ENV, extensions: [extension] })
    assert.equal(plan.tools[0]?.gate, 'allow')
  })

  test('schemas of the folder and of the options are found', async (t) => {
    const folder = folderFor(t)
    writeCircle(folder)
    const definition = clerk({ io: { input_schema: { $ref: 'a.json' } } })
    await assert.rejects(planRun(definition, { env: ENV, folder }), { code: 'DEFINITION_INVALID' })
    assert.ok(await planRun(definition, { env: ENV }))
    const mapped = clerk({ io: { input_schema: { $ref: 'https://a.example/x.json' } } })
    const schemas = { 'https://a.example/x.json': { type: 'object' } }
    const plan = await planRun(mapped, { env: ENV, schemas })
    assert.deepEqual(plan.degradations, [])
  })

  test('a judge is an option', async () => {
    const plan = await planRun(clerk({ constraints: ['Be kind to every person.'] }), {
      env: ENV,
      judge: 'openai/gpt-4o',
    })
    assert.equal(plan.constraints[0]?.enforcement, 'judge')
  })
})

const YAML = `# A clerk
sc_standard: SC-006
agent:
  name: Clerk
  goal: Help.
  model: { provider: openai, preferred: gpt-4o }
  context:
    - { type: file, value: facts.txt }
  orchestration:
    subagents: [{ ref: ./child.json, alias: child }]
`

describe('loadAgent', () => {
  function site(t: TestContext, text = YAML) {
    const folder = folderFor(t)
    const file = join(folder, 'agent.yaml')
    writeFileSync(file, text)
    writeFileSync(join(folder, 'facts.txt'), 'The shop opens at nine.')
    writeFileSync(join(folder, 'child.json'), JSON.stringify(clerk({ name: 'Child' })))
    return { folder, file }
  }

  test('remembers the file, whose folder holds its files and sub-agents', async (t) => {
    const { file } = site(t)
    const loaded = await loadAgent(file)
    assert.deepEqual([loaded.file, loaded.definition.agent.name, loaded.warnings], [file, 'Clerk', []])
    assert.equal(loaded.document.locate('/agent/goal').line, 5)
    const modelPort = scriptedModel(['Hello.'])
    await using agent = await openAgent(loaded, { env: ENV, modelPort })
    assert.equal(agent.plan.subagents[0]?.agent?.length, 64)
    await agent.run('Hello.')
    assert.match(JSON.stringify(modelPort.requests[0]), /The shop opens at nine/)
  })

  test('its identity in a home is that of the file', async (t) => {
    const { folder, file } = site(t)
    const home = await openHome(join(folder, 'home'), ENV)
    t.after(() => home.close())
    const ids = []
    for (const from of [file, await loadAgent(file)]) {
      const { run_id } = await run(from, { home, env: ENV, modelPort: scriptedModel(['Hello.']) })
      const { header } = await home.runs.read(run_id)
      ids.push(Object.values(header.definitions ?? {}).toSorted())
    }
    assert.deepEqual(ids[1], ids[0])
    assert.match(JSON.stringify(ids[0]), /file:.*agent\.yaml/)
  })

  test('a link that is changed afterwards does not change the identity', async (t) => {
    const { folder, file } = site(t)
    const link = join(folder, 'link.yaml')
    symlinkSync(file, link)
    const loaded = await loadAgent(link)
    rmSync(link)
    writeFileSync(link, YAML)
    const home = await openHome(join(folder, 'home'), ENV)
    t.after(() => home.close())
    const { run_id } = await run(loaded, { home, env: ENV, modelPort: scriptedModel(['Hello.']) })
    const { header } = await home.runs.read(run_id)
    assert.match(JSON.stringify(header.definitions), /file:[^"]*\/agent\.yaml"/)
  })

  test('an error has the file, the line and the column, as on the command line', async (t) => {
    const { file } = site(t, YAML.replace('  goal: Help.\n', '  goal: 7\n'))
    await assert.rejects(loadAgent(file), (error) => {
      assert.ok(error instanceof WaybillError)
      const { code, pointer, line, column } = error
      assert.deepEqual(
        [code, error.file, pointer, line, column],
        ['DEFINITION_INVALID', file, '/agent/goal', 5, 9],
      )
      return true
    })
  })

  test('what has changed since it was loaded is checked again, with its place', async (t) => {
    const { file } = site(t)
    const loaded = await loadAgent(file)
    ;(loaded.definition.agent as { goal: unknown }).goal = 7
    await assert.rejects(planRun(loaded, { env: ENV }), {
      code: 'DEFINITION_INVALID',
      pointer: '/agent/goal',
      file,
      line: 5,
    })
  })

  test('another definition with its place is checked as data', async (t) => {
    const loaded = await loadAgent(site(t).file)
    const plan = await planRun({ ...loaded, definition: clerk({ name: 'Other' }) }, { env: ENV })
    assert.equal(plan.agent_name, 'Other')
    await assert.rejects(planRun({ ...loaded, definition: clerk({ goal: 7 }) }, { env: ENV }), {
      code: 'DEFINITION_INVALID',
      pointer: '/agent/goal',
      line: undefined,
    })
  })

  test('schemas are found in the folder of its file, or in the folder that is granted', async (t) => {
    const { folder, file } = site(t, `${YAML}  io: { input_schema: { $ref: a.json } }\n`)
    const loaded = await loadAgent(file)
    const other = join(folder, 'other')
    mkdirSync(other)
    writeCircle(other)
    assert.ok(await planRun(loaded, { env: ENV }))
    await assert.rejects(openAgent(loaded, { env: ENV, folder: other }), {
      code: 'DEFINITION_INVALID',
      line: 11,
    })
    writeCircle(folder)
    await assert.rejects(planRun(loaded, { env: ENV }), { code: 'DEFINITION_INVALID' })
    await assert.rejects(loadAgent(file), { code: 'DEFINITION_INVALID' })
  })

  test('it accepts the options of an agent, and no others', async (t) => {
    const { file } = site(t)
    assert.ok(await loadAgent(file, { env: ENV } as never))
    await assert.rejects(loadAgent(file, { extension: [] } as never), { hint: 'did you mean extensions?' })
  })
})

describe('an error is the object of the command line', () => {
  const wrong: readonly (readonly [rule: string, text: string])[] = [
    ['of a definition', YAML.replace('  goal: Help.\n', '')],
    ['of a text', 'sc_standard: [\n'],
    ['of an empty file', ''],
  ]
  for (const [rule, text] of wrong) {
    test(rule, async (t) => {
      const place = new Place(t)
      place.write('agent.yaml', text)
      const { out } = await waybill(place, ['run', join(place.folder, 'agent.yaml'), 'Hello.', '--json'])
      const printed = JSON.parse(out).error as JsonObject
      await assert.rejects(run(join(place.folder, 'agent.yaml'), { env: {} }), (error) => {
        assert.ok(error instanceof WaybillError)
        assert.deepEqual(JSON.parse(JSON.stringify(error)), printed)
        const { code, message, pointer, line, column, file, hint, rule: id } = error
        const own = { code, message, pointer, line, column, file, hint, rule: id }
        assert.deepEqual(JSON.parse(JSON.stringify(own)), printed)
        return true
      })
    })
  }

  test('members that do not apply are absent, and there are no issues', () => {
    const error = new WaybillError('USAGE', { message: 'm' })
    assert.deepEqual(error.toJSON(), { code: 'USAGE', message: 'm' })
    assert.deepEqual(error.issues, [])
    assert.deepEqual([error.pointer, error.hint, error.changes], [undefined, undefined, undefined])
  })

  test('the findings about a text are those of validation, in the words of the library', () => {
    const text = `{"sc_standard": "SC-006", "agent": {"name": "x", "goal": "y", "orchestration": {"handoffs": [
      {"to": "z", "condition": {"lang": "cel", "expr": "a ==", "dialect": "1.0"}}]}}}`
    assert.doesNotMatch(JSON.stringify(validateAgentDefinition(JSON.parse(text))), / --[a-z]/)
    assert.throws(() => parseAgentDefinition(`"${'x'.repeat(9 * 1024 * 1024)}"`), {
      hint: 'refer to large contents by file or URL, or raise the limit (maxBytes)',
    })
  })
})

const SENDER = {
  tools: [
    {
      name: 'send',
      description: 'Sends.',
      parameters_schema: { type: 'object', properties: { to: { type: 'string' } } },
    },
  ],
  compliance: { human_in_the_loop: { enabled: true } },
}
const SEND: ScriptedAnswer = { calls: [{ tool: 'send', args: { to: 'ada' } }] }
const options = (script: readonly ScriptedAnswer[]) => ({
  env: ENV,
  tools: { send: () => null },
  modelPort: scriptedModel([...script]),
})

describe('options are checked at every function', () => {
  const strict: readonly (readonly [name: string, act: () => Promise<unknown>])[] = [
    ['resume', () => resume('r', { home: 'h', hom: 1 } as never)],
    ['startResume', () => startResume('r', { home: 'h', hom: 1 } as never)],
    ['listRuns', () => listRuns({ home: 'h', hom: 1 } as never)],
    ['readRun', () => readRun('r', { home: 'h', hom: 1 } as never)],
    ['listApprovals', () => listApprovals({ home: 'h', hom: 1 } as never)],
    [
      'decideApproval',
      () => decideApproval('r', 'c', { verdict: 'deny', by: 'x' }, { home: 'h', hom: 1 } as never),
    ],
  ]
  for (const [name, act] of strict) {
    test(`${name} refuses an option that does not exist`, () =>
      assert.rejects(act(), {
        code: 'USAGE',
        message: `${name} has no option "hom"`,
        hint: 'did you mean home?',
      }))
  }

  const homeless: readonly (readonly [name: string, act: () => Promise<unknown>])[] = [
    ['resume', () => resume('r', {} as never)],
    ['startResume', () => startResume('r', {} as never)],
    ['listRuns', () => listRuns({} as never)],
    ['readRun', () => readRun('r', {} as never)],
    ['listApprovals', () => listApprovals({} as never)],
    ['decideApproval', () => decideApproval('r', 'c', { verdict: 'deny', by: 'x' }, {} as never)],
  ]
  for (const [name, act] of homeless)
    test(`${name} needs a home`, () =>
      assert.rejects(act(), { code: 'USAGE', message: `${name} needs the option home` }))

  const unusable: readonly (readonly [value: unknown, words: string])[] = [
    ['Where is it?', 'a string'],
    [null, 'null'],
    [['a'], 'a list'],
    [7, 'a number'],
  ]
  for (const [value, words] of unusable)
    test(`options that are ${words} are refused`, () =>
      assert.rejects(run(clerk(), value as never), {
        code: 'USAGE',
        message: `the options of run: an object is needed, not ${words}`,
      }))

  test('an option that is like no other lists those that exist', () =>
    assert.rejects(loadAgent('x', { zzzzzz: 1 } as never), { hint: /^the members: agents, allowCalls, / }))

  test('one object of options serves all functions', async (t) => {
    const shared = { home: join(folderFor(t), 'home'), ...options([SEND]) }
    const { run_id } = await run(clerk(SENDER), shared)
    assert.equal((await readRun(run_id, shared)).status, 'awaiting_approval')
    assert.equal((await listRuns(shared)).length, 1)
    assert.equal((await listApprovals({ ...shared, runId: run_id })).length, 1)
    assert.ok(await planRun(clerk(SENDER), { ...shared, input: 'x' } as never))
  })

  test('an option of an agent is refused at a run, and an option of a run at the agent', async () => {
    await using agent = await openAgent(clerk(), options(['Hello.']))
    const misplaced = { code: 'USAGE', hint: 'it is an option of openAgent, for all runs of the agent' }
    const hosts = { allowHosts: ['a.example'] } as never
    await assert.rejects(agent.run('x', hosts), misplaced)
    await assert.rejects(agent.start('x', hosts), misplaced)
    await assert.rejects(agent.resume('x', hosts), misplaced)
    await assert.rejects(agent.startResume('x', hosts), misplaced)
    await assert.rejects(agent.chat(hosts), misplaced)
    const chat = await agent.chat()
    await assert.rejects(chat.say('x', { onbusy: 'interrupt' } as never), { hint: 'did you mean onBusy?' })
    await assert.rejects(chat.resume({ onevent: () => {} } as never), { hint: 'did you mean onEvent?' })
    assert.equal((await chat.say('Hello.')).output, 'Hello.')
    await assert.rejects(openAgent(clerk(), { env: ENV, decide: () => null } as never), {
      hint: 'it is an option of each run: agent.run(input, { … })',
    })
  })
})

describe('a call that waits is the same object everywhere', () => {
  test('decide gets what listApprovals shows', async (t) => {
    const home = join(folderFor(t), 'home')
    const asked: unknown[] = []
    const { run_id, waiting } = await run(clerk(SENDER), {
      home,
      ...options([SEND]),
      decide: (approval) => {
        asked.push(approval)
        return null
      },
    })
    const listed = await listApprovals({ home })
    assert.deepEqual(asked, listed)
    assert.deepEqual(listed, [
      {
        run_id,
        agent_id: listed[0]?.agent_id,
        agent_name: 'Clerk',
        call_id: listed[0]?.call_id,
        tool: 'send',
        arguments: { to: 'ada' },
        asks: 'approval',
        effect: 'write',
        reason: 'human_in_the_loop: a person must approve each write call',
        rule: 'AAIF-4.9-10',
      },
    ])
    assert.deepEqual(waiting, [{ call_id: listed[0]?.call_id, tool: 'send', asks: 'approval' }])
  })

  test('it has the reason for which a person is asked about this call', async () => {
    const reasons: unknown[] = []
    const trigger = { lang: 'cel', expr: 'arguments.amount > 5' }
    await run(clerk({ ...SENDER, compliance: { human_in_the_loop: { enabled: true, trigger } } }), {
      ...options([SEND]),
      decide: ({ reason }) => {
        reasons.push(reason)
        return null
      },
    })
    assert.match(reasons.join(), /cannot be evaluated/)
  })

  test('decide sees real values of personal data', async () => {
    const seen: unknown[] = []
    const definition = clerk({ ...SENDER, compliance: { ...SENDER.compliance, pii_handling: 'anonymize' } })
    const mail = 'ada@lovelace.example'
    await run(definition, {
      input: `Write to ${mail}.`,
      ...options([{ calls: [{ tool: 'send', args: { to: mail } }] }, 'Done.']),
      decide: ({ arguments: { to } }) => {
        seen.push(to)
        return { verdict: 'deny', by: 'Ada' }
      },
    })
    assert.deepEqual(seen, [mail])
  })

  const wrong: readonly (readonly [rule: string, decision: unknown, words: RegExp])[] = [
    ['of another shape', true, /the decision: an object is needed, not a boolean/],
    ['with a misspelt member', { verdict: 'edit', by: 'Ada', args: {} }, /the decision has no member "args"/],
  ]
  for (const [rule, decision, message] of wrong) {
    test(`a decision ${rule} is refused, here and for a stored call`, async (t) => {
      const home = join(folderFor(t), 'home')
      await assert.rejects(run(clerk(SENDER), { ...options([SEND]), decide: () => decision as never }), {
        code: 'USAGE',
        message,
      })
      const { run_id, waiting } = await run(clerk(SENDER), { home, ...options([SEND]) })
      const id = waiting?.[0]?.call_id ?? ''
      await assert.rejects(decideApproval(run_id, id, decision as never, { home }), {
        code: 'USAGE',
        message,
      })
    })
  }
})

test('a fault of the machine has the code of the command line', async (t) => {
  const file = join(folderFor(t), 'home')
  writeFileSync(file, readFileSync(import.meta.filename))
  const place = new Place(t)
  const { out } = await waybill(place, ['runs', 'list', '--json'], { env: { WAYBILL_HOME: file } })
  const { code } = JSON.parse(out).error
  await assert.rejects(listRuns({ home: file }), { code })
})
