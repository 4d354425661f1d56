import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { DEFINITION, MailModel, Place, waybill } from '../cli/fixture.ts'

const SERVER = join(import.meta.dirname, '../adapters/mcp/silent-server.mjs')

/** A folder with an agent whose only tools are those of the MCP server `files`. */
function place(t: TestContext, server: object): Place {
  const at = new Place(t, {
    ...DEFINITION,
    agent: {
      name: 'Clerk',
      goal: 'Answer.',
      model: { provider: 'custom', provider_id: 'custom', preferred: 'x' },
      tools: [{ name: 'files', description: 'Files.', protocol: 'mcp', endpoint: 'mcp://files' }],
    },
  })
  at.write('config.yaml', JSON.stringify({ mcp_servers: { files: server } }))
  return at
}

const process_ = (...args: readonly string[]) => ({ command: process.execPath, args: [SERVER, ...args] })

async function http(t: TestContext, answer: RequestListener): Promise<{ readonly url: string }> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` }
}

async function silentSocket(t: TestContext): Promise<{ readonly url: string }> {
  const sockets = new Set<{ destroy(): void }>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` }
}

const LATE =
  /has not answered within 2 s; if it needs longer, set in the config: mcp_servers: \{ files: \{ start_timeout_seconds: N \} \}/

describe('MCP servers that do not answer', () => {
  const failures: Readonly<Record<string, readonly [(t: TestContext) => object | Promise<object>, RegExp]>> =
    {
      'a process that never answers': [() => process_('silent'), LATE],
      'a process that writes notes and never answers': [
        () => process_('notes'),
        /has not answered within 2 s.*; it wrote: waiting for the database at db\.example/,
      ],
      'a process that writes garbage': [
        () => process_('garbage'),
        /has not answered within 2 s.*its standard output is not MCP: Welcome to files 1\.0! Listening\.\.\./,
      ],
      'a process that exits with a message': [() => process_('exits'), /it wrote: files: no folder given/],
      'a process that answers after 5 s': [() => process_('slow', '5000'), LATE],
      'a process that never lists its tools': [() => process_('no-list'), LATE],
      'a socket that accepts and never answers': [silentSocket, LATE],
      'an HTTP server that never answers': [(t) => http(t, () => {}), LATE],
      'an HTTP server that answers with a web page': [
        (t) =>
          http(t, (_, response) => {
            response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Please log in</h1>')
          }),
        /returned no list of tools: .*text\/html/,
      ],
    }
  for (const [name, [server, reason]] of Object.entries(failures))
    test(`tools list and plan report ${name}`, async (t) => {
      const at = place(t, await server(t))
      const list = await waybill(at, ['tools', 'list', 'agent.json', '--config', 'config.yaml', '--json'])
      assert.equal(list.code, 1)
      const [tool] = JSON.parse(list.out).tools
      assert.deepEqual([tool.declared, tool.state], ['files', 'unreachable'])
      assert.match(tool.reason, reason)
      const plan = await waybill(at, ['plan', 'agent.json', '--config', 'config.yaml', '--rehearse'])
      assert.equal(plan.code, 0, 'a rehearsal starts no server')
    })

  test('the text of tools list names the server without tools, and exits with 1', async (t) => {
    const at = place(t, process_('exits'))
    const { code, out, err } = await waybill(at, ['tools', 'list', 'agent.json', '--config', 'config.yaml'])
    assert.equal(code, 1)
    assert.match(
      out,
      /^STATE +TOOL\nunreachable +files\nfiles: the MCP server files returned no list of tools: .*no folder given/,
    )
    assert.match(err, /no list of tools from files; the reason is above/)
  })

  test('start_timeout_seconds gives a slow server more time in a plan, and a terminal shows the wait', async (t) => {
    const at = place(t, { ...process_('slow', '3000'), start_timeout_seconds: 60 })
    const argv = ['tools', 'list', 'agent.json', '--config', 'config.yaml', '--json']
    const { code, out, err } = await waybill(at, argv, { errIsTty: true })
    assert.equal(code, 0, out)
    assert.equal(JSON.parse(out).tools.length, 1)
    assert.match(err, /waiting for the MCP server files, up to 60 s\n/)
  })

  test('a run waits for a slow server, and says for which', async (t) => {
    const model = new MailModel()
    await model.begin()
    t.after(() => model.server.stop())
    model.script({ calls: false })
    const at = place(t, process_('slow', '3000'))
    const { code, out, err } = await waybill(at, [
      'run',
      'agent.json',
      ...['--config', 'config.yaml', '--input', 'Go', '--json'],
      ...model.flags,
    ])
    assert.equal(code, 0, out)
    assert.match(err, /waiting for the MCP server files, up to 30 s\n/)
    const tools = JSON.stringify(model.server.getRequests()[0]?.body)
    assert.match(tools, /"name":"files"/)
  })
})

describe('hosts that do not answer', { concurrency: 4 }, () => {
  const half: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{')
  }
  const kinds: Readonly<Record<string, (url: string) => object>> = {
    'an OpenAPI document': (endpoint) => ({
      tools: [{ name: 'files', description: 'Files.', protocol: 'openapi', endpoint }],
    }),
    'a context URL': (value) => ({ context: [{ type: 'url', value }] }),
    'a schema of the context': (value) => ({ context: [{ type: 'schema_ref', value }] }),
    'a sub-agent': (ref) => ({ orchestration: { subagents: [{ ref, alias: 'w' }] } }),
  }
  for (const [kind, members] of Object.entries(kinds))
    for (const [how, host] of [
      ['never answers', silentSocket],
      ['sends half of an answer', (t: TestContext) => http(t, half)],
    ] as const)
      test(`plan reports ${kind} of a host that ${how} after 2 s`, async (t) => {
        const { url } = await host(t)
        const { agent } = DEFINITION
        const { name, goal, model } = agent
        const at = new Place(t, { ...DEFINITION, agent: { name, goal, model, ...members(url) } })
        const { out } = await waybill(at, [
          'plan',
          'agent.json',
          ...['--allow-host', new URL(url).host, '--base-url', 'http://127.0.0.1:9/v1', '--json'],
        ])
        assert.match(out, /no answer within 2 s; a run and `plan --out` wait longer/)
      })
})
