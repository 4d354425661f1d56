import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { failure, openTools } from './opening.ts'

test('AAIF-4.4-04: a server with only the 2026 revision is supported over HTTP', async (t) => {
  const { mcp, call } = openTools(t, { servers: { modern: { url: await modernHttp(t) } } })
  const found = await mcp.discover({ name: 'x', endpoint: 'mcp://modern' })
  assert.deepEqual(found.found && found.tools.map(({ name }) => name), ['tell'], JSON.stringify(found))
  assert.equal(await call('tell'), 'told')
  await assert.rejects(call('ask'), failure('MCP_CALL_REFUSED', 'answered'))
})

test('AAIF-4.4-04: a server with only the 2026 revision is supported as a process', async (t) => {
  const server = { command: process.execPath, args: [join(import.meta.dirname, 'modern-server.mjs')] }
  const { mcp, call } = openTools(t, { servers: { modern: server } })
  const found = await mcp.discover({ name: 'x', endpoint: 'mcp://modern' })
  assert.deepEqual(found.found && found.tools.map(({ name }) => name), ['tell'], JSON.stringify(found))
  assert.equal(await call('tell'), 'told')
})

async function modernHttp(t: TestContext): Promise<string> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'modern', version: '1' })
      server.registerTool('tell', { description: 'Tells.' }, () => ({
        content: [{ type: 'text', text: 'told' }],
      }))
      return server
    },
    { legacy: 'reject' },
  )
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const init = { method: request.method ?? 'GET', headers: request.headers as Record<string, string> }
    const body = init.method === 'POST' ? { body: Buffer.concat(chunks) } : {}
    const answer = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, { ...init, ...body }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}
