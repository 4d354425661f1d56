import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { openAgent, run as runAgent } from 'waybill'
import { Place, until, waybill } from './fixture.ts'

const MODEL = { provider: 'custom', provider_id: 'custom', preferred: 'x' }
const REGULATED = { safety_level: 'regulated' }
const UNMET = ['tool.teleport', 'memory.crystal']

function definition(compliance: object, agent: object = {}, root: object = {}) {
  return {
    sc_standard: 'SC-006',
    sc_version: '3.4.0',
    agent_id: '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a10',
    ...root,
    agent: {
      name: 'Clerk',
      goal: 'Do what is due.',
      model: MODEL,
      events: { triggers: [{ type: 'schedule', schedule: '* * * * * *' }] },
      compliance,
      ...agent,
    },
  }
}

interface Entry {
  readonly kind: string
  readonly code?: string
  readonly agent_id?: string
  readonly codes?: readonly string[]
  readonly refusals?: readonly {
    readonly code: string
    readonly subagent?: readonly string[]
    readonly agent_id?: string
  }[]
}

/** The refusals in the audit log. */
async function refusalsOf(place: Place): Promise<readonly Entry[]> {
  const lines = await place.withHome(({ audit }) => audit.lines())
  return lines
    .map((line) => (JSON.parse(line) as { readonly fact: Entry }).fact)
    .filter(({ kind }) => kind === 'run.refused' || kind === 'definition.refused')
}

const FLAGS = ['--base-url', 'http://127.0.0.1:9/v1']
/** Every command that imports a definition in order to run it. */
const COMMANDS: readonly (readonly [name: string, argv: readonly string[], stdin?: string])[] = [
  ['run', ['run', 'agent.json', '--input', 'Go', ...FLAGS]],
  ['run --json', ['run', 'agent.json', '--input', 'Go', '--json', ...FLAGS]],
  ['run --detach', ['run', 'agent.json', '--input', 'Go', '--detach', ...FLAGS]],
  ['run --batch', ['run', 'agent.json', '--batch', 'inputs.ndjson', ...FLAGS]],
  ['chat', ['chat', 'agent.json', ...FLAGS], 'Go\n'],
  ['watch', ['watch', 'agent.json', '--once', ...FLAGS]],
]

const isDetached = (argv: readonly string[]) => argv.includes('--detach')

function placeOf(t: TestContext, value: object): Place {
  const place = new Place(t, value)
  place.write('inputs.ndjson', '"Go"\n')
  return place
}

const CAUSES: readonly (readonly [what: string, value: object, code: string])[] = [
  [
    'a capability that is missing',
    definition(REGULATED, { required_capabilities: UNMET }),
    'CAPABILITY_UNMET',
  ],
  ['a definition that breaks the schema', definition(REGULATED, { goal: 7 }), 'DEFINITION_INVALID'],
  [
    'an unknown member beside audit_log',
    definition({ audit_log: true, colour: 'red' }),
    'DEFINITION_INVALID',
  ],
]

describe('AAIF-7-10: the refusal of an agent that is audited', () => {
  for (const [what, value, code] of CAUSES) {
    for (const [name, argv, stdin] of COMMANDS) {
      test(`is audited by ${name}, because of ${what}`, async (t) => {
        const place = placeOf(t, value)
        const said = await waybill(place, argv, { ...(stdin !== undefined && { stdin }) })
        // A run in the background may be refused before or after its command has ended.
        const late = isDetached(argv) && code !== 'DEFINITION_INVALID' && said.code === 0
        if (!late) assert.equal(said.code, 1, said.err + said.out)
        await until('an audited refusal', async () => (await refusalsOf(place)).length > 0)
        assert.deepEqual(
          (await refusalsOf(place)).map((entry) => entry.code),
          [code],
          said.err,
        )
        assert.equal((await waybill(place, ['audit', 'verify'])).code, 0)
      })
    }

    test(`is audited by the library, because of ${what}`, async (t) => {
      const place = placeOf(t, value)
      const options = { home: place.home, env: { WAYBILL_KEY_CUSTOM: 'k' }, baseUrl: 'http://127.0.0.1:9/v1' }
      const open = async () => {
        await using agent = await openAgent(`${place.folder}/agent.json`, options)
        const result = await agent.run('Go')
        assert.equal(result.error?.code, code)
        throw new Error('refused')
      }
      await assert.rejects(open)
      assert.deepEqual(
        (await refusalsOf(place)).map((entry) => entry.code),
        [code],
      )
    })
  }

  test('is audited by run() of the library', async (t) => {
    const value = definition(REGULATED, { required_capabilities: UNMET })
    const place = placeOf(t, value)
    const result = await runAgent(value as Parameters<typeof runAgent>[0], { home: place.home, input: 'Go' })
    assert.equal(result.status, 'refused')
    assert.deepEqual(
      (await refusalsOf(place)).map(({ code }) => code),
      ['CAPABILITY_UNMET'],
    )
  })

  test('is audited for a signature that is required', async (t) => {
    for (const [, argv, stdin] of COMMANDS) {
      const place = placeOf(t, definition(REGULATED))
      place.write('config.yaml', 'signatures: { default: require }\n')
      const said = await waybill(place, [...argv, '--config', 'config.yaml'], {
        ...(stdin !== undefined && { stdin }),
      })
      if (!isDetached(argv) || said.code !== 0) assert.equal(said.code, 1, said.err)
      await until('an audited refusal', async () => (await refusalsOf(place)).length > 0)
      assert.deepEqual(
        (await refusalsOf(place)).map(({ code }) => code),
        ['SIGNATURE_REFUSED'],
        argv.join(' '),
      )
    }
  })

  test('is audited for a sub-agent, even if its caller is not audited', async (t) => {
    const caller = definition(
      {},
      { orchestration: { subagents: [{ ref: 'w.json', alias: 'w' }], pipeline: ['w'] } },
    )
    const place = placeOf(t, caller)
    const agent_id = '0b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a11'
    place.write(
      'w.json',
      JSON.stringify(definition(REGULATED, { required_capabilities: UNMET }, { agent_id })),
    )
    const said = await waybill(place, ['run', 'agent.json', '--input', 'Go', ...FLAGS])
    assert.notEqual(said.code, 0)
    const refused = await refusalsOf(place)
    assert.equal(refused.length, 1)
    const [{ agent_id: callerId, refusals } = assert.fail('no entry')] = refused
    assert.equal(callerId, caller.agent_id)
    assert.deepEqual(
      refusals?.map(({ code, subagent, agent_id: id }) => [code, subagent, id]),
      UNMET.map(() => ['CAPABILITY_UNMET', ['w'], agent_id]),
    )
  })

  const agent_id = '0b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a11'
  const invalid = { colour: 'red' }
  /** An agent that is not audited itself, with a sub-agent that is. */
  const family = (orchestration: object) => definition({}, { orchestration })
  const step = (ref: string) => family({ subagents: [{ ref, alias: 'w' }], pipeline: ['w'] })
  const SUBAGENTS: readonly (readonly [what: string, caller: object, worker: object])[] = [
    ['is refused', step('w.json'), definition(REGULATED, { required_capabilities: UNMET }, { agent_id })],
    ['is invalid', step('w.json'), definition(REGULATED, invalid, { agent_id })],
    ['is invalid and named by its id', step(agent_id), definition(REGULATED, invalid, { agent_id })],
    ['is invalid and named by its file', step('w'), definition({ audit_log: true }, invalid, { agent_id })],
  ]
  for (const [what, caller, worker] of SUBAGENTS)
    for (const [name, argv, stdin] of COMMANDS) {
      test(`is audited by ${name} for a sub-agent that ${what}`, async (t) => {
        const place = placeOf(t, caller)
        place.write('w.json', JSON.stringify(worker))
        const said = await waybill(place, argv, { ...(stdin !== undefined && { stdin }) })
        // A run in the background may be refused before or after its command has ended.
        if (!isDetached(argv) || said.code !== 0) assert.equal(said.code, 1, said.err + said.out)
        await until('an audited refusal', async () => (await refusalsOf(place)).length > 0)
        assert.equal((await waybill(place, ['audit', 'verify'])).code, 0)
        if (what === 'is refused') return
        const named = (await refusalsOf(place)).filter((entry) => entry.agent_id === agent_id)
        assert.equal(named.length, 1)
        if (!isDetached(argv)) assert.match(said.err + said.out, /w\.json is not a valid definition/)
      })
    }

  test('is audited for an invalid sub-agent that its caller can do without', async (t) => {
    const place = placeOf(t, family({ subagents: [{ ref: 'w.json', alias: 'w' }] }))
    place.write('w.json', JSON.stringify(definition(REGULATED, invalid, { agent_id })))
    await waybill(place, ['run', 'agent.json', '--input', 'Go', ...FLAGS])
    assert.deepEqual(
      (await refusalsOf(place)).map((entry) => [entry.kind, entry.agent_id, entry.code]),
      [['definition.refused', agent_id, 'SUBAGENT_UNRESOLVED']],
    )
  })

  test('an invalid sub-agent that is not audited leaves no entry', async (t) => {
    const place = placeOf(t, step('w.json'))
    place.write('w.json', JSON.stringify(definition({ safety_level: 'strict' }, invalid, { agent_id })))
    for (const [, argv, stdin] of COMMANDS)
      await waybill(place, argv, { ...(stdin !== undefined && { stdin }) })
    assert.deepEqual(await refusalsOf(place), [])
  })

  test('is not audited by plan and by a rehearsal, which import nothing', async (t) => {
    for (const [, value] of CAUSES) {
      const place = placeOf(t, value)
      await waybill(place, ['plan', 'agent.json'])
      await waybill(place, ['run', 'agent.json', '--input', 'Go', '--rehearse'])
      assert.deepEqual(await refusalsOf(place), [])
    }
  })

  test('an agent that is not audited leaves no entry, and neither does a wrong command line', async (t) => {
    const place = placeOf(t, definition({ safety_level: 'strict' }, { required_capabilities: UNMET }))
    for (const [, argv, stdin] of COMMANDS)
      await waybill(place, argv, { ...(stdin !== undefined && { stdin }) })
    assert.deepEqual(await refusalsOf(place), [])
    place.write('agent.json', JSON.stringify(definition(REGULATED)))
    const wrong = await waybill(place, ['run', 'agent.json', '--input', 'Go', '--budget', 'calls=x'])
    assert.equal(wrong.code, 2)
    assert.deepEqual(await refusalsOf(place), [])
  })
})

describe('AAIF-7-08: the error at safety level strict', () => {
  for (const [name, argv, stdin] of COMMANDS.filter(([name]) => name !== 'run --detach')) {
    test(`lists every unmet capability in ${name}`, async (t) => {
      const place = placeOf(t, definition({ safety_level: 'strict' }, { required_capabilities: UNMET }))
      const said = await waybill(place, argv, { ...(stdin !== undefined && { stdin }) })
      assert.equal(said.code, 1)
      const text = said.err + said.out
      for (const [index, capability] of UNMET.entries()) {
        assert.ok(text.includes(capability), text)
        assert.ok(text.includes(`/agent/required_capabilities/${index}`), text)
      }
    })
  }
})
