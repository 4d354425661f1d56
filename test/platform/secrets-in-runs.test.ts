import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { platformAgents } from '../../src/compose/platform-agents.ts'
import { inOrganisation } from '../../src/platform/database/tenant.ts'
import type { InstallationKey } from '../../src/platform/secrets/installation-key.ts'
import { OrganisationSecrets } from '../../src/platform/secrets/organisation-secrets.ts'
import { openBytes, sealBytes } from '../../src/platform/secrets/sealed-bytes.ts'
import { writeSealed } from '../../src/platform/secrets/secret-rows.ts'
import { allRows } from './all-rows.ts'
import { AGENT, definitionOf, json, organisations } from './organisation.ts'

interface Received {
  readonly path: string
  readonly authorization: string | undefined
}

const MODEL_OF_OPERATOR = 'sk-of-the-operator-Zr81mQpL0sVt'
const TOOL_OF_OPERATOR = 'crm-of-the-operator-Wn44kXbT2dJh'

/** A model that calls the tool `lookup` once, and the tool, which answers with the credential that it received. */
async function service(t: TestContext) {
  const received: Received[] = []
  const hooks: { onModel?: () => Promise<void> } = {}
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { authorization } = request.headers
    received.push({ path: request.url ?? '', authorization })
    response.setHeader('content-type', 'application/json')
    if (request.url === '/tool') return response.end(JSON.stringify({ received: authorization }))
    await hooks.onModel?.()
    const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as {
      messages: { role: string; content: unknown }[]
    }
    const last = messages.at(-1)
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'lookup', arguments: '{}' },
    }
    const message =
      last?.role === 'tool'
        ? { role: 'assistant', content: `seen: ${String(last.content)}` }
        : { role: 'assistant', content: null, tool_calls: [call] }
    const finish_reason = last?.role === 'tool' ? 'stop' : 'tool_calls'
    const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 }
    response.end(
      JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message, finish_reason }],
        usage,
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, received, hooks }
}

/** A key in memory. */
function memoryKey(): InstallationKey {
  const key = randomBytes(32)
  return {
    wrap: async (own, binding) => ({ wrapped_by: 'k', wrapped: sealBytes(key, own, binding) }),
    unwrap: async ({ wrapped }, binding) => openBytes(key, wrapped, binding, 'a key'),
    renew: async () => 'k',
    dropOlder: async () => {},
  }
}

/** The organisations `a`, which may use the environment, and `b`, with the same agent and their own secrets. */
async function world(t: TestContext) {
  const { test, all, closeFirst } = await organisations(t, ['a', 'b'])
  const { database } = test
  const { port, received, hooks } = await service(t)
  const key = memoryKey()
  const environment: Record<string, string> = {
    OPENAI_API_KEY: MODEL_OF_OPERATOR,
    CRM_KEY: TOOL_OF_OPERATOR,
  }
  const secrets = new OrganisationSecrets({
    pool: database.app,
    key,
    environment: { has: (name) => name in environment, get: async (name) => environment[name] },
    mayUse: (org) => org === 'a',
    ageMs: 0,
  })
  await database.engine.query(
    `INSERT INTO waybill.workers (worker, until, queues) VALUES ('w', now() + interval '1 hour', '{}')`,
  )
  const homes = new Map(
    all.map((one) => {
      const own = { secrets: secrets.of(one.name) }
      return [one.name, { request: { ...one.home, ...own }, worker: { ...one.workerHome('w'), ...own } }]
    }),
  )
  const homeOf = (kind: 'request' | 'worker') => (org: string) => {
    const home = homes.get(org)
    if (home === undefined) throw new Error(org)
    return home[kind]
  }
  const config = {
    // Loopback addresses are allowed for providers only.
    providers: {
      openai: { base_urls: [`http://127.0.0.1:${port}/v1`] },
      mistral: { base_urls: [`http://127.0.0.2:${port}/v1`] },
    },
    tools: { lookup: { read_only: true } },
  }
  const options = { operator: { config, env: {} }, by: 'the platform' }
  const planner = platformAgents({ ...options, pool: database.app, homeOf: homeOf('request') })
  const worker = platformAgents({ ...options, pool: database.engine, homeOf: homeOf('worker') })
  closeFirst(async () => {
    await worker.close()
    await planner.close()
    for (const { worker: home } of homes.values()) await home.close()
  })
  const model = { provider: 'openai', preferred: 'gpt-4o', base_url: `http://127.0.0.1:${port}/v1` }
  const upload = async (toolHost = '127.0.0.1') => {
    const tool = {
      name: 'lookup',
      description: 'Looks something up.',
      protocol: 'http',
      endpoint: `http://${toolHost}:${port}/tool`,
      auth: { type: 'bearer', env_var: 'CRM_KEY' },
      parameters_schema: { type: 'object', properties: {} },
    }
    for (const one of all)
      await one.agentsFor().upload(json(definitionOf({ model, tools: [tool] })), 'application/json')
  }
  const plan = async (org: string, input = 'go') =>
    (
      await planner.newRun(
        { org, agent_id: AGENT, user: 'ann' },
        { type: 'run.started', input },
        { user: 'ann', on_behalf_of: 'bea' },
      )
    ).run
  return {
    database,
    port,
    received,
    hooks,
    upload,
    audit: async (org: string) =>
      (await homeOf('request')(org).audit.lines()).map((line) => JSON.parse(line).fact),
    set: (org: string, name: string, value: string, hosts: readonly string[] = ['127.0.0.1']) =>
      inOrganisation(database.app, org, (sql) =>
        writeSealed(sql, key, org, { name, value, hosts, by: 'ada' }),
      ),
    remove: (org: string, name: string) =>
      database.engine.query('DELETE FROM waybill.secrets WHERE org = $1 AND name = $2', [org, name]),
    plan,
    async drive(org: string, input?: string) {
      const run = await plan(org, input)
      const held = await homeOf('worker')(org).runs.create(run)
      const session = await (await worker.sessionsOf(org, held)).openHeld(held)
      const { result } = await session.drive()
      await session.close()
      return { ...result, run_id: run.header.run_id }
    },
  }
}

const credentials = (received: readonly Received[]) =>
  received.map(({ path, authorization }) => `${path === '/tool' ? 'tool' : 'model'} ${authorization}`)

describe('runs with secrets of their organisation', () => {
  it('use their own values, which appear in no record, and each use is audited once', async (t) => {
    const { upload, set, drive, received, audit, database } = await world(t)
    await upload()
    for (const org of ['a', 'b']) {
      await set(org, 'OPENAI_API_KEY', `sk-model-of-${org}-Hq73Lx0Pz9Rt`)
      await set(org, 'CRM_KEY', `crm-key-of-${org}-Yc58Vm2Ks1Wd`)
    }
    for (const org of ['a', 'b']) {
      received.length = 0
      const { status, output, run_id } = await drive(org, `my key is crm-key-of-${org}-Yc58Vm2Ks1Wd`)
      assert.equal(status, 'completed')
      const model = `model Bearer sk-model-of-${org}-Hq73Lx0Pz9Rt`
      assert.deepEqual(credentials(received), [model, `tool Bearer crm-key-of-${org}-Yc58Vm2Ks1Wd`, model])
      assert.match(String(output), /seen: .*\[secret CRM_KEY\]/)
      const used = (await audit(org)).filter(({ kind }) => kind === 'secret.used')
      assert.deepEqual(
        used.map(({ at, kind, ...whose }) => whose),
        ['OPENAI_API_KEY', 'CRM_KEY'].map((secret) => ({
          run_id,
          agent_id: AGENT,
          user: 'ann',
          on_behalf_of: 'bea',
          secret,
        })),
      )
    }
    const usedAt = async () =>
      (await database.engine.query('SELECT used_at FROM waybill.secrets')).rows.map(({ used_at }) => used_at)
    for (let tries = 0; (await usedAt()).includes(null) && tries < 200; tries++);
    assert.equal((await usedAt()).filter((at) => at !== null).length, 4)
    const rows = await allRows(database.engine)
    assert.match(rows, /my key is \[secret CRM_KEY\]/)
    for (const value of ['Hq73Lx0Pz9Rt', 'Yc58Vm2Ks1Wd']) assert.equal(rows.includes(value), false)
  })

  it('use a changed value without a restart, also in the middle of a run', async (t) => {
    const { upload, set, drive, received, hooks, database } = await world(t)
    await upload()
    await set('b', 'OPENAI_API_KEY', 'sk-model-key-Hq73Lx0Pz9Rt')
    await set('b', 'CRM_KEY', 'crm-first-Yc58Vm2Ks1Wd')
    await drive('b')
    hooks.onModel = async () => {
      hooks.onModel = async () => {}
      await set('b', 'CRM_KEY', 'crm-second-Tg09Bn6Fe3Ua')
    }
    const { output } = await drive('b')
    await drive('b')
    assert.deepEqual(
      credentials(received).filter((one) => one.startsWith('tool')),
      [
        'tool Bearer crm-first-Yc58Vm2Ks1Wd',
        'tool Bearer crm-second-Tg09Bn6Fe3Ua',
        'tool Bearer crm-second-Tg09Bn6Fe3Ua',
      ],
    )
    assert.match(String(output), /\[secret CRM_KEY\]/)
    const rows = await allRows(database.engine)
    for (const value of ['Yc58Vm2Ks1Wd', 'Tg09Bn6Fe3Ua']) assert.equal(rows.includes(value), false)
  })

  it('of an organisation that may not use the environment have no key of it; another one has', async (t) => {
    const { upload, plan } = await world(t)
    await upload()
    const [own, theirs] = [await plan('a'), await plan('b')]
    assert.deepEqual([own.plan.models[0]?.eligible, own.plan.models[0]?.key], [true, 'OPENAI_API_KEY'])
    assert.deepEqual([theirs.plan.models[0]?.eligible, theirs.plan.models[0]?.key], [false, undefined])
    assert.equal(theirs.plan.models[0]?.reason_code, 'MODEL_KEY_MISSING')
  })

  it('send nothing to a host that the secret is not for', async (t) => {
    const { upload, set, plan, drive, port, received } = await world(t)
    await upload('127.0.0.2')
    await set('b', 'OPENAI_API_KEY', 'sk-model-key-Hq73Lx0Pz9Rt', ['127.0.0.2'])
    await set('b', 'CRM_KEY', 'crm-first-Yc58Vm2Ks1Wd', [`127.0.0.1`, `127.0.0.2:${port + 1}`])
    const { models, tools } = (await plan('b')).plan
    assert.equal(models[0]?.eligible, false)
    assert.equal(tools[0]?.gate, 'deny')
    assert.match(tools[0]?.reason ?? '', /not granted to 127.0.0.2/)
    assert.notEqual((await drive('b')).status, 'completed')
    assert.deepEqual(received, [])
    await set('b', 'CRM_KEY', 'crm-first-Yc58Vm2Ks1Wd', [`127.0.0.2:${port}`])
    assert.equal((await plan('b')).plan.tools[0]?.gate, 'allow')
  })

  it('never send the secret of the environment to a host that only the organisation has named', async (t) => {
    const { upload, set, remove, drive, received, hooks } = await world(t)
    await upload()
    await set('a', 'CRM_KEY', 'crm-first-Yc58Vm2Ks1Wd')
    hooks.onModel = async () => {
      await remove('a', 'CRM_KEY')
    }
    const { output } = await drive('a')
    assert.match(String(output), /SECRET_MISSING|CRM_KEY is not set/)
    assert.deepEqual(
      received.filter(({ path }) => path === '/tool'),
      [],
    )
  })
})
