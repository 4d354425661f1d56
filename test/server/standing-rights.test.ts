import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { StreamItem } from '../../src/platform/streams/stream-item.ts'
import { OPENAI_OPERATIONS } from '../../src/server/openai/openai-operations.ts'
import { registerOpenAi } from '../../src/server/openai/register-openai.ts'
import type { Principal } from '../../src/session/principal.ts'
import { HANDOFF_TYPE } from '../../src/state/stream/streamed-state.ts'
import type { FakePlatform } from './fake-platform.ts'
import { definition, serveFake } from './served.ts'

const AGENT = '0198c0de-0000-7000-8000-000000000001'
const HEARTBEAT_MS = 40

const text = (item: string): StreamItem => ({ type: 'text', attempt: 1, text: item })

/** A server whose requests last, with a run whose texts never end. */
async function lasting(t: TestContext) {
  const served = await serveFake(t, {
    streams: { heartbeatMs: HEARTBEAT_MS },
    register: (app, server) => registerOpenAi(app, server, {}),
  })
  const { server, send, token, platform } = served
  await send('POST', '/v1/agents', {
    token,
    body: definition(AGENT),
    headers: { 'content-type': 'application/json' },
  })
  await send('PUT', `/v1/agents/${AGENT}/labels/openai`, { token, json: { version: '1.0.0' } })
  const { run_id } = (await send('POST', `/v1/agents/${AGENT}/runs`, { token, json: {} })).json
  platform.followed = async function* (signal) {
    while (!signal.aborted) {
      yield text('more')
      await sleep(20)
    }
  }
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { ...served, url, run_id: run_id as string }
}

/** How the rights of a token end. */
const ENDS: Readonly<Record<string, (platform: FakePlatform, token: string) => void>> = {
  'the token is revoked, has expired, or its member is removed': ({ tokens }, token) => tokens.delete(token),
  'the member loses the role': ({ tokens }, token) => change(tokens, token, { roles: [] }),
  'the token loses the scope': ({ tokens }, token) => change(tokens, token, { scopes: ['audit:read'] }),
  'the token belongs to another member by now': ({ tokens }, token) =>
    change(tokens, token, { user: 'other' }),
}

function change(tokens: Map<string, Principal>, token: string, members: Partial<Principal>): void {
  const principal = tokens.get(token)
  if (principal !== undefined) tokens.set(token, { ...principal, ...members })
}

describe('a request that lasts', () => {
  for (const [title, end] of Object.entries(ENDS))
    test(`its stream of events ends without "end" when ${title}; that of another token continues`, async (t) => {
      const { platform, url, run_id } = await lasting(t)
      const open = async (token: string) => {
        const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
        const response = await fetch(`${url}/v1/runs/${run_id}/events`, { headers })
        let read = ''
        const over = (async () => {
          const decoder = new TextDecoder()
          for await (const chunk of response.body ?? []) read += decoder.decode(chunk, { stream: true })
        })().catch(() => undefined)
        return { over, read: () => read }
      }
      const token = platform.token('acme', 'viewer')
      const kept = await open(platform.token('acme', 'viewer'))
      const cut = await open(token)
      await sleep(2 * HEARTBEAT_MS)
      assert.match(cut.read(), /event: text/)
      end(platform, token)
      await cut.over
      assert.doesNotMatch(cut.read(), /event: end/)
      const before = kept.read().length
      await sleep(3 * HEARTBEAT_MS)
      assert.ok(kept.read().length > before)
    })

  test('a wait for a run is answered with the refusal, and so is one of a chat', async (t) => {
    const { platform, url } = await lasting(t)
    for (const [path, body] of [
      [`/v1/agents/${AGENT}/runs`, { input: 'slow', wait_seconds: 60 }],
      ['/openai/v1/chat/completions', { model: AGENT, messages: [{ role: 'user', content: 'slow' }] }],
    ] as const) {
      const token = platform.token('acme', 'operator')
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      await sleep(2 * HEARTBEAT_MS)
      platform.tokens.delete(token)
      const { status } = await answer
      assert.equal(status, 401, path)
    }
  })

  test('a streamed chat is cut, and its client does not take the text for the whole answer', async (t) => {
    const { platform, url } = await lasting(t)
    const token = platform.token('acme', 'operator')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({
      model: AGENT,
      stream: true,
      messages: [{ role: 'user', content: 'slow' }],
    })
    const response = await fetch(`${url}/openai/v1/chat/completions`, { method: 'POST', headers, body })
    assert.equal(response.status, 200)
    const read = response.text()
    await sleep(2 * HEARTBEAT_MS)
    platform.tokens.delete(token)
    await assert.rejects(read)
  })

  test('a WebSocket and an upload of a handoff are cut, also if their client sends on', async (t) => {
    const { server, platform } = await serveFake(t, {
      streams: { heartbeatMs: HEARTBEAT_MS },
      publicUrl: 'https://agents.ours.example',
      trustedProxies: ['127.0.0.1'],
    })
    const { host } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
    const headers = (token: string) => ({
      host: 'agents.ours.example',
      authorization: `Bearer ${token}`,
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
    })
    const token = platform.token('acme', 'operator')
    const socket = new WebSocket(`ws://${host}/v1/handoff`, { headers: headers(token) })
    const last = new Promise<{ code: string }>((resolve) =>
      socket.on('message', (data) => resolve(JSON.parse(String(data)))),
    )
    const closed = new Promise((resolve) => socket.on('close', resolve))
    await new Promise((resolve) => socket.on('open', resolve))
    const sending = setInterval(() => socket.readyState === socket.OPEN && socket.send('{}'), 10)
    t.after(() => clearInterval(sending))
    const upload = request(`http://${host}/v1/handoff`, {
      method: 'POST',
      headers: { ...headers(token), 'content-type': HANDOFF_TYPE },
    })
    const refused = new Promise((resolve) => {
      upload.on('response', ({ statusCode }) => resolve(statusCode))
      upload.on('error', () => resolve('cut'))
    })
    const writing = setInterval(() => upload.write('{}\n'), 10)
    t.after(() => clearInterval(writing))
    await sleep(2 * HEARTBEAT_MS)
    assert.equal(socket.readyState, socket.OPEN)
    platform.tokens.delete(token)
    assert.equal((await last).code, 'TOKEN_REFUSED')
    await closed
    assert.ok([401, 'cut'].includes((await refused) as number | string))
  })

  test('ends at the end of its proof, not only with the next heartbeat', async (t) => {
    const served = await serveFake(t, { streams: { heartbeatMs: 60_000 } })
    const { platform, server } = served
    await served.send('POST', '/v1/agents', {
      token: served.token,
      body: definition(AGENT),
      headers: { 'content-type': 'application/json' },
    })
    const url = await server.listen({ host: '127.0.0.1', port: 0 })
    const token = platform.token('acme', 'operator')
    const expires = Date.now() + 300
    change(platform.tokens, token, { token: { id: 'one', expires_at: new Date(expires).toISOString() } })
    const authenticate = platform.authenticate.bind(platform)
    platform.authenticate = async (given) =>
      given === token && Date.now() >= expires ? null : authenticate(given)
    const answer = await fetch(`${url}/v1/agents/${AGENT}/runs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'slow', wait_seconds: 60 }),
    })
    assert.equal(answer.status, 401)
  })
})

describe('scopes', () => {
  test('a token that is limited to one scope is refused at each route of another one', {
    timeout: 120_000,
  }, async (t) => {
    const { send, platform } = await serveFake(t, {
      furtherOperations: OPENAI_OPERATIONS,
      register: (app, server) => registerOpenAi(app, server, {}),
    })
    const { paths } = (await send('GET', '/openapi.json')).json
    const token = platform.token('acme', 'admin')
    let refused = 0
    for (const [path, operations] of Object.entries(paths as Record<string, Record<string, Operation>>)) {
      for (const [method, { security, tags }] of Object.entries(operations)) {
        if (security !== undefined) continue
        const [tag] = tags
        for (const other of ['nothing:read', `${tag}:none`, `${tag}`, '*']) {
          change(platform.tokens, token, { scopes: [other] })
          const answer = await send(method.toUpperCase() as 'GET', path.replaceAll(/\{\w+\}/g, 'x'), {
            token,
          })
          assert.equal(answer.status, 403, `${method} ${path}: ${answer.text}`)
          assert.match(answer.text, /limited to other requests/)
          refused++
        }
      }
    }
    assert.ok(refused > 300, `${refused} refusals`)
  })

  test('the server does not start with a route that names no scope', async (t) => {
    await assert.rejects(
      serveFake(t, {
        register: (app) => {
          app.get('/further', async () => 'all')
        },
      }),
      /the route \/further names no scope/,
    )
    const { send } = await serveFake(t, {
      register: (app) => {
        app.get('/further', { config: { access: 'public' } }, async () => 'all')
      },
    })
    assert.equal((await send('GET', '/further')).text, 'all')
  })
})

interface Operation {
  readonly security?: readonly unknown[]
  readonly tags: readonly string[]
}
