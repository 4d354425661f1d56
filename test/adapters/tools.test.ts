import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { createGuardedFetch } from '../../src/adapters/net/guarded-fetch.ts'
import { environmentSecrets } from '../../src/adapters/secrets/environment-secrets.ts'
import { createFunctionTool } from '../../src/adapters/tools/function-tool.ts'
import { createHttpTool } from '../../src/adapters/tools/http-tool.ts'
import { loadToolModule, type ToolFunction } from '../../src/adapters/tools/tool-module.ts'
import { createToolPort } from '../../src/adapters/tools/tool-port.ts'
import { WaybillError } from '../../src/document/issue.ts'
import type { JsonObject } from '../../src/document/json.ts'
import type { PlannedTool } from '../../src/plan/plan.ts'
import type { SecretGrant } from '../../src/policy/secret-grant.ts'
import { type CallOutcome, ToolFailure } from '../../src/run/ports.ts'
import { json, loopback, rawServer, toolNamed } from './model-fixture.ts'

const idle = () => new AbortController().signal
const failure = (code: string, outcome: CallOutcome, says?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ToolFailure, String(error))
  assert.equal(error.code, code, error.message)
  assert.equal(error.outcome, outcome, `outcome of ${code}`)
  if (says !== undefined) assert.match(error.message, says)
  return true
}

describe('http tools', () => {
  const httpTool = (endpoint: string, changes: Partial<PlannedTool> = {}) =>
    toolNamed('search', { protocol: 'http', effect: 'write', endpoint, ...changes })
  const port = (env: Record<string, string> = {}, secretGrants: SecretGrant[] = [], grants = loopback) => {
    const fetch = createGuardedFetch({ grants })
    return createToolPort({
      http: createHttpTool({ fetch, secrets: environmentSecrets(env), secretGrants }),
    })
  }
  const args: JsonObject = { q: 'oslo & rome', n: 3, deep: { list: [1, null, 'ü'] } }

  test('a secret store that does not answer does not delay an aborted call', async () => {
    const secrets = { has: () => true, get: () => new Promise<never>(() => {}) }
    const secretGrants = [{ name: 'TOKEN', host: '127.0.0.1:1' }]
    const stuck = createHttpTool({ fetch: () => assert.fail('called'), secrets, secretGrants })
    const tool = httpTool('http://127.0.0.1:1', { auth: { type: 'bearer', secret: 'TOKEN' } })
    const aborting = new AbortController()
    const call = stuck.call({ tool, args: {}, key: 'k' }, { signal: aborting.signal })
    aborting.abort(new Error('enough'))
    await assert.rejects(call, /enough/)
  })

  test('AAIF-4.4-05: the arguments are the JSON body of a POST, with the key of the call', async (t) => {
    const { url, seen } = await rawServer(t, (response) => json(response, { found: [1] }))
    const tool = httpTool(`${url}/search?fixed=1`)
    assert.deepEqual(await port().call({ tool, args, key: 'run:7' }, { signal: idle() }), { found: [1] })
    assert.deepEqual(seen[0]?.body, args)
    assert.equal(seen[0]?.path, '/search?fixed=1')
    assert.equal(seen[0]?.headers['content-type'], 'application/json')
    assert.equal(seen[0]?.headers['idempotency-key'], 'run:7')
    assert.equal(seen[0]?.headers.authorization, undefined)
  })

  test('with GET the arguments are the query, with another method the body', async (t) => {
    const { url, seen } = await rawServer(t, (response) => json(response, null))
    const call = (method: string) =>
      port().call(
        { tool: httpTool(`${url}/s?a=1`, { method }), args: { ...args, tags: ['x', 'y'] }, key: 'k' },
        { signal: idle() },
      )
    await call('get')
    const query = new URL(seen[0]?.path ?? '', url).searchParams
    assert.deepEqual(
      [...query],
      [
        ['a', '1'],
        ['q', 'oslo & rome'],
        ['n', '3'],
        ['deep', '{"list":[1,null,"ü"]}'],
        ['tags', 'x'],
        ['tags', 'y'],
      ],
    )
    assert.deepEqual(seen[0]?.body, {})
    await call('PUT')
    assert.deepEqual(seen[1]?.body, { ...args, tags: ['x', 'y'] })
  })

  test('JSON is returned as data, text as a string, an empty body as its status; binary data of a read is a failure', async (t) => {
    const answers: Record<string, [string, string | Buffer]> = {
      '/json': ['application/problem+json; charset=utf-8', '{"a":1}'],
      '/text': ['text/plain', '{"a":1}'],
      '/none': ['application/json', ''],
      '/broken': ['application/json', '{"a":'],
      '/binary': ['application/octet-stream', Buffer.from([0xff, 0xfe, 0x00])],
    }
    const { url } = await rawServer(t, (response, { path }) => {
      const [type, body] = answers[path] ?? ['', '']
      response.writeHead(200, { 'content-type': type }).end(body)
    })
    const call = (path: string, effect: 'read' | 'write' = 'write') =>
      port().call({ tool: httpTool(url + path, { effect }), args, key: 'k' }, { signal: idle() })
    assert.deepEqual(await call('/json'), { a: 1 })
    assert.equal(await call('/text'), '{"a":1}')
    assert.deepEqual(await call('/none'), { status: 200 })
    assert.equal(await call('/broken'), '{"a":')
    await assert.rejects(call('/binary', 'read'), failure('TOOL_RESULT_NOT_TEXT', 'answered'))
  })

  test('an error status is a failure with the start of the message', async (t) => {
    const { url } = await rawServer(t, (response) =>
      response.writeHead(422).end(`no such city${'!'.repeat(900)}`),
    )
    await assert.rejects(
      port().call({ tool: httpTool(url), args, key: 'k' }, { signal: idle() }),
      (error: Error) => {
        failure(
          'TOOL_HTTP_STATUS',
          'answered',
          /search answered 422 Unprocessable Entity: no such city/,
        )(error)
        return assert.ok(error.message.length < 400) ?? true
      },
    )
  })

  test('AAIF-4.4-11: a variable that is not set fails with its name, and no request is sent', async (t) => {
    const { url, seen } = await rawServer(t, (response) => json(response, 1))
    const tool = httpTool(url, { auth: { type: 'bearer', secret: 'CRM_TOKEN' } })
    const granted = [{ name: 'CRM_TOKEN', host: '127.0.0.1' }]
    const call = (env: Record<string, string>) =>
      port(env, granted).call({ tool, args, key: 'k' }, { signal: idle() })
    await assert.rejects(call({}), failure('SECRET_MISSING', 'unsent', /CRM_TOKEN/))
    assert.equal(seen.length, 0)
    await call({ CRM_TOKEN: 't0ken' })
    assert.equal(seen[0]?.headers.authorization, 'Bearer t0ken')
  })

  test('a secret is sent only to a host for which it was granted', async (t) => {
    const { url, seen } = await rawServer(t, (response) => json(response, 1))
    const tool = httpTool(url, { auth: { type: 'bearer', secret: 'CRM_TOKEN' } })
    const env = { CRM_TOKEN: 't0ken', OTHER: 'x' }
    for (const grants of [
      [],
      [{ name: 'OTHER', host: '127.0.0.1' }],
      [{ name: 'CRM_TOKEN', host: 'crm.example' }],
    ]) {
      const call = port(env, grants).call({ tool, args, key: 'k' }, { signal: idle() })
      await assert.rejects(call, failure('SECRET_NOT_GRANTED', 'unsent', /CRM_TOKEN/))
    }
    assert.equal(seen.length, 0)
  })

  test('AAIF-4.4-19: api_key is sent in its header, bearer as Authorization and basic by RFC 7617; a header that controls requests is refused', async (t) => {
    const { url, seen } = await rawServer(t, (response) => json(response, 1))
    const granted = [{ name: 'S', host: new URL(url).host }]
    const call = (auth: PlannedTool['auth'], secret = 'user:pa ss') =>
      port({ S: secret }, granted).call(
        { tool: httpTool(url, auth && { auth }), args, key: 'k' },
        { signal: idle() },
      )
    await call({ type: 'api_key', secret: 'S' })
    await call({ type: 'api_key', secret: 'S', header: 'X-Own' })
    await call({ type: 'basic', secret: 'S' })
    await call({ type: 'bearer', secret: 'S' })
    assert.equal(seen[0]?.headers['x-api-key'], 'user:pa ss')
    assert.equal(seen[1]?.headers['x-own'], 'user:pa ss')
    assert.equal(seen[2]?.headers.authorization, `Basic ${Buffer.from('user:pa ss').toString('base64')}`)
    assert.equal(seen[3]?.headers.authorization, 'Bearer user:pa ss')
    for (const header of ['Host', 'Content-Length', 'idempotency-key', 'bad name', 'x\r\ny']) {
      await assert.rejects(
        call({ type: 'api_key', secret: 'S', header }),
        failure('TOOL_AUTH_HEADER_INVALID', 'unsent'),
      )
    }
    await assert.rejects(call({ type: 'bearer', secret: 'S' }, 'li\nne'), (error: Error) => {
      assert.doesNotMatch(error.message, /li\nne/)
      return failure('SECRET_UNUSABLE', 'unsent', /S contains/)(error)
    })
    assert.equal(seen.length, 4)
  })

  test('a secret that the server repeats does not reach the error', async (t) => {
    const { url } = await rawServer(t, (response, { headers }) =>
      response.writeHead(403).end(`denied: ${headers.authorization}`),
    )
    for (const type of ['bearer', 'basic'] as const) {
      const tool = httpTool(url, { auth: { type, secret: 'S' } })
      const call = port({ S: 'me:s3cret' }, [{ name: 'S', host: '127.0.0.1' }]).call(
        { tool, args, key: 'k' },
        { signal: idle() },
      )
      await assert.rejects(call, (error: Error) => {
        assert.doesNotMatch(error.message, /s3cret/)
        assert.ok(!error.message.includes(Buffer.from('me:s3cret').toString('base64')))
        return failure('TOOL_HTTP_STATUS', 'answered', /403.*denied/)(error)
      })
    }
  })

  test('AAIF-12-02: an endpoint that was not granted is not called, nor is a tool that the plan denies', async (t) => {
    const { url, seen } = await rawServer(t, (response) => json(response, 1))
    const shut = port({}, [], { hosts: [] })
    await assert.rejects(
      shut.call({ tool: httpTool(url), args, key: 'k' }, { signal: idle() }),
      failure('ENDPOINT_ADDRESS_PRIVATE', 'unsent'),
    )
    const denied = httpTool(url, { gate: 'deny', reason: 'not allowed here' })
    await assert.rejects(
      port().call({ tool: denied, args, key: 'k' }, { signal: idle() }),
      failure('TOOL_DENIED', 'unsent', /not allowed here/),
    )
    assert.equal(seen.length, 0)
  })

  test('only a request that was certainly not sent counts as unsent, an interrupted one as unknown', async (t) => {
    const gone = createServer().listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const closedPort = (gone.address() as AddressInfo).port
    await new Promise((done) => gone.close(done))
    const unreachable = httpTool(`http://127.0.0.1:${closedPort}/`)
    const noAnswer = port().call({ tool: unreachable, args, key: 'k' }, { signal: idle() })
    await assert.rejects(noAnswer, failure('TOOL_UNREACHABLE', 'unsent', /ECONNREFUSED/))
    const refused = port().call({ tool: httpTool('http://127.0.0.1:1/'), args, key: 'k' }, { signal: idle() })
    await assert.rejects(refused, failure('TOOL_UNREACHABLE', 'unsent'))
    const { url } = await rawServer(t, (response, { path }) => {
      if (path === '/drop') response.destroy()
      else response.writeHead(302, { location: 'https://elsewhere.example/' }).end()
    })
    const call = (path: string) =>
      port().call({ tool: httpTool(url + path), args, key: 'k' }, { signal: idle() })
    await assert.rejects(call('/drop'), failure('TOOL_UNREACHABLE', 'unknown'))
    await assert.rejects(call('/away'), failure('ENDPOINT_REDIRECT_REFUSED', 'answered'))
  })

  test('AAIF-4.4-15: a tool that exceeds its timeout is aborted with its request', async (t) => {
    let closed = () => {}
    const over = new Promise<void>((done) => {
      closed = done
    })
    const { url } = await rawServer(t, (response) => response.on('close', closed))
    const tool = httpTool(url, { timeout_ms: 60 })
    await assert.rejects(
      port().call({ tool, args, key: 'k' }, { signal: idle() }),
      failure('TOOL_TIMEOUT', 'unknown', /60 ms/),
    )
    // Resolves when the client closes its connection.
    await over
  })

  test('an abort of the run rejects with its own reason, not as the tool', async (t) => {
    const { url } = await rawServer(t, () => {})
    const stop = new AbortController()
    const reason = new Error('paused')
    const call = port().call(
      { tool: httpTool(url, { timeout_ms: 5000 }), args, key: 'k' },
      { signal: stop.signal },
    )
    setTimeout(() => stop.abort(reason), 20)
    await assert.rejects(call, (error) => error === reason)
  })
})

describe('function tools', () => {
  const fn = (call: ToolFunction['call']): ToolFunction => ({ call, readOnly: false, idempotent: false })
  const portOf = (call: ToolFunction['call']) =>
    createToolPort({ function: createFunctionTool({ tools: new Map([['f', fn(call)]]) }) })
  const tool = toolNamed('f')

  test('a function gets a copy of the arguments, the signal and the key', async () => {
    const args = { list: [1] }
    const result = await portOf((given, context) => {
      ;(given.list as number[]).push(2)
      return { given, key: context.idempotencyKey, aborted: context.signal.aborted }
    }).call({ tool, args, key: 'k1' }, { signal: idle() })
    assert.deepEqual(result, { given: { list: [1, 2] }, key: 'k1', aborted: false })
    assert.deepEqual(args, { list: [1] })
  })

  test('a result is a copy as JSON data, undefined is null', async () => {
    const held = { list: [1], gone: undefined }
    const result = await portOf(() => held).call({ tool, args: {}, key: 'k' }, { signal: idle() })
    held.list.push(2)
    assert.deepEqual(result, { list: [1] })
    assert.equal(await portOf(() => undefined).call({ tool, args: {}, key: 'k' }, { signal: idle() }), null)
  })

  test('an error of a function is its failure, synchronous or asynchronous', async () => {
    const now = portOf(() => {
      throw new Error('no such order')
    })
    const later = portOf(async () => Promise.reject('plain text'))
    await assert.rejects(
      now.call({ tool, args: {}, key: 'k' }, { signal: idle() }),
      failure('TOOL_THREW', 'answered', /f failed: no such order/),
    )
    await assert.rejects(
      later.call({ tool, args: {}, key: 'k' }, { signal: idle() }),
      failure('TOOL_THREW', 'answered', /plain text/),
    )
  })

  test('a missing function or protocol is an unsent call', async () => {
    const port = portOf(() => 1)
    const call = (changes: Partial<PlannedTool>) =>
      port.call({ tool: { ...tool, ...changes }, args: {}, key: 'k' }, { signal: idle() })
    await assert.rejects(
      call({ name: 'g' }),
      failure('TOOL_FUNCTION_MISSING', 'unsent', /no function g.*has: f/),
    )
    await assert.rejects(call({ protocol: 'mcp' }), failure('TOOL_PROTOCOL_UNSUPPORTED', 'unsent', /mcp/))
  })

  test('AAIF-4.4-15: a function that ignores its signal also times out', async () => {
    const stuck = portOf(() => new Promise(() => {}))
    const call = stuck.call({ tool: { ...tool, timeout_ms: 30 }, args: {}, key: 'k' }, { signal: idle() })
    await assert.rejects(call, failure('TOOL_TIMEOUT', 'unknown'))
  })
})

describe('tools modules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-tools-'))
  after(() => rmSync(folder, { recursive: true }))
  let count = 0
  const load = (source: string, extension = 'mjs') => {
    count += 1
    const file = join(folder, `m${count}.${extension}`)
    writeFileSync(file, source)
    return loadToolModule(file)
  }

  test('functions have their flags, hooks their names, and TypeScript is supported', async () => {
    const module = await load(
      `export const tools = {
         look: Object.assign(async (args: { n: number }) => args.n + 1, { readOnly: true }),
         send: Object.assign(() => 1, { idempotent: true }),
       }
       export const hooks = { on_start: () => 'started' }`,
      'mts',
    )
    assert.deepEqual(
      [...module.tools].map(([name, { readOnly, idempotent }]) => [name, readOnly, idempotent]),
      [
        ['look', true, false],
        ['send', false, true],
      ],
    )
    assert.equal(
      await module.tools.get('look')?.call({ n: 1 }, { signal: idle(), idempotencyKey: 'k', headers: {} }),
      2,
    )
    assert.equal(module.hooks.get('on_start')?.(), 'started')
  })

  test('an unusable module gives its error', async () => {
    const refused = (code: string, says: RegExp) => (error: unknown) => {
      assert.ok(error instanceof WaybillError, String(error))
      assert.deepEqual([error.code, error.fault], [code, 'usage'])
      assert.match(error.message, says)
      assert.ok(error.details.hint && error.details.file)
      return true
    }
    await assert.rejects(
      loadToolModule(join(folder, 'nowhere.mjs')),
      refused('TOOLS_MODULE_UNREADABLE', /no such file/),
    )
    await assert.rejects(load('export const tools = {'), refused('TOOLS_MODULE_UNREADABLE', /loaded/))
    await assert.rejects(load('throw new Error("boom")'), refused('TOOLS_MODULE_UNREADABLE', /boom/))
    await assert.rejects(
      load('export const other = 1'),
      refused('TOOLS_MODULE_INVALID', /does not export "tools"/),
    )
    await assert.rejects(
      load('export const tools = []'),
      refused('TOOLS_MODULE_INVALID', /not an object of functions/),
    )
    await assert.rejects(
      load('export const tools = { a: 1 }'),
      refused('TOOLS_MODULE_INVALID', /tools\.a is not a function/),
    )
    await assert.rejects(
      load('export const tools = {}; export const hooks = { h: "x" }'),
      refused('TOOLS_MODULE_INVALID', /hooks\.h/),
    )
    const marked = 'export const tools = { a: Object.assign(() => 1, { readOnly: "no" }) }'
    await assert.rejects(load(marked), refused('TOOLS_MODULE_INVALID', /a\.readOnly is neither/))
  })
})
