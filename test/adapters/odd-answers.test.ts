import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { ProtocolError } from '@modelcontextprotocol/client'
import { ANSWER, Retry, resultOfCall } from '../../src/adapters/mcp/call-answer.ts'
import { CallsInFlight } from '../../src/adapters/mcp/calls-in-flight.ts'
import { createGuardedFetch } from '../../src/adapters/net/guarded-fetch.ts'
import { environmentSecrets } from '../../src/adapters/secrets/environment-secrets.ts'
import { createFunctionTool } from '../../src/adapters/tools/function-tool.ts'
import { createHttpTool } from '../../src/adapters/tools/http-tool.ts'
import { exactText, parseExact } from '../../src/document/exact-numbers.ts'
import { isObject, type Json } from '../../src/document/json.ts'
import { answersAll, checkAnswers } from '../../src/run/check-answers.ts'
import type { Elicitation } from '../../src/run/elicitation.ts'
import { type CallOutcome, ToolFailure, ToolQuestions } from '../../src/run/ports.ts'
import { openTools } from './mcp/opening.ts'
import { loopback, toolNamed } from './model-fixture.ts'
import { oddHttpAnswer, oddMessage, oddValue, picker, seeded, VALUES } from './odd-answers.ts'
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

describe('what a server asks is put to a person or refused, whatever its form is: generated odd questions', () => {
  const random = seeded(SEED + 4)
  const pick = picker(random)
  const value = (): Json => parseExact(pick(VALUES))
  const params = (): Json =>
    pick<() => Json>([
      value,
      () => ({ message: value(), requestedSchema: value() }),
      () => ({ mode: pick([...MODES, value()]), message: value(), url: pick([...URLS, value()]) }),
      () => ({
        message: 'm',
        requestedSchema: { type: 'object', properties: { a: value() }, required: value() },
      }),
      () => ({ mode: 'url', message: 'm', url: pick(URLS) }),
    ])()
  const request = (): Json => pick<() => Json>([value, () => ({ method: pick(METHODS), params: params() })])()
  const requests = (): Json =>
    pick<() => Json>([
      value,
      () => ({ a: request() }),
      () => ({ a: request(), b: request(), '': request(), ['k'.repeat(300)]: request() }),
      () => Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`q${n}`, request()])),
      () => parseExact(`{"__proto__":${JSON.stringify({ method: METHODS[0], params: { message: 'm' } })}}`),
    ])()

  test(`input_required: ${CASES} results`, () => {
    const tool = toolNamed('send', { protocol: 'mcp', effect: 'write' })
    let put = 0
    for (let n = 0; n < CASES; n++) {
      const result: Json = { resultType: 'input_required', inputRequests: requests(), requestState: value() }
      const what = `${n}: ${exactText(result).slice(0, 400)}`
      try {
        resultOfCall({ [ANSWER]: { result } }, tool, (text) => text)
        assert.fail(what)
      } catch (error) {
        if (error instanceof ToolFailure) {
          assert.deepEqual([error.code, error.outcome], ['MCP_CALL_REFUSED', 'answered'], what)
          continue
        }
        if (error instanceof Retry) continue
        assert.ok(error instanceof ToolQuestions, what)
        put += 1
        assertUsable({ questions: error.questions }, what)
      }
    }
    assert.ok(put > 10, `only ${put} were put to a person`)
  })

  test(`elicitation/create: ${CASES} requests`, async () => {
    let put = 0
    for (let n = 0; n < CASES; n++) {
      const calls = new CallsInFlight()
      const call = calls.begin('run:1', [])
      const given = params()
      const asked = calls.asked(isObject(given) ? given : {})
      const refused = asked.catch((error: unknown) => {
        assert.ok(error instanceof ProtocolError, `${n}: ${String(error)}`)
        return undefined
      })
      await Promise.resolve()
      if (!call.isWaiting) {
        assert.equal(await refused, undefined)
        continue
      }
      put += 1
      const news = await call.next(AbortSignal.timeout(5000))
      assert.ok(news.type === 'questions')
      assertUsable(news, `${n}: ${exactText(given).slice(0, 400)}`)
      call.abandon()
      await refused
    }
    assert.ok(put > 10, `only ${put} were put to a person`)
  })
})

const METHODS = [
  'elicitation/create',
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
  '',
  'x',
] as const
const MODES: readonly Json[] = ['form', 'url', 'voice']
const URLS: readonly Json[] = [
  'https://pay.example',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'http://',
  'x',
]

/** A person can decline all questions, and an answer is checked without an error. */
function assertUsable(asked: Pick<Elicitation, 'questions'>, what: string): void {
  assert.ok(asked.questions.length > 0 && asked.questions.length <= 20, what)
  assert.ok(checkAnswers(asked, answersAll(asked, 'decline')).ok, what)
  for (const { key, mode, url } of asked.questions) {
    if (mode === 'url') assert.match(String(url), /^https?:/, what)
    checkAnswers(asked, { [key]: { action: 'accept', content: { a: 'b' } } })
  }
  assert.equal(typeof exactText(asked as unknown as Json), 'string', what)
}

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
