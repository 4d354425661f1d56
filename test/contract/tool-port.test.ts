import { once } from 'node:events'
import { describe, type TestContext } from 'node:test'
import { type ToolSubject, toolPortContract } from 'waybill/testing'
import { createSystemClock } from '../../src/adapters/clock/system-clock.ts'
import { createExtensionCaller } from '../../src/adapters/extensions/tool-caller.ts'
import { createGuardedFetch } from '../../src/adapters/net/guarded-fetch.ts'
import { environmentSecrets } from '../../src/adapters/secrets/environment-secrets.ts'
import { createFunctionTool } from '../../src/adapters/tools/function-tool.ts'
import { createHttpTool } from '../../src/adapters/tools/http-tool.ts'
import { createToolPort, type ToolCallers } from '../../src/adapters/tools/tool-port.ts'
import { withinLimits } from '../../src/adapters/tools/within-limits.ts'
import type { JsonObject } from '../../src/document/json.ts'
import type { PlannedTool } from '../../src/plan/plan.ts'
import { ToolFailure, type ToolRequest } from '../../src/run/ports.ts'
import { openTools } from '../adapters/mcp/opening.ts'
import { PEERS } from '../adapters/mcp/peers.ts'
import { json, loopback, rawServer, toolNamed } from '../adapters/model-fixture.ts'
import { apiPort, documentOf, planApi, toolOf } from '../adapters/openapi/api-fixture.ts'
import { hold } from './hold.ts'

/** Ports as a run uses them: behind the port that applies gate, timeout and rate limits. */
function asInRuns(callers: ToolCallers) {
  const clock = createSystemClock()
  return withinLimits(createToolPort(callers), clock, { results: new Map(), uses: new Map() })
}

const request = (tool: PlannedTool, args: JsonObject): ToolRequest => ({ tool, args, key: 'run:1' })

/** The behaviour of a test tool: doubles n, fails at 0, does not answer below 0. */
async function doubled({ n }: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
  if (n === 0) throw new ToolFailure<string>('NOTHING_TO_DOUBLE', 'there is nothing to double', 'answered')
  if (Number(n) < 0) await once(signal ?? new AbortController().signal, 'abort')
  return { twice: Number(n) * 2 }
}

/** @param calls returns how many calls have reached the tool @param argsFor returns the arguments for a number */
function subject(
  tool: PlannedTool,
  port: ToolSubject['port'],
  calls: () => number,
  argsFor = (n: number): JsonObject => ({ n }),
): ToolSubject {
  return {
    port,
    answers: { request: request(tool, argsFor(2)), result: { twice: 4 } },
    other: { request: request(tool, argsFor(3)), result: { twice: 6 } },
    fails: request(tool, argsFor(0)),
    hangs: request(tool, argsFor(-1)),
    calls,
  }
}

/** A server whose tool doubles a number. */
async function doublingServer(t: TestContext) {
  return rawServer(t, (response, { body }) => {
    const n = Number(body.n)
    if (!(n > 0 || n < 0)) json(response, { error: 'nothing to double' }, 422)
    else if (n > 0) json(response, { twice: n * 2 })
  })
}

const SUBJECTS: Readonly<Record<string, (t: TestContext) => Promise<ToolSubject>>> = {
  async function() {
    let calls = 0
    const call = (args: JsonObject, { signal }: { signal: AbortSignal }) => {
      calls++
      return doubled(args, signal)
    }
    const tools = new Map([['double', { call, readOnly: true, idempotent: false }]])
    const port = asInRuns({ function: createFunctionTool({ tools: tools as never }) })
    return subject(toolNamed('double'), port, () => calls)
  },
  async http(t) {
    const { url, seen } = await doublingServer(t)
    const fetch = createGuardedFetch({ grants: loopback })
    const port = asInRuns({
      http: createHttpTool({ fetch, secrets: environmentSecrets({}), secretGrants: [] }),
    })
    return subject(toolNamed('double', { protocol: 'http', endpoint: url }), port, () => seen.length)
  },
  async openapi(t) {
    const { url, seen } = await doublingServer(t)
    const schema = { type: 'object', properties: { n: { type: 'integer' } } }
    const paths = {
      '/double': {
        post: {
          operationId: 'double',
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 200: { description: 'Twice as much.' } },
        },
      },
    }
    const plan = await planApi(t, documentOf(paths, { servers: [{ url }] }))
    const tool = toolOf(plan, 'api')
    return subject(
      tool,
      asInRuns({ openapi: apiPort() }),
      () => seen.length,
      (n) => ({ body: { n } }),
    )
  },
  async mcp(t) {
    const start = PEERS.stdio
    if (start === undefined) throw new Error('there is no peer on standard streams')
    const { servers } = await start(t)
    const { mcp } = openTools(t, { servers })
    const of = (tool: string, args: JsonObject) =>
      request(toolNamed(tool, { protocol: 'mcp', binding: { server: 'everything', tool } }), args)
    return {
      port: asInRuns({ mcp }),
      answers: { request: of('echo', { message: 'a' }), result: 'Echo: a' },
      other: { request: of('echo', { message: 'b' }), result: 'Echo: b' },
      fails: of('echo', {}),
      hangs: of('trigger-long-running-operation', { duration: 20, steps: 2 }),
    }
  },
  async extension() {
    let calls = 0
    const caller = createExtensionCaller(
      {
        reach: 'nothing',
        open: () => ({
          call: ({ args }) => {
            calls++
            const given = doubled(args)
            // An extension may change its arguments.
            Object.assign(args, { n: 'changed' })
            return given
          },
        }),
      },
      {} as never,
    )
    return subject(toolNamed('double', { protocol: 'added' }), asInRuns({ added: caller }), () => calls)
  },
}

for (const [protocol, open] of Object.entries(SUBJECTS)) {
  describe(`a tool port: ${protocol}`, () => {
    hold(toolPortContract, open)
  })
}
