import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { createGuardedFetch } from '../../src/adapters/net/guarded-fetch.ts'
import { environmentSecrets } from '../../src/adapters/secrets/environment-secrets.ts'
import { createFunctionTool } from '../../src/adapters/tools/function-tool.ts'
import { createHttpTool } from '../../src/adapters/tools/http-tool.ts'
import { exactText } from '../../src/document/exact-numbers.ts'
import type { Json } from '../../src/document/json.ts'
import { type CallOutcome, ToolFailure } from '../../src/run/ports.ts'
import { openTools } from './mcp/opening.ts'
import { loopback, toolNamed } from './model-fixture.ts'
import { oddHttpAnswer, oddMessage, oddValue, picker, seeded } from './odd-answers.ts'
import { apiServer, callApi, documentOf, planApi, toolOf } from './openapi/api-fixture.ts'

/** Only what says so itself may fail, and nothing may fail because of the form of an answer. */
type Fate =
  | { readonly result: Json }
  | { readonly failed: CallOutcome; readonly code: string; readonly message: string }

async function fateOf(call: Promise<Json>): Promise<Fate> {
  try {
    const result = await call
    // It can be recorded and sent to a model.
    assert.equal(typeof exactText(result), 'string')
    return { result }
  } catch (error) {
    assert.ok(error instanceof ToolFailure, String(error instanceof Error ? error.stack : error))
    return { failed: error.outcome, code: error.code, message: error.message }
  }
}

/** A status of an error is a failure, that of a gateway unknown; all others are results. */
function assertFate(fate: Fate, status: number, what: string): void {
  const gateway = [502, 503, 504, 522].includes(status)
  const failed = status < 400 ? undefined : gateway ? 'unknown' : 'answered'
  assert.equal(
    'failed' in fate ? fate.failed : undefined,
    failed,
    `${what}: ${JSON.stringify(fate).slice(0, 500)}`,
  )
}

const SEED = Number(process.env.WAYBILL_ODD_SEED ?? 20261128)
const CASES = Number(process.env.WAYBILL_ODD_CASES ?? 600)

describe('a write that was answered is never reported as failed: generated odd answers', () => {
  test(`http and openapi: ${2 * CASES} answers`, async (t) => {
    const random = seeded(SEED)
    const pick = picker(random)
    let answer = oddHttpAnswer(pick)
    const { url } = await apiServer(t, (response) => answer.write(response))
    const http = createHttpTool({
      fetch: createGuardedFetch({ grants: loopback, maxResponseBytes: 128 * 1024 }),
      secrets: environmentSecrets({}),
      secretGrants: [],
    })
    const plan = await planApi(
      t,
      documentOf({ '/a': { post: { operationId: 'go', responses: {} } } }, { servers: [{ url }] }),
    )
    const operation = toolOf(plan, 'api')
    const tool = toolNamed('t', { protocol: 'http', effect: 'write', endpoint: `${url}/a` })
    for (let n = 0; n < CASES; n++) {
      answer = oddHttpAnswer(pick)
      const { signal } = new AbortController()
      assertFate(
        await fateOf(http.call({ tool, args: {}, key: 'k' }, { signal })),
        answer.status,
        `http ${n}`,
      )
      answer = oddHttpAnswer(pick)
      assertFate(await fateOf(callApi(operation, {})), answer.status, `openapi ${n}`)
    }
  })

  const transports: Record<string, (t: TestContext) => Promise<ReturnType<typeof openTools>>> = {
    'a process': async (t) =>
      openTools(t, {
        servers: {
          odd: { command: process.execPath, args: [join(import.meta.dirname, 'mcp', 'odd-server.mjs')] },
        },
        idleMs: 5000,
      }),
    HTTP: async (t) => openTools(t, { ...(await oddHttpServer(t)), idleMs: 5000 }),
  }
  for (const [name, open] of Object.entries(transports)) {
    test(`mcp over ${name}: ${CASES} messages with the id of the call`, async (t) => {
      const pick = picker(seeded(SEED + 1))
      const { call } = await open(t)
      for (let n = 0; n < CASES; n++) {
        const { raw, fails } = oddMessage(pick)
        const fate = await fateOf(call('send', { raw, n }, { effect: 'write' }))
        const what = `${n}: ${raw.slice(0, 300)}: ${JSON.stringify(fate).slice(0, 500)}`
        if (!fails) assert.ok('result' in fate, what)
        else if ('failed' in fate) assert.equal(fate.failed, 'answered', what)
      }
    })
  }

  test(`functions: ${CASES} values`, async () => {
    const random = seeded(SEED + 2)
    const pick = picker(random)
    let value: unknown
    const functions = createFunctionTool({ tools: new Map([['f', { call: () => value }]]) as never })
    for (let n = 0; n < CASES; n++) {
      value = oddValue(pick, random)
      const call = functions.call(
        { tool: toolNamed('f', { effect: 'write' }), args: {}, key: 'k' },
        { signal: new AbortController().signal },
      )
      const fate = await fateOf(call)
      assert.ok('result' in fate, `${n}: ${JSON.stringify(fate)}`)
    }
  })
})

/** An MCP server over HTTP that answers like `odd-server.mjs`, as JSON or as events. */
async function oddHttpServer(t: TestContext) {
  const pick = picker(seeded(SEED + 3))
  const { url } = await apiServer(t, (response, { method, body }) => {
    if (method !== 'POST') return response.writeHead(405).end()
    const { id, method: name, params } = JSON.parse(body)
    const json = (text: string) => response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    if (name === 'initialize') {
      const { protocolVersion } = params
      const result = {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'odd', version: '1' },
      }
      return json(JSON.stringify({ jsonrpc: '2.0', id, result }))
    }
    if (id === undefined) return response.writeHead(202).end()
    if (name !== 'tools/call')
      return json(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } }))
    const text = Buffer.from(params.arguments.raw, 'latin1').toString('utf8').replaceAll('ID', String(id))
    const isBroken = !text.endsWith('}')
    const way = isBroken ? 'json' : pick(['json', 'events', 'status', 'type', 'list'])
    switch (way) {
      case 'events':
        return response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(`event: message\r\nid: 1\r\ndata: ${text}\r\n\r\n`)
      case 'status':
        return response
          .writeHead(pick([200, 201, 500, 503]), { 'content-type': 'application/json' })
          .end(text)
      case 'type':
        return response.writeHead(200, { 'content-type': pick(['text/plain', 'nonsense', '']) }).end(text)
      case 'list':
        return json(
          `[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}},${text}]`,
        )
      default:
        return json(text)
    }
  })
  return { servers: { odd: { url: `${url}/mcp` } }, grants: loopback }
}

after(() => {
  assert.equal(({} as { polluted?: unknown }).polluted, undefined)
})
