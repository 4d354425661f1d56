import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import {
  type AgentDefinition,
  type Extension,
  type JsonObject,
  planRun,
  type RunEvent,
  type RunOptions,
  run,
  type Secrets,
} from 'waybill'
import type { ToolServices } from 'waybill/ports'
import { scriptedModel } from 'waybill/testing'
import { slowSecrets } from '../contract/slow-secrets.ts'

const FIRST = 'zebra-quartz-71-lantern'
const SECOND = 'mosaic-anvil-38-harbour'
const PII_KEY = Buffer.alloc(32, 7).toString('base64')

function agent(members: JsonObject): AgentDefinition {
  return {
    sc_standard: 'SC-006',
    agent_id: '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a11',
    agent: { name: 'Clerk', goal: 'Help.', model: { provider: 'openai', preferred: 'gpt-4o' }, ...members },
  } as unknown as AgentDefinition
}

const depot = (endpoint: string, env_var = 'DEPOT_TOKEN', more: JsonObject = {}): JsonObject => ({
  name: 'depot',
  description: 'The depot.',
  protocol: 'http',
  endpoint,
  auth: { type: 'bearer', env_var },
  parameters_schema: { type: 'object' },
  ...more,
})

/** A server that returns every credential that it receives: with 200 first, then with 400. */
async function echo(t: TestContext) {
  const sent: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const { authorization } = request.headers
    sent.push(authorization)
    const token = authorization?.split(' ')[1] ?? ''
    response.writeHead(sent.length === 1 ? 200 : 400, { 'content-type': 'text/plain' })
    response.end(`you sent ${token}, which is ${Buffer.from(token).toString('base64')}`)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  t.after(() => server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `http://${host}/`, host, sent }
}

const TWICE = () =>
  scriptedModel([{ calls: [{ tool: 'depot', args: {} }] }, { calls: [{ tool: 'depot', args: {} }] }, 'Done.'])

/** Runs an agent whose secret is replaced after the first tool call. */
async function rotated(t: TestContext, members: (url: string) => JsonObject, more: Partial<RunOptions> = {}) {
  const { url, host, sent } = await echo(t)
  const store = slowSecrets({ OPENAI_API_KEY: 'x', DEPOT_TOKEN: FIRST })
  const events: RunEvent[] = []
  const shown: string[] = []
  const result = await run(agent(members(url)), {
    env: {},
    secrets: store.secrets,
    allowHosts: [host],
    allowSecrets: [`DEPOT_TOKEN@${host}`],
    modelPort: TWICE(),
    input: 'Go.',
    onEvent: (event) => {
      events.push(event)
      if (sent.length === 1) store.set('DEPOT_TOKEN', SECOND)
    },
    onText: (text) => shown.push(text),
    ...more,
  })
  return { result, events, shown, sent }
}

function assertNowhere(value: unknown): void {
  const text = JSON.stringify(value)
  for (const secret of [FIRST, SECOND])
    for (const form of [secret, Buffer.from(secret).toString('base64')]) assert.ok(!text.includes(form), form)
}

describe('secrets of an asynchronous store', () => {
  test('the plan is the same as with environment variables', async () => {
    const values = {
      OPENAI_API_KEY: 'k1',
      ANTHROPIC_API_KEY: '',
      DEPOT_TOKEN: FIRST,
      COLLECTOR: 'c',
      MY_PII_KEY: PII_KEY,
    }
    const clerk = agent({
      model: {
        provider: 'openai',
        preferred: 'gpt-4o',
        fallbacks: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }],
      },
      tools: [
        depot('https://depot.example/'),
        depot('https://depot.example/', 'OTHER_TOKEN', { name: 'other' }),
        depot('https://depot.example/', 'UNGRANTED', { name: 'ungranted' }),
      ],
      memory: [{ scope: 'task', key: 'boss', content: 'Ask ada@parcels.example.' }],
      compliance: { pii_handling: 'encrypt' },
    })
    const options = {
      allowHosts: ['depot.example'],
      allowSecrets: ['DEPOT_TOKEN@depot.example', 'OTHER_TOKEN@depot.example'],
      pii: { key_env: 'MY_PII_KEY' },
    }
    const wanted = await planRun(clerk, { ...options, env: values })
    assert.deepEqual(
      wanted.tools.slice(0, 3).map(({ gate, reason }) => [gate, reason?.split(' ')[0]]),
      [
        ['allow', undefined],
        ['deny', 'OTHER_TOKEN'],
        ['deny', 'the'],
      ],
    )
    assert.deepEqual(
      wanted.models.map(({ eligible, key }) => [eligible, key]),
      [
        [true, 'OPENAI_API_KEY'],
        [false, undefined],
      ],
    )
    assert.match(wanted.memory[0]?.content ?? '', /pii:v2:/)
    const store = slowSecrets(values)
    assert.deepEqual(await planRun(clerk, { ...options, env: {}, secrets: store.secrets }), wanted)
    assert.deepEqual(
      store.asked.filter((each) => each.startsWith('get')),
      ['get MY_PII_KEY'],
      'planning fetches no other value',
    )

    const unsealed = slowSecrets(values)
    await planRun(agent({}), { ...options, env: {}, secrets: unsealed.secrets })
    assert.deepEqual(unsealed.asked, ['has OPENAI_API_KEY'], 'an agent that seals nothing needs no key')

    for (const [key, code] of [
      ['too short', 'PII_KEY_INVALID'],
      ['', 'PII_KEY_MISSING'],
    ] as const) {
      const { secrets } = slowSecrets({ ...values, MY_PII_KEY: key })
      const plan = await planRun(clerk, { ...options, env: {}, secrets })
      assert.deepEqual(
        plan.refusals.map((refusal) => refusal.code),
        [code],
      )
    }
  })

  test('a value that changes between two calls is sent, and neither value is in any event, error or text', async (t) => {
    const { result, events, shown, sent } = await rotated(t, (url) => ({ tools: [depot(url)] }))
    assert.deepEqual(sent, [`Bearer ${FIRST}`, `Bearer ${SECOND}`])
    assert.equal(result.status, 'completed')
    const text = JSON.stringify(events)
    assert.match(text, /you sent \[secret DEPOT_TOKEN\], which is \[secret DEPOT_TOKEN\]/)
    assert.match(text, /400/, 'the error of the second call is on record')
    assertNowhere([result, events, shown])
  })

  test('the same applies to an extension, whatever it does with the value', async (t) => {
    const tokens: (string | undefined)[] = []
    const call = async ({ secret, fetch }: ToolServices, endpoint: string) => {
      const auth = { type: 'bearer', secret: 'DEPOT_TOKEN' } as const
      const headers = new Headers()
      const token = await secret({ name: 'depot', auth }, new URL(endpoint), headers)
      tokens.push(token)
      const response = await fetch(endpoint, { headers })
      if (!response.ok) throw new Error(`refused ${token}: ${await response.text()}`)
      return { token: token ?? null, said: await response.text() }
    }
    const extension: Extension = {
      name: 'parcels',
      toolProtocols: {
        parcel: {
          reach: 'host',
          open: (services) => ({ call: async ({ tool }) => call(services, tool.endpoint ?? '') }),
        },
      },
    }
    const { result, events, shown } = await rotated(
      t,
      (url) => ({ tools: [depot(url, 'DEPOT_TOKEN', { protocol: 'parcel' })] }),
      { extensions: [extension] },
    )
    assert.deepEqual(tokens, [FIRST, SECOND])
    assertNowhere([result, events, shown])
  })

  test('personal data is sealed with the key of the store', async () => {
    const store = slowSecrets({ OPENAI_API_KEY: 'x', MY_PII_KEY: PII_KEY })
    const events: RunEvent[] = []
    const result = await run(agent({ compliance: { pii_handling: 'encrypt' } }), {
      env: {},
      secrets: store.secrets,
      pii: { key_env: 'MY_PII_KEY' },
      modelPort: scriptedModel(['Noted.']),
      input: 'I am ada@parcels.example.',
      onEvent: (event) => events.push(event),
    })
    assert.equal(result.status, 'completed')
    assert.match(JSON.stringify(events), /pii:v2:/)
    assert.doesNotMatch(JSON.stringify(events), /ada@parcels/)
  })

  test('a value is known before the first event is recorded, also if it is never used', async () => {
    const store = slowSecrets({ OPENAI_API_KEY: FIRST })
    const events: RunEvent[] = []
    await run(agent({}), {
      env: {},
      secrets: store.secrets,
      modelPort: scriptedModel(['Fine.']),
      input: `My key is ${FIRST}.`,
      onEvent: (event) => events.push(event),
    })
    assert.match(JSON.stringify(events), /My key is \[secret OPENAI_API_KEY\]/)
    assertNowhere(events)
  })
})

describe('a store of secrets that fails', () => {
  /** Works until a value was fetched that many times, then fails with an error that quotes a value. */
  const failing = (works: number, how: 'has' | 'get' = 'get'): Secrets => {
    const { secrets } = slowSecrets({ OPENAI_API_KEY: 'x', DEPOT_TOKEN: FIRST })
    let left = works
    const ask = <T>(what: 'has' | 'get', name: string, answer: () => T): T | Promise<never> =>
      what === how && name === 'DEPOT_TOKEN' && left-- <= 0
        ? Promise.reject(new Error(`the vault is sealed for ${FIRST}`))
        : answer()
    return {
      has: (name) => ask('has', name, () => secrets.has(name)),
      get: (name) => ask('get', name, () => secrets.get(name)),
    }
  }
  const optionsFor = (secrets: Secrets, host: string): RunOptions => ({
    env: {},
    secrets,
    allowHosts: [host],
    allowSecrets: [`DEPOT_TOKEN@${host}`],
    modelPort: TWICE(),
    input: 'Go.',
  })

  test('planning and opening a run end with SECRET_UNAVAILABLE', async (t) => {
    const { url, host, sent } = await echo(t)
    const clerk = agent({ tools: [depot(url)] })
    const unavailable = { code: 'SECRET_UNAVAILABLE', message: /the secret DEPOT_TOKEN cannot be fetched/ }
    await assert.rejects(planRun(clerk, optionsFor(failing(0, 'has'), host)), unavailable)
    await assert.rejects(run(clerk, optionsFor(failing(0), host)), unavailable)
    assert.deepEqual(sent, [])
  })

  test('a call during the run fails before it is sent, without a value in its message', async (t) => {
    const { url, host, sent } = await echo(t)
    const events: RunEvent[] = []
    const result = await run(agent({ tools: [depot(url)] }), {
      ...optionsFor(failing(1), host),
      onEvent: (event) => events.push(event),
    })
    assert.equal(result.status, 'completed')
    assert.deepEqual(sent, [])
    assert.match(JSON.stringify(events), /"SECRET_UNAVAILABLE"/)
    assert.match(JSON.stringify(events), /the vault is sealed for \[secret DEPOT_TOKEN\]/)
    assertNowhere(events)
  })
})
