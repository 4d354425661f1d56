import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it, type TestContext } from 'node:test'
import { commandFetch, typedHost } from '../../src/cli/network/command-fetch.ts'
import { serverClient } from '../../src/cli/remote/server-client.ts'

/** A server that answers each request with the next of `answers`, and the last one from then on. */
async function answering(
  t: TestContext,
  answers: readonly ((request: IncomingMessage, response: ServerResponse) => void)[],
) {
  const requests: { method: string; key: string | undefined }[] = []
  const server = createServer((request, response) => {
    const key = request.headers['idempotency-key'] as string | undefined
    requests.push({ method: request.method ?? '', key })
    request.resume()
    answers[Math.min(requests.length, answers.length) - 1]?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const fetch = commandFetch({ hosts: [typedHost(url)] }, { maxResponseBytes: 1024 * 1024 })
  return { client: serverClient({ url, token: 'wbt_test', fetch }), requests }
}

const json = (status: number, value: unknown) => (_request: IncomingMessage, response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const cut = (request: IncomingMessage) => request.socket.destroy()

it('a POST is sent again with its key after a lost connection and after a 503', async (t) => {
  const { client, requests } = await answering(t, [
    cut,
    json(503, { code: 'SHUTTING_DOWN' }),
    json(202, { run_id: 'r' }),
  ])
  assert.deepEqual(await client.send('POST', '/v1/x', {}), { run_id: 'r' })
  assert.equal(requests.length, 3)
  assert.match(requests[0]?.key ?? '', /^[0-9a-f-]{36}$/)
  assert.equal(new Set(requests.map(({ key }) => key)).size, 1)
  await client.send('POST', '/v1/x', {})
  assert.notEqual(requests[3]?.key, requests[0]?.key)
  await client.send('GET', '/v1/x')
  assert.equal(requests[4]?.key, undefined)
})

it('other errors are not sent again, keep their code and place, and map to the fault of the status', async (t) => {
  const table = [
    [400, 'usage'],
    [401, 'usage'],
    [403, 'refused'],
    [404, 'usage'],
    [409, 'refused'],
    [422, 'refused'],
    [500, 'failed'],
  ] as const
  for (const [status, fault] of table) {
    const issues = [{ line: 3, column: 7 }]
    const { client, requests } = await answering(t, [
      json(status, { code: 'RUN_NOT_FOUND', detail: 'no', issues }),
    ])
    await assert.rejects(
      client.send('GET', '/v1/x'),
      { code: 'RUN_NOT_FOUND', fault, message: 'no' },
      `${status}`,
    )
    await assert.rejects(
      client.send('GET', '/v1/x'),
      ({ details }) => details.line === 3 && details.column === 7,
    )
    assert.equal(requests.length, 2, `${status}`)
  }
})

it('a redirect is not followed, because it would carry the token', async (t) => {
  const other = await answering(t, [json(200, {})])
  const { client } = await answering(t, [
    (_request, response) => response.writeHead(307, { location: `${other.client.url}/v1/x` }).end(),
  ])
  await assert.rejects(client.send('GET', '/v1/x'), { code: 'SERVER_UNREACHABLE' })
  assert.equal(other.requests.length, 0)
})
