import assert from 'node:assert/strict'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { describe, type TestContext, test } from 'node:test'
import { WebSocketServer } from 'ws'
import type { HostGrant } from '../../../src/policy/endpoint-gate.ts'
import { loopback, rawServer } from '../model-fixture.ts'
import { failure, openTools } from './opening.ts'

const TOKEN = 'lantern-mosaic-71'
const auth = { type: 'bearer', secret: 'OFFICE_TOKEN' } as const

interface Message {
  readonly id?: number
  /** Absent if there was no body. */
  readonly method?: string
  readonly params: { readonly name?: string; readonly protocolVersion?: string }
}

/** A minimal MCP server over HTTP, which answers 401 without the token if it requires one. */
async function office(t: TestContext, choices: { wants?: string; forgets?: boolean } = {}) {
  let session = 0
  const server = await rawServer(t, (response, { body, headers }) => {
    const say = (status: number, value?: unknown, more: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...more })
      response.end(value === undefined ? '' : JSON.stringify(value))
    }
    if (choices.wants !== undefined && headers.authorization !== `Bearer ${choices.wants}`)
      return say(401, { error: `not with ${headers.authorization}` })
    const message = body as unknown as Message
    if (message.method === undefined) return say(405)
    const result = (value: unknown, more?: Record<string, string>) =>
      say(200, { jsonrpc: '2.0', id: message.id, result: value }, more)
    if (message.id === undefined) return say(202)
    if (message.method === 'initialize') {
      session += 1
      const { protocolVersion } = message.params
      const hello = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
      return result(hello, { 'mcp-session-id': `s${session}` })
    }
    if (message.method === 'server/discover')
      return say(200, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'unknown' } })
    if (message.method === 'tools/list')
      return result({ tools: [{ name: 'send', inputSchema: { type: 'object' } }] })
    if (choices.forgets === true && headers['mcp-session-id'] === 's1') return say(404)
    if (message.params.name === 'gateway') return say(504)
    if (message.params.name === 'broken') return say(400, { error: `bad ${headers.authorization}` })
    return result({ content: [{ type: 'text', text: `sent in ${headers['mcp-session-id']}` }] })
  })
  return { url: `${server.url}/mcp`, seen: server.seen }
}

describe('MCP servers at an address', () => {
  test('AAIF-12-02: an address of a definition is not connected to before its host is granted', async (t) => {
    const { url, seen } = await office(t)
    const denied = openTools(t, {})
    const missed = await denied.mcp.discover({ name: 'x', endpoint: url })
    assert.ok(!missed.found)
    assert.equal(missed.rule, 'AAIF-12-02')
    assert.match(missed.reason, /--allow-host 127\.0\.0\.1/)
    const call = denied.call('send', {}, { binding: { url, tool: 'send' } })
    await assert.rejects(call, failure('ENDPOINT_ADDRESS_PRIVATE', 'unsent', /allow-host/))
    assert.equal(seen.length, 0)
    const granted = openTools(t, { grants: loopback })
    const found = await granted.mcp.discover({ name: 'x', endpoint: url })
    assert.deepEqual(found.found && found.tools[0]?.binding, { url, tool: 'send' })
    assert.match(String(await granted.call('send', {}, { binding: { url, tool: 'send' } })), /^sent in s\d/)
  })

  test("a tool's credential is sent to the host that it was granted for, and to no other", async (t) => {
    const { url, seen } = await office(t, { wants: TOKEN })
    const servers = { office: { url } }
    const env = { OFFICE_TOKEN: TOKEN }
    const reasonOf = async (options: object) => {
      const found = await openTools(t, { servers, ...options }).mcp.discover({
        name: 'x',
        endpoint: 'mcp://office',
        auth,
      })
      return found.found ? 'found' : `${found.rule} ${found.reason}`
    }
    assert.match(await reasonOf({ env }), /AAIF-12-02 .*OFFICE_TOKEN may not be sent/)
    assert.match(
      await reasonOf({ env, secretGrants: [{ name: 'OFFICE_TOKEN', host: 'else.example' }] }),
      /may not be sent/,
    )
    const secretGrants = [{ name: 'OFFICE_TOKEN', host: '127.0.0.1' }]
    assert.match(await reasonOf({ env: {}, secretGrants }), /AAIF-4\.4-11 .*OFFICE_TOKEN is not set/)
    assert.equal(seen.length, 0)
    assert.equal(await reasonOf({ env, secretGrants }), 'found')
    const { call } = openTools(t, { servers, env, secretGrants })
    assert.match(String(await call('send', {}, { auth })), /^sent/)
  })

  test('the message of a server that refuses a credential does not reveal it', async (t) => {
    const { url } = await office(t, { wants: 'another' })
    const options = {
      servers: { office: { url } },
      env: { OFFICE_TOKEN: TOKEN },
      secretGrants: [{ name: 'OFFICE_TOKEN', host: '127.0.0.1' }],
    }
    const found = await openTools(t, options).mcp.discover({ name: 'x', endpoint: 'mcp://office', auth })
    assert.ok(!found.found && !found.reason.includes(TOKEN), JSON.stringify(found))
    await assert.rejects(
      openTools(t, options).call('send', {}, { auth }),
      (error: Error) => !error.message.includes(TOKEN),
    )
  })

  test('statuses of a call: refused, unknown, and a lost session', async (t) => {
    const { url } = await office(t)
    const { call } = openTools(t, { servers: { office: { url } } })
    await assert.rejects(call('broken'), failure('MCP_CALL_REFUSED', 'answered', /400/))
    await assert.rejects(call('gateway'), failure('MCP_CALL_REFUSED', 'unknown', /504/))
    const forgetful = await office(t, { forgets: true })
    const again = openTools(t, { servers: { office: { url: forgetful.url } } })
    assert.equal(await again.call('send'), 'sent in s2')
  })

  test('a name that resolves to an internal address is not connected to, also over a WebSocket', async (t) => {
    const name = hostname().toLowerCase()
    const resolved = await lookup(name).catch(() => undefined)
    if (resolved === undefined) return t.skip('needs a machine that resolves its own name')
    const server = new WebSocketServer({ port: 0 })
    await once(server, 'listening')
    let connected = 0
    server.on('connection', () => {
      connected += 1
    })
    t.after(() => server.close())
    const { port } = server.address() as { port: number }
    // Granted as a public host, but its address is not public.
    const host: HostGrant = { host: name, private: false, source: 'config' }
    for (const scheme of ['ws', 'http']) {
      const { mcp } = openTools(t, { grants: { hosts: [host] } })
      const found = await mcp.discover({ name: 'x', endpoint: `${scheme}://${name}:${port}/` })
      assert.ok(!found.found)
      assert.match(found.reason, /private or loopback/, scheme)
    }
    assert.equal(connected, 0)
  })
})
