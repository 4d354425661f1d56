import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Json, JsonObject } from '../../../src/document/json.ts'
import { ToolFailure } from '../../../src/run/ports.ts'
import { apiPort, apiServer, callApi, documentOf, planApi, toolOf } from './api-fixture.ts'

/** The encoded form of one parameter. */
async function sent(t: TestContext, parameter: JsonObject, value: Json) {
  const { url, received } = await apiServer(t)
  const path = parameter.in === 'path' ? '/p/{v}/end' : '/p'
  const described = { name: 'v', required: true, schema: {}, ...parameter }
  const document = documentOf(
    { [path]: { get: { operationId: 'go', parameters: [described] } } },
    { servers: [{ url }] },
  )
  const plan = await planApi(t, document)
  assert.deepEqual(await callApi(toolOf(plan, 'api'), { v: value }), { ok: true })
  assert.equal(received.length, 1)
  return received[0] as (typeof received)[number]
}

const refused = (says: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ToolFailure, String(error))
  assert.equal(error.code, 'TOOL_ARGUMENTS_INVALID')
  assert.equal(error.outcome, 'unsent')
  assert.match(error.message, says)
  return true
}

const colors = ['blue', 'bl ack', 'b,r']
const color = { R: 100, G: 'a b' }

describe('openapi tools: parameters, as OpenAPI §4.8.12 writes them', () => {
  const queries: readonly (readonly [style: string, explode: boolean, value: Json, query: string])[] = [
    ['form', true, 'a/b&c=d ü', 'v=a%2Fb%26c%3Dd%20%C3%BC'],
    ['form', true, 0, 'v=0'],
    ['form', true, false, 'v=false'],
    ['form', true, '', 'v='],
    ['form', true, colors, 'v=blue&v=bl%20ack&v=b%2Cr'],
    ['form', false, colors, 'v=blue,bl%20ack,b%2Cr'],
    ['form', true, color, 'R=100&G=a%20b'],
    ['form', false, color, 'v=R,100,G,a%20b'],
    ['spaceDelimited', false, colors, 'v=blue%20bl%20ack%20b%2Cr'],
    ['spaceDelimited', false, 'plain', 'v=plain'],
    ['pipeDelimited', false, colors, 'v=blue%7Cbl%20ack%7Cb%2Cr'],
    ['pipeDelimited', false, 7, 'v=7'],
    ['deepObject', true, color, 'v%5BR%5D=100&v%5BG%5D=a%20b'],
    ['deepObject', true, { a: { b: [1, 2] } }, 'v%5Ba%5D%5Bb%5D=1&v%5Ba%5D%5Bb%5D=2'],
    ['deepObject', true, 'plain', 'v=plain'],
    ['form', true, [], ''],
    ['form', true, [{ a: 1 }], 'v=%7B%22a%22%3A1%7D'],
  ]
  for (const [style, explode, value, query] of queries) {
    test(`query ${style}${explode ? ' exploded' : ''}: ${JSON.stringify(value)}`, async (t) => {
      const { path } = await sent(t, { in: 'query', style, explode }, value)
      assert.equal(path, query === '' ? '/p' : `/p?${query}`)
    })
  }

  const paths: readonly (readonly [style: string, explode: boolean, value: Json, path: string])[] = [
    ['simple', false, 'a/b', 'a%2Fb'],
    ['simple', false, '..x', '..x'],
    ['simple', false, colors, 'blue,bl%20ack,b%2Cr'],
    ['simple', false, color, 'R,100,G,a%20b'],
    ['simple', true, color, 'R=100,G=a%20b'],
    ['label', false, colors, '.blue,bl%20ack,b%2Cr'],
    ['label', true, colors, '.blue.bl%20ack.b%2Cr'],
    ['label', true, color, '.R=100.G=a%20b'],
    ['matrix', false, colors, ';v=blue,bl%20ack,b%2Cr'],
    ['matrix', true, colors, ';v=blue;v=bl%20ack;v=b%2Cr'],
    ['matrix', true, color, ';R=100;G=a%20b'],
    ['matrix', false, 5, ';v=5'],
  ]
  for (const [style, explode, value, text] of paths) {
    test(`path ${style}${explode ? ' exploded' : ''}: ${JSON.stringify(value)}`, async (t) => {
      const { path } = await sent(t, { in: 'path', style, explode }, value)
      assert.equal(path, `/p/${text}/end`)
    })
  }

  test('a path argument cannot address another resource', async (t) => {
    for (const value of ['', '.', '..', null]) {
      await assert.rejects(sent(t, { in: 'path' }, value), refused(/v (is part of|would lead)/))
    }
    assert.equal(
      (await sent(t, { in: 'path' }, '%2e%2e/admin?x#y')).path,
      '/p/%252e%252e%2Fadmin%3Fx%23y/end',
    )
  })

  test('headers and cookies; a value that a header cannot contain is reported to the model', async (t) => {
    const { url, received } = await apiServer(t)
    const parameters = [
      { name: 'X-Colors', in: 'header', schema: {} },
      { name: 'X-Color', in: 'header', schema: {}, explode: true },
      { name: 'crumb', in: 'cookie', schema: {} },
      { name: 'other', in: 'cookie', schema: {} },
    ]
    const plan = await planApi(
      t,
      documentOf({ '/h': { get: { operationId: 'go', parameters } } }, { servers: [{ url }] }),
    )
    const tool = toolOf(plan, 'api')
    await callApi(tool, { 'X-Colors': ['a', 'b'], 'X-Color': color, crumb: 'v;1 ü', other: 2 })
    assert.equal(received[0]?.headers['x-colors'], 'a,b')
    assert.equal(received[0]?.headers['x-color'], 'R=100,G=a b')
    assert.equal(received[0]?.headers.cookie, 'crumb=v%3B1%20%C3%BC; other=2')
    await assert.rejects(
      callApi(tool, { 'X-Colors': 'a\r\nX-Admin: 1' }),
      refused(/X-Colors contains characters/),
    )
    assert.equal(received.length, 1)
  })

  test('headers that control a request or contain the credential are not arguments', async (t) => {
    const parameters = ['Authorization', 'accept', 'Content-Type', 'Host', 'Cookie', 'X-Own'].map((name) => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    }))
    const document = documentOf(
      { '/h': { get: { parameters } } },
      { servers: [{ url: 'http://127.0.0.1:1' }] },
    )
    const [tool] = (await planApi(t, document)).tools
    assert.deepEqual(Object.keys(tool?.parameters_schema?.properties as JsonObject), ['X-Own'])
    assert.deepEqual(tool?.parameters_schema?.required, ['X-Own'])
  })

  test('a parameter with content is JSON; reserved characters stay where that is allowed', async (t) => {
    const content = { content: { 'application/json': { schema: {} } } }
    assert.equal((await sent(t, { in: 'query', ...content }, { a: 1 })).path, '/p?v=%7B%22a%22%3A1%7D')
    assert.equal(
      (await sent(t, { in: 'query', allowReserved: true }, 'a/b?c&d#e')).path,
      '/p?v=a/b?c%26d%23e',
    )
  })

  test('names that models cannot use are replaced with unique valid names', async (t) => {
    const { url, received } = await apiServer(t)
    const parameters = [
      { name: '$filter', in: 'query', schema: {} },
      { name: 'filter', in: 'query', schema: {} },
      { name: 'filter', in: 'header', schema: {} },
      { name: 'page[size]', in: 'query', schema: {} },
    ]
    const plan = await planApi(t, documentOf({ '/q': { get: { parameters } } }, { servers: [{ url }] }))
    const tool = toolOf(plan, 'api')
    const names = Object.keys(tool.parameters_schema?.properties as JsonObject)
    assert.deepEqual(names, ['filter', 'filter_2', 'filter_3', 'page_size'])
    await callApi(tool, { filter: 'a', filter_2: 'b', filter_3: 'c', page_size: 4 })
    assert.equal(received[0]?.path, '/q?%24filter=a&filter=b&page%5Bsize%5D=4')
    assert.equal(received[0]?.headers.filter, 'c')
  })
})

describe('openapi tools: bodies', () => {
  async function posted(t: TestContext, content: JsonObject, body: Json, version = '3.1.0') {
    const { url, received } = await apiServer(t)
    const operation = { operationId: 'go', requestBody: { required: true, content } }
    const document = {
      ...documentOf({ '/b': { post: operation } }, { servers: [{ url }] }),
      openapi: version,
    }
    const plan = await planApi(t, document)
    const tool = toolOf(plan, 'api')
    await callApi(tool, { body })
    return { received: received[0] as (typeof received)[number], schema: tool.parameters_schema }
  }

  test('JSON is sent unchanged, even if the operation accepts other types', async (t) => {
    const body = { a: null, b: {}, l: [], t: '{"x":1}', n: 0 }
    const content = { 'application/xml': {}, 'application/vnd.api+json; charset=utf-8': { schema: {} } }
    const { received } = await posted(t, content, body)
    assert.deepEqual(JSON.parse(received.body), body)
    assert.equal(received.headers['content-type'], 'application/vnd.api+json')
    assert.equal(received.headers['idempotency-key'], 'run:1')
    assert.equal(received.headers.traceparent, '00-trace')
  })

  test('forms repeat the names of lists, and write objects as their encoding says', async (t) => {
    const content = {
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', properties: { a: {}, l: {}, d: {}, c: {}, o: {} } },
        encoding: { d: { style: 'deepObject', explode: true }, c: { style: 'form', explode: false } },
      },
    }
    const body = { a: 'x y&', l: ['1', '2'], d: { k: 1 }, c: [1, 2], o: { k: 1 }, gone: null }
    const { received } = await posted(t, content, body)
    assert.equal(received.headers['content-type'], 'application/x-www-form-urlencoded')
    assert.equal(received.body, 'a=x+y%26&l=1&l=2&d%5Bk%5D=1&c=1,2&o=%7B%22k%22%3A1%7D')
  })

  test('multipart: fields, objects as JSON, and files from base64', async (t) => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, o: {}, f: { type: 'string', format: 'binary' } },
    }
    const content = { 'multipart/form-data': { schema, encoding: { f: { contentType: 'image/png' } } } }
    const bytes = Buffer.from([0, 255, 13, 10, 45])
    const { received, schema: asked } = await posted(t, content, {
      a: 'x y',
      o: { k: 1 },
      f: bytes.toString('base64'),
      l: [1, 2],
    })
    const form = await new Response(Buffer.from(received.body, 'latin1'), {
      headers: { 'content-type': received.headers['content-type'] ?? '' },
    }).formData()
    assert.equal(form.get('a'), 'x y')
    assert.equal(await (form.get('o') as File).text(), '{"k":1}')
    const file = form.get('f') as File
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), bytes)
    assert.equal(file.type, 'image/png')
    assert.deepEqual(form.getAll('l'), ['1', '2'])
    assert.match(JSON.stringify(asked), /the bytes of the file, in base64/)
  })

  test('text and bytes', async (t) => {
    const text = await posted(t, { 'text/csv': { schema: { type: 'string' } } }, 'a,ü\n')
    assert.equal(text.received.headers['content-type'], 'text/csv; charset=utf-8')
    assert.equal(Buffer.from(text.received.body, 'latin1').toString(), 'a,ü\n')
    const bytes = await posted(t, { 'application/octet-stream': {} }, 'AP8=')
    assert.equal(bytes.received.body, '\u0000ÿ')
    await assert.rejects(posted(t, { 'application/octet-stream': {} }, 'not base64!'), refused(/base64/))
  })

  test('if a parameter is named body, the body gets another name', async (t) => {
    const { url, received } = await apiServer(t)
    const operation = {
      parameters: [{ name: 'body', in: 'query', schema: {} }],
      requestBody: { content: { 'application/json': { schema: {} } } },
    }
    const plan = await planApi(t, documentOf({ '/b': { put: operation } }, { servers: [{ url }] }))
    await callApi(toolOf(plan, 'api'), { body: 'q', body_2: [1] })
    assert.deepEqual([received[0]?.method, received[0]?.path, received[0]?.body], ['PUT', '/b?body=q', '[1]'])
  })
})

describe('openapi tools: credentials', () => {
  const SECRET = 'key-0123456789'
  const schemes = {
    head: { type: 'apiKey', in: 'header', name: 'X-Head' },
    query: { type: 'apiKey', in: 'query', name: 'token' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
    bearer: { type: 'http', scheme: 'Bearer' },
    basic: { type: 'http', scheme: 'basic' },
    oauth: { type: 'oauth2', flows: {} },
  }

  async function signed(t: TestContext, security: Json | undefined, auth: JsonObject, secret = SECRET) {
    const { url, received } = await apiServer(t)
    const operation = {
      parameters: [{ name: 'token', in: 'query', schema: { type: 'string' } }],
      ...(security !== undefined && { security }),
    }
    const document = documentOf(
      { '/s': { get: operation } },
      { servers: [{ url }], security: [{ bearer: [] }], components: { securitySchemes: schemes } },
    )
    const host = new URL(url).host
    const env = { API_KEY: secret }
    const plan = await planApi(t, document, { env, allowSecrets: [`API_KEY@${host}`], tool: { auth } })
    const tool = toolOf(plan, 'api')
    assert.equal(tool.gate, 'allow', tool.reason)
    await callApi(tool, {}, apiPort(env, [{ name: 'API_KEY', host }]))
    assert.ok(!JSON.stringify(plan).includes(secret))
    const { headers, path } = received[0] as (typeof received)[number]
    const { authorization, cookie } = headers
    return {
      path,
      authorization,
      cookie,
      head: headers['x-head'],
      own: headers['x-own'],
      usual: headers['x-api-key'],
      tool,
      plan,
    }
  }

  const key = { type: 'api_key', env_var: 'API_KEY' }
  const bearer = { type: 'bearer', env_var: 'API_KEY' }

  test('AAIF-4.4-07: the scheme of the document defines where the credential of the auth block is sent', async (t) => {
    assert.equal((await signed(t, [{ head: [] }], key)).head, SECRET)
    const inQuery = await signed(t, [{ query: [] }], key, 'key&0123 4567')
    assert.equal(inQuery.path, '/s?token=key%260123%204567')
    assert.deepEqual(inQuery.tool.parameters_schema?.properties, {}, 'the model is not asked for the key')
    assert.equal((await signed(t, [{ cookie: [] }], key)).cookie, `sid=${SECRET}`)
    assert.equal((await signed(t, [{ bearer: [] }], bearer)).authorization, `Bearer ${SECRET}`)
    assert.equal((await signed(t, [{ oauth: ['read'] }], bearer)).authorization, `Bearer ${SECRET}`)
    const basic = await signed(t, [{ basic: [] }], { type: 'basic', env_var: 'API_KEY' }, 'me:pass word')
    assert.equal(basic.authorization, `Basic ${Buffer.from('me:pass word').toString('base64')}`)
    assert.equal(
      (await signed(t, undefined, bearer)).authorization,
      `Bearer ${SECRET}`,
      'security of the document',
    )
  })

  test('of several alternatives the one that the credential satisfies; what needs two says so', async (t) => {
    const second = await signed(t, [{ basic: [] }, { query: [], head: [] }, { head: [] }], key)
    assert.deepEqual([second.head, second.path], [SECRET, '/s'])
    const both = await signed(t, [{ head: [], bearer: [] }], key)
    assert.equal(both.head, SECRET)
    assert.match(both.tool.reason ?? '', /together; only one credential/)
  })

  test('an operation that is public gets no credential', async (t) => {
    const open = await signed(t, [], bearer)
    assert.equal(open.authorization, undefined)
    assert.equal(open.tool.auth, undefined)
    assert.deepEqual(open.plan.secrets, [])
  })

  test('SPEC-D-26: an api_key is sent in auth.header; without a matching scheme the auth block alone decides', async (t) => {
    assert.equal((await signed(t, [{ head: [] }], { ...key, header: 'X-Own' })).own, SECRET)
    const unlike = await signed(t, [{ basic: [] }], key)
    assert.equal(unlike.usual, SECRET)
    assert.match(
      unlike.tool.reason ?? '',
      /requires basic \(http basic\); the tool's auth.type api_key is sent/,
    )
  })

  test('for a tool without auth, the plan names the requirement of the document', async (t) => {
    const document = documentOf(
      { '/s': { get: { security: [{ head: [] }] } } },
      { servers: [{ url: 'http://127.0.0.1:1' }], components: { securitySchemes: schemes } },
    )
    const [tool] = (await planApi(t, document)).tools
    assert.equal(tool?.gate, 'allow')
    assert.match(tool?.reason ?? '', /requires head \(an api_key in header X-Head\); no auth is declared/)
  })

  test('AAIF-4.4-07: the credential is sent only to a granted host, and is never in an error', async (t) => {
    const { url } = await apiServer(t, (response, { path }) =>
      response.writeHead(401).end(`no such key: ${path}`),
    )
    const host = new URL(url).host
    const document = documentOf(
      { '/s': { get: { security: [{ query: [] }] } } },
      { servers: [{ url }], components: { securitySchemes: schemes } },
    )
    const env = { API_KEY: 'key&0123 4567' }
    const options = { env, tool: { auth: key } }
    const [denied] = (await planApi(t, document, options)).tools
    assert.equal(denied?.gate, 'deny')
    assert.match(denied?.reason ?? '', /allowSecrets: \['API_KEY@127\.0\.0\.1'\]/)
    const [missing] = (await planApi(t, document, { ...options, env: {}, allowSecrets: [`API_KEY@${host}`] }))
      .tools
    assert.match(missing?.reason ?? '', /API_KEY is not set/)
    const plan = await planApi(t, document, { ...options, allowSecrets: [`API_KEY@${host}`] })
    await assert.rejects(
      callApi(toolOf(plan, 'api'), {}, apiPort(env, [{ name: 'API_KEY', host }])),
      (error: Error) => {
        assert.match(error.message, /answered 401/)
        assert.doesNotMatch(error.message, /0123/)
        return true
      },
    )
    await assert.rejects(callApi(toolOf(plan, 'api'), {}, apiPort(env, [])), { code: 'SECRET_NOT_GRANTED' })
  })
})
