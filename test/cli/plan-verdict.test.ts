import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { DEFINITION, MailModel, Place, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.server.clearRequests())

const AGENT = { name: 'Clerk', goal: 'Answer.' }
const OWN = { provider: 'custom', provider_id: 'custom', preferred: 'x' }
const OPENAI = { provider: 'openai', preferred: 'gpt-4o' }

interface Cause {
  readonly agent: object
  /** Members beside `agent`. */
  readonly top?: object
  readonly files?: Readonly<Record<string, object>>
  readonly argv?: readonly string[]
  /** Whether the model of this test is given on the command line. */
  readonly reached?: boolean
  readonly env?: Record<string, string>
}

function definition(agent: object, id = '1', top: object = {}): object {
  const { sc_standard, sc_version } = DEFINITION
  return { sc_standard, sc_version, agent_id: `5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a1${id}`, ...top, agent }
}

const member = (more: object = {}, id = '2') =>
  definition({ ...AGENT, name: 'Helper', model: OWN, ...more }, id)
const step = { ref: 'helper.json', alias: 'helper' }
const pipeline = { ...AGENT, orchestration: { subagents: [step], pipeline: ['helper'] } }

/** Each prevents the first model request. */
const CAUSES: Readonly<Record<string, Cause>> = {
  'no model at all': { agent: AGENT },
  'a model without its key': { agent: { ...AGENT, model: OPENAI } },
  'a fallback without its key': {
    agent: {
      ...AGENT,
      model: { ...OPENAI, fallbacks: [{ provider: 'anthropic', model: 'claude-3-5-haiku-latest' }] },
    },
  },
  'a custom provider without an address': { agent: { ...AGENT, model: OWN } },
  'a provider that is not supported': {
    agent: { ...AGENT, model: OPENAI },
    argv: ['--model', 'opnai/x'],
  },
  'an address that is not granted': {
    agent: { ...AGENT, model: { ...OWN, base_url: 'http://127.0.0.1:9/v1' } },
  },
  'a price ceiling that is too low': {
    agent: {
      ...AGENT,
      model: { fallbacks: [{ provider: 'openai', model: 'gpt-4o', max_cost_usd_per_1k_tokens: 0.000001 }] },
    },
    env: { OPENAI_API_KEY: 'any' },
  },
  'a budget in dollars for a model without a price': {
    agent: { ...AGENT, model: OWN },
    reached: true,
    argv: ['--budget', 'usd=1'],
  },
  'a deprecated agent': { agent: { ...AGENT, model: OWN }, top: { status: 'deprecated' }, reached: true },
  'a missing function at safety_level strict': {
    agent: {
      ...AGENT,
      model: OWN,
      compliance: { safety_level: 'strict' },
      tools: [{ name: 'refund', description: 'Refunds.', protocol: 'function' }],
    },
    reached: true,
  },
  'a missing capability at safety_level strict': {
    agent: {
      ...AGENT,
      model: OWN,
      compliance: { safety_level: 'strict' },
      required_capabilities: ['memory.graph'],
    },
    reached: true,
  },
  'encryption of personal data without a key': {
    agent: { ...AGENT, model: OWN, compliance: { pii_handling: 'encrypt' } },
    reached: true,
  },
  'a region that no route keeps': {
    agent: { ...AGENT, model: OPENAI, compliance: { data_residency: 'EU' } },
    env: { OPENAI_API_KEY: 'any' },
  },
  'a required signature': {
    agent: { ...AGENT, model: OWN },
    reached: true,
    argv: ['--config', 'signed.yaml'],
  },
  'a prompt that is longer than every context window': {
    agent: { ...AGENT, instructions: 'word '.repeat(3000), model: OWN },
    reached: true,
    argv: ['--config', 'small.yaml'],
  },
  'memory, and no model': {
    agent: { ...AGENT, model: OPENAI, memory: [{ scope: 'task', content: 'Tea.' }] },
  },
  'a pipeline whose step does not exist': { agent: { ...pipeline, model: OWN }, reached: true },
  'a pipeline whose first step has no model': {
    agent: pipeline,
    files: { 'helper.json': member({ model: OPENAI }) },
  },
  'a swarm whose workers have no model': {
    agent: { ...AGENT, model: OWN, orchestration: { parallel_execution: true, subagents: [step] } },
    files: { 'helper.json': member({ model: OPENAI }) },
  },
  'certificate authorities that cannot be read': {
    agent: { ...AGENT, model: OWN },
    reached: true,
    argv: ['--config', 'ca.yaml'],
  },
  'a tools module that is missing': {
    agent: { ...AGENT, model: OWN },
    reached: true,
    argv: ['--tools', 'gone.mjs'],
  },
  'a rule for a tool that does not exist': {
    agent: { ...AGENT, model: OWN },
    reached: true,
    argv: ['--yes', 'gone'],
  },
}

/** None of these prevents a run. */
const CONTROLS: Readonly<Record<string, Cause>> = {
  'a model that can be used': { agent: { ...AGENT, model: OWN }, reached: true },
  'a second route without its key': {
    agent: { ...AGENT, model: { ...OWN, fallbacks: [{ provider: 'openai', model: 'gpt-4o' }] } },
    reached: true,
  },
  'a missing function at safety_level standard': {
    agent: {
      ...AGENT,
      model: OWN,
      tools: [{ name: 'refund', description: 'Refunds.', protocol: 'function' }],
    },
    reached: true,
  },
  'a rehearsal without any key': { agent: { ...AGENT, model: OPENAI }, argv: ['--rehearse'] },
  'an input schema': {
    agent: { ...AGENT, model: OWN, io: { input_schema: { type: 'object', required: ['n'] } } },
    reached: true,
  },
  'an output schema behind a pipeline': {
    agent: { ...pipeline, model: OWN, io: { output_schema: { type: 'object', required: ['n'] } } },
    files: { 'helper.json': member() },
    reached: true,
  },
  'a condition on the input of a router': {
    agent: {
      ...AGENT,
      model: OWN,
      orchestration: {
        role: 'router',
        subagents: [{ ...step, when: { lang: 'cel', expr: 'input.n == 1' } }],
      },
    },
    files: { 'helper.json': member() },
    reached: true,
  },
}

function prepared(t: TestContext, { agent, top, files = {} }: Cause): Place {
  const place = new Place(t, definition(agent, '1', top))
  for (const [name, file] of Object.entries(files)) place.write(name, JSON.stringify(file))
  place.write('signed.yaml', 'signatures: { default: require }')
  place.write('small.yaml', 'models: { custom/x: { context_window: 100 } }')
  place.write('ca.yaml', 'ca_files: [gone.pem]')
  return place
}

describe('the verdict of waybill plan', () => {
  for (const [name, cause] of Object.entries(CAUSES))
    test(`exits with an error exactly when run sends no request: ${name}`, async (t) => {
      const place = prepared(t, cause)
      const { argv = [], env = {}, reached = false } = cause
      const flags = [...(reached ? model.flags : []), ...argv]
      const plan = await waybill(place, ['plan', 'agent.json', '--json', ...flags], { env })
      const ran = await waybill(place, ['run', 'agent.json', '--json', '--input', 'Go', ...flags], { env })
      assert.notEqual(ran.code, 0, ran.out)
      assert.equal(model.server.getRequests().length, 0)
      const said = JSON.parse(plan.out)
      const { error } = said
      assert.notEqual(error.code, 'DEFINITION_INVALID', error.message)
      assert.equal(plan.code, said.plan_hash === undefined ? ran.code : 1, plan.out)
      if (said.plan_hash !== undefined) assert.equal(said.ok, false)
      assert.equal(error.code, JSON.parse(ran.out).error.code)
      const text = await waybill(place, ['plan', 'agent.json', ...flags], { env })
      assert.equal(text.code, plan.code)
      if (said.plan_hash !== undefined) assert.match(text.out, /A run would (?:be refused|fail)/)
    })

  for (const [name, cause] of Object.entries(CONTROLS))
    test(`exits with 0: ${name}`, async (t) => {
      const place = prepared(t, cause)
      const flags = [...(cause.reached === true ? model.flags : []), ...(cause.argv ?? [])]
      const { code, out } = await waybill(place, ['plan', 'agent.json', '--json', ...flags])
      assert.equal(code, 0, JSON.stringify(JSON.parse(out).error))
      assert.equal(JSON.parse(out).ok, true)
    })
})

describe('waybill plan --assume-secret', () => {
  const openai = { agent: { ...AGENT, model: OPENAI } }

  test('plans as if the key were set, and names what was assumed', async (t) => {
    const place = prepared(t, openai)
    const argv = ['plan', 'agent.json', '--assume-secret', 'OPENAI_API_KEY']
    const text = await waybill(place, argv)
    assert.equal(text.code, 0, text.out)
    assert.match(text.out, /OPENAI_API_KEY assumed to be set/)
    const json = JSON.parse((await waybill(place, [...argv, '--json'])).out)
    assert.deepEqual(json.assumed_secrets, [{ name: 'OPENAI_API_KEY', needed: true }])
    const real = await waybill(place, ['plan', 'agent.json', '--json'], { env: { OPENAI_API_KEY: 'k' } })
    assert.equal(json.plan_hash, JSON.parse(real.out).plan_hash, 'the plan is that of the real key')
  })

  test('a name that the plan does not need is reported, and does not help', async (t) => {
    const { code, out } = await waybill(prepared(t, openai), [
      'plan',
      'agent.json',
      '--assume-secret',
      'OPENAI_KEY',
    ])
    assert.equal(code, 1)
    assert.match(out, /OPENAI_KEY assumed to be set, but not needed/)
  })

  test('the secret of a tool and the key for personal data can be assumed', async (t) => {
    const place = prepared(t, {
      agent: {
        ...AGENT,
        model: OWN,
        compliance: { pii_handling: 'encrypt', safety_level: 'strict' },
        tools: [
          {
            name: 'look',
            description: 'Looks.',
            protocol: 'http',
            endpoint: 'https://crm.example/look',
            auth: { type: 'bearer', env_var: 'CRM_KEY' },
          },
        ],
      },
    })
    place.write('config.yaml', 'pii: { key_env: PII_KEY }')
    const flags = [
      ...model.flags,
      ...['--config', 'config.yaml', '--allow-host', 'crm.example', '--allow-secret', 'CRM_KEY@crm.example'],
    ]
    const bare = await waybill(place, ['plan', 'agent.json', '--json', ...flags])
    assert.equal(bare.code, 1)
    const assumed = ['--assume-secret', 'CRM_KEY', '--assume-secret', 'PII_KEY']
    const { code, out } = await waybill(place, ['plan', 'agent.json', '--json', ...flags, ...assumed])
    assert.equal(code, 0, JSON.stringify(JSON.parse(out).error))
  })

  test('a value in place of a name is refused and not repeated', async (t) => {
    const place = prepared(t, openai)
    const { code, err } = await waybill(place, ['plan', 'agent.json', '--assume-secret', 'sk-live-71-zebra'])
    assert.equal(code, 2)
    assert.match(err, /name of an environment variable/)
    assert.doesNotMatch(err, /zebra/)
  })
})

test('a judge that cannot be used is named with the reason and its hint, also if it was given', async (t) => {
  const place = new Place(t, {
    ...DEFINITION,
    agent: { ...DEFINITION.agent, constraints: ['Be kind to every customer.'] },
  })
  const reasonOf = async (...argv: readonly string[]) => {
    const { out } = await waybill(place, ['plan', 'agent.json', '--json', ...argv])
    const { degradations } = JSON.parse(out) as {
      readonly degradations: readonly { readonly path: string; readonly reason: string }[]
    }
    return degradations.find(({ path }) => path === '/agent/constraints/0')?.reason
  }
  assert.match(
    (await reasonOf('--judge', 'openai/gpt-4o')) ?? '',
    /^the judge openai\/gpt-4o cannot be used \(OPENAI_API_KEY is not set\), so .*; set it with `export OPENAI_API_KEY/,
  )
  assert.match((await reasonOf()) ?? '', /^no judge model is configured, so .*; add --judge PROVIDER\/MODEL$/)
  assert.equal(await reasonOf('--judge', 'openai/gpt-4o', '--assume-secret', 'OPENAI_API_KEY'), undefined)
})
