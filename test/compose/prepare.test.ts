import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { hostFacts } from '../../src/compose/host-facts.ts'
import type { Parts } from '../../src/compose/parts.ts'
import { type Places, preparationOf } from '../../src/compose/preparation.ts'
import { grantHosts, prepare, prepareToAsk } from '../../src/compose/prepare.ts'
import { readFamily } from '../../src/compose/read-family.ts'
import { resolveFamily } from '../../src/compose/resolve-family.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { partsFromOptions } from '../../src/library/options.ts'
import type { McpProcess } from '../../src/plan/operator-settings.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { planFamily } from '../../src/plan/plan-family.ts'
import { parseHostGrant } from '../../src/policy/endpoint-gate.ts'
import { lockFileOf } from '../../src/resolve/tool-lock-file.ts'
import type { AgentDefinition } from '../../src/spec/aaif/generated/agent.ts'
import { scripted } from '../adapters/mcp/opening.ts'
import { slowSecrets } from '../contract/slow-secrets.ts'
import { agent, folderOf } from '../run/family.ts'

/** A host on this machine, and the paths that were requested, in order. */
interface Host {
  readonly name: string
  readonly url: string
  readonly requests: string[]
}

/** Answers with an MCP server at `/mcp`, no page at `/missing`, an agent at `/agent`, an API at `/api`, else a text. */
async function host(t: TestContext): Promise<Host> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const { url = '' } = request
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      if (url === '/mcp')
        return answerMcp(request.method === 'POST' ? JSON.parse(body) : {}, requests, response)
      requests.push(url)
      if (url === '/missing') response.statusCode = 404
      const { port } = server.address() as AddressInfo
      response.end(
        url === '/agent' ? JSON.stringify(far(port)) : url === '/api' ? api(port) : `text of ${url}`,
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const name = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { name, url: `http://${name}`, requests }
}

/** An agent whose own text is at the same host. */
function far(port: number): JsonObject {
  return agent('far', { context: [{ type: 'url', value: `http://127.0.0.1:${port}/own` }] })
}

function answerMcp(
  { id, method, params }: { readonly id?: number; readonly method?: string; readonly params?: JsonObject },
  requests: string[],
  response: ServerResponse,
): void {
  if (method === undefined) return void response.writeHead(405).end()
  if (id === undefined) return void response.writeHead(202).end()
  const say = (message: JsonObject) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...message }))
  if (method === 'tools/list') {
    requests.push('tools/list')
    return void say({
      result: { tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }] },
    })
  }
  if (method !== 'initialize') return void say({ error: { code: -32601, message: 'no such method' } })
  say({
    result: {
      protocolVersion: params?.protocolVersion ?? '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '1' },
    },
  })
}

function api(port: number): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    servers: [{ url: `http://127.0.0.1:${port}` }],
    paths: { '/things': { get: { operationId: 'list', responses: { 200: { description: 'ok' } } } } },
  })
}

const tool = (name: string, protocol: string, endpoint: string): JsonObject => ({
  name,
  description: name,
  protocol,
  endpoint,
  ...(protocol === 'http' && { parameters_schema: { type: 'object' } }),
})

interface Site {
  readonly definition: AgentDefinition
  readonly parts: Parts
  readonly places: Places
}

async function siteOf(
  t: TestContext,
  [root, ...others]: readonly [JsonObject, ...JsonObject[]],
  options: { readonly allowHosts?: readonly string[]; readonly mcpServers?: Record<string, McpProcess> } = {},
): Promise<Site> {
  const folder = folderOf(t, [root, ...others])
  const env = { OPENAI_API_KEY: 'k', PATH: process.env.PATH }
  return {
    definition: root as unknown as AgentDefinition,
    parts: await partsFromOptions('openai', undefined, undefined, { env, ...options }),
    places: {
      folder,
      file: join(folder, 'root.json'),
      lock: lockFileOf(join(folder, 'root.json')),
      pin: true,
    },
  }
}

/** The grant that a person gives at the terminal, for a host of this machine. */
const granted = ({ name }: Host) => ({ ...parseHostGrant(name, 'flag'), bound: true as const })

const toolsOf = ([root]: readonly Plan[]) => (root?.tools ?? []).map(({ name, gate }) => `${name} ${gate}`)

describe('preparing a family in steps', () => {
  test('each step makes its data from those of the step before: read, resolve, facts, plan', async (t) => {
    const own = await host(t)
    const root = agent('root', {
      tools: [tool('api', 'openapi', `${own.url}/api`)],
      context: [{ type: 'url', value: `${own.url}/page` }],
      constraints: ['Be brief.'],
      orchestration: { subagents: [{ ref: 'helper', alias: 'helper' }] },
    })
    const { definition, parts, places } = await siteOf(t, [root, agent('helper')], { allowHosts: [own.name] })
    const preparation = await preparationOf(definition, parts, places)

    const members = await readFamily(preparation)
    assert.deepEqual(
      members.map((member) => member.definition.agent.name),
      ['root', 'helper'],
    )
    assert.deepEqual(own.requests, [], 'definitions of a folder are read without the network')

    const resolved = await resolveFamily(members, preparation)
    assert.deepEqual(own.requests.toSorted(), ['/api', '/page'])
    const [first, second] = resolved.snapshots
    assert.equal(first?.discovered.api?.found, true)
    assert.equal(second?.definition.agent.name, 'helper')

    const { facts, answers } = await hostFacts(members, preparation)
    assert.equal(facts.hasSecret('OPENAI_API_KEY'), true)
    assert.equal(await answers.settle(), false)

    const { settings } = preparation.parts
    const plans = planFamily(resolved.snapshots, settings, facts)
    assert.deepEqual(plans, planFamily(structuredClone(resolved.snapshots), settings, facts))
    assert.deepEqual(toolsOf(plans), ['api allow', 'ask_helper allow'])
    assert.deepEqual(
      plans.map(({ constraints }) => constraints.map(({ text }) => text)),
      [['Be brief.'], ['Be brief.']],
    )
    assert.equal(own.requests.length, 2, 'facts and plans need no network')
    assert.deepEqual((await prepare(definition, parts, places)).family, plans)
  })

  test('answers about secrets that take time are awaited between two plannings of the same data', async (t) => {
    const own = await host(t)
    const root = agent('root', { context: [{ type: 'url', value: `${own.url}/page` }] })
    const { definition, parts, places } = await siteOf(t, [root], { allowHosts: [own.name] })
    const { secrets, asked } = slowSecrets({ OPENAI_API_KEY: 'k' })
    const { family } = await prepare(definition, { ...parts, secrets }, places)
    assert.deepEqual(
      family[0]?.models.map(({ eligible }) => eligible),
      [true],
    )
    assert.deepEqual(asked, ['has OPENAI_API_KEY'])
    assert.deepEqual(own.requests, ['/page'])
  })
})

describe('planning again when a person has granted a host', () => {
  test('only what was refused for lack of the grant is fetched', async (t) => {
    const [known, asked] = [await host(t), await host(t)]
    const { server, log } = scripted(t, {
      tools: [{ name: 'note', description: 'N.', inputSchema: { type: 'object' } }],
    })
    const root = agent('root', {
      tools: [
        tool('known_api', 'openapi', `${known.url}/api`),
        tool('known_mcp', 'mcp', `${known.url}/mcp`),
        tool('process', 'mcp', 'mcp://notes'),
        tool('asked_mcp', 'mcp', `${asked.url}/mcp`),
        tool('asked_api', 'openapi', `${asked.url}/api`),
      ],
      context: ['/page', '/missing'].flatMap((path) => [
        { type: 'url', value: known.url + path },
        { type: 'url', value: asked.url + path },
      ]),
      orchestration: {
        subagents: [
          { ref: 'helper', alias: 'helper' },
          { ref: `${known.url}/agent`, alias: 'far' },
        ],
      },
    })
    const helper = agent('helper', { context: [{ type: 'url', value: `${known.url}/helped` }] })
    const site = await siteOf(t, [root, helper], { allowHosts: [known.name], mcpServers: { notes: server } })
    const before = await prepareToAsk(site.definition, site.parts, site.places)
    const fetched = ['/agent', '/api', '/helped', '/missing', '/own', '/page', 'tools/list']
    assert.deepEqual(known.requests.toSorted(), fetched)
    assert.deepEqual(asked.requests, [])
    assert.deepEqual(log().filter((line) => line === 'listed').length, 1)

    const after = await grantHosts(before, [granted(asked)])
    assert.deepEqual(known.requests.toSorted(), fetched, 'nothing is fetched again, found or not')
    assert.deepEqual(log().filter((line) => line === 'listed').length, 1, 'no server is started again')
    assert.deepEqual(asked.requests.toSorted(), ['/api', '/missing', '/page', 'tools/list'])
    const [plan] = after.prepared.family
    assert.ok(plan?.system_prompt.includes('text of /page'))
    assert.deepEqual(
      plan?.degradations.map(({ path }) => path).filter((path) => path.startsWith('/agent/context')),
      ['/agent/context/2', '/agent/context/3'],
    )
    // The same plan as if the host had been granted from the start.
    const { settings } = site.parts
    const hosts = [...settings.grants.hosts, granted(asked)]
    const parts = { ...site.parts, settings: { ...settings, grants: { ...settings.grants, hosts } } }
    const whole = await prepare(site.definition, parts, { ...site.places, pin: false })
    assert.deepEqual(after.prepared.family, whole.family)
    assert.deepEqual(after.prepared.definitions, whole.definitions)
    const lock = JSON.parse(readFileSync(String(site.places.lock), 'utf8'))
    assert.deepEqual(Object.keys(lock.tools).toSorted(), [
      'asked_api',
      'asked_mcp',
      'known_api',
      'known_mcp',
      'process',
    ])
  })

  test('a tool of one address needs no request: the plan is made again from the same data', async (t) => {
    const [known, asked] = [await host(t), await host(t)]
    const root = agent('root', {
      tools: [tool('call', 'http', `${asked.url}/call`)],
      context: [{ type: 'url', value: `${known.url}/page` }],
    })
    const { definition, parts, places } = await siteOf(t, [root], { allowHosts: [known.name] })
    const before = await prepareToAsk(definition, parts, places)
    assert.deepEqual(toolsOf(before.prepared.family), ['call deny'])
    const after = await grantHosts(before, [granted(asked)])
    assert.deepEqual(toolsOf(after.prepared.family), ['call allow'])
    assert.deepEqual(after.resolved, before.resolved)
    assert.equal(after.host, before.host)
    assert.deepEqual([known.requests, asked.requests], [['/page'], []])
  })

  test('an agent at the host joins the family; its own references are not fetched with the grant', async (t) => {
    const asked = await host(t)
    const root = agent('root', {
      orchestration: {
        subagents: [
          { ref: 'helper', alias: 'helper' },
          { ref: `${asked.url}/agent`, alias: 'far' },
        ],
      },
    })
    const helper = agent('helper', { context: [{ type: 'url', value: `${asked.url}/helped` }] })
    const { definition, parts, places } = await siteOf(t, [root, helper])
    const before = await prepareToAsk(definition, parts, places)
    assert.equal(before.prepared.family.length, 2)
    const after = await grantHosts(before, [granted(asked)])
    assert.deepEqual(
      after.prepared.family.map(({ agent_name }) => agent_name),
      ['root', 'helper', 'far'],
    )
    assert.deepEqual(asked.requests, ['/agent'])
  })

  test('the grants choose among the servers of a document, which is not fetched again', async (t) => {
    const [known, first, second] = [await host(t), await host(t), await host(t)]
    const document = JSON.parse(api(0))
    document.servers = [{ url: first.url }, { url: second.url }]
    const page = createServer((_, response) => {
      known.requests.push('document')
      response.end(JSON.stringify(document))
    })
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
    t.after(() => page.close())
    const place = `127.0.0.1:${(page.address() as AddressInfo).port}`
    const root = agent('root', { tools: [tool('api', 'openapi', `http://${place}/api`)] })
    const { definition, parts, places } = await siteOf(t, [root], { allowHosts: [place] })
    const before = await prepareToAsk(definition, parts, places)
    assert.equal(before.prepared.program.plan.tools[0]?.endpoint, `${first.url}/things`)
    const after = await grantHosts(before, [granted(second)])
    assert.equal(after.prepared.program.plan.tools[0]?.endpoint, `${second.url}/things`)
    assert.deepEqual(known.requests, ['document'])
  })
})
