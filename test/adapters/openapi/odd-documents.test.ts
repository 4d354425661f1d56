import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Plan } from 'waybill'
import type { Json, JsonObject } from '../../../src/document/json.ts'
import type { PlannedTool } from '../../../src/plan/plan.ts'
import { compileUserSchema } from '../../../src/schema/user-schema.ts'
import { apiServer, callApi, documentOf, planApi, type Received, toolOf } from './api-fixture.ts'

const here = { servers: [{ url: 'http://127.0.0.1:1' }] }
const GOOD: JsonObject = { get: { operationId: 'good' } }

/** Returns why arguments do not fit a tool's schema, as the run checks them, or null. */
function breach(tool: PlannedTool, args: JsonObject): string | null {
  return compileUserSchema(tool.parameters_schema as JsonObject)(args)
}

async function planOf(t: TestContext, paths: JsonObject, more: JsonObject = {}): Promise<Plan> {
  return planApi(t, documentOf({ '/good': GOOD, ...paths }, { ...here, ...more }))
}

const bodyOf = (schema: Json, type = 'application/json'): JsonObject => ({
  requestBody: { required: true, content: { [type]: { schema } } },
})

describe('a part of an OpenAPI document that cannot be used costs only itself', () => {
  for (const odd of [
    { type: 'string', required: true },
    { type: 'any' },
    { type: 'file' },
    { type: null },
    { enum: null },
    { minLength: '3' },
    { pattern: null },
    { maxLength: 10.5 },
    { type: 'String' },
    { type: 'date' },
    { multipleOf: 0 },
    { minLength: -1 },
    { properties: null },
    { items: 'string' },
    { allOf: 5 },
    { anyOf: [null] },
    { $ref: '#/components/schemas/Nowhere' },
    { $ref: '#/components/schemas/Self' },
    { $ref: '#/properties/m' },
    { $ref: 5 },
    { additionalProperties: 'no' },
    null,
    'string',
  ] as readonly Json[]) {
    test(`a keyword: ${JSON.stringify(odd)}`, async (t) => {
      const components = {
        schemas: {
          Self: { $ref: '#/components/schemas/Self' },
          Body: { type: 'object', required: ['m'], properties: { odd, m: { type: 'integer' } } },
        },
      }
      const inline = components.schemas.Body
      for (const schema of [inline, { $ref: '#/components/schemas/Body' }]) {
        const plan = await planOf(
          t,
          { '/a': { post: { operationId: 'a', ...bodyOf(schema) } } },
          { components },
        )
        const tool = toolOf(plan, 'a')
        assert.equal(tool.gate, 'allow')
        assert.equal(breach(tool, { body: { m: 1, odd: 'abc' } }), null)
        assert.match(breach(tool, { body: { m: 'x' } }) ?? '', /m/)
        assert.match(breach(tool, { body: {} }) ?? '', /m/)
        assert.match(tool.reason ?? '', /parts of its arguments are not checked: \/.*(?:odd|Self)/)
      }
    })
  }

  test('a keyword in the schema of a parameter', async (t) => {
    const parameters = [
      { name: 'odd', in: 'query', schema: { type: 'strin' } },
      { name: 'n', in: 'query', required: true, schema: { type: 'integer' } },
    ]
    const tool = toolOf(await planOf(t, { '/a': { get: { operationId: 'a', parameters } } }), 'a')
    assert.equal(breach(tool, { n: 1, odd: 5 }), null)
    assert.notEqual(breach(tool, { n: 'x' }), null)
    assert.match(tool.reason ?? '', /\/properties\/odd\/type: "strin" is not a type/)
  })

  test('a parameter, a path or an operation that cannot be read', async (t) => {
    const plan = await planOf(t, {
      '/a': {
        parameters: null,
        get: {
          operationId: 'a',
          parameters: [
            null,
            { $ref: '#/components/parameters/None' },
            { in: 'query' },
            { name: 'q', in: 'query' },
          ],
        },
        post: null,
        delete: 'x',
      },
      '/b': null,
      '/c': { $ref: '#/components/pathItems/None' },
      'x-own': { get: {} },
      d: { get: { operationId: 'd' } },
    })
    assert.deepEqual(
      plan.tools.map(({ name, gate }) => [name, gate]),
      [
        ['good', 'allow'],
        ['a', 'allow'],
        ['d', 'allow'],
      ],
    )
    assert.equal(toolOf(plan, 'd').endpoint, 'http://127.0.0.1:1/d')
    assert.deepEqual(Object.keys(toolOf(plan, 'a').parameters_schema?.properties as JsonObject), ['q'])
    assert.match(toolOf(plan, 'a').reason ?? '', /#\/components\/parameters\/None is not in this document/)
    const noted = plan.degradations.map(({ reason }) => reason).join('\n')
    for (const part of ['POST /a', 'DELETE /a', 'the path /b', 'the path /c'])
      assert.ok(noted.includes(part), noted)
    assert.deepEqual(plan.refusals, [])
  })

  test('a body without a usable description is sent as any JSON, with a note', async (t) => {
    const { url, received } = await apiServer(t)
    for (const requestBody of [
      { required: true },
      { content: {} },
      { content: null },
      { $ref: '#/components/requestBodies/None' },
    ]) {
      const plan = await planOf(
        t,
        { '/a': { post: { operationId: 'a', requestBody } } },
        { servers: [{ url }] },
      )
      assert.match(toolOf(plan, 'a').reason ?? '', /its body is not described/)
      await callApi(toolOf(plan, 'a'), { body: { n: 1 } })
      assert.equal(received.at(-1)?.body, '{"n":1}')
      assert.equal(received.at(-1)?.headers['content-type'], 'application/json')
    }
  })

  test('a schema that is too large is checked where it begins', async (t) => {
    const wide = (levels: number): JsonObject => ({
      type: 'object',
      description: 'd'.repeat(300),
      required: ['m'],
      properties: {
        m: { type: 'integer' },
        ...(levels > 0 &&
          Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`p${n}`, wide(levels - 1)]))),
      },
    })
    const plan = await planOf(t, { '/a': { post: { operationId: 'a', ...bodyOf(wide(4)) } } })
    const tool = toolOf(plan, 'a')
    assert.ok(JSON.stringify(tool.parameters_schema).length <= 24_000)
    assert.notEqual(breach(tool, { body: { m: 'x' } }), null)
    assert.match(tool.reason ?? '', /larger than 24 KB/)
  })
})

describe('an operation that can never be called is not available, and its neighbours are', () => {
  const path = (name: string) => [{ name, in: 'path', required: true, schema: { type: 'string' } }]
  for (const [what, paths, reason] of [
    [
      'a required body of GET',
      { '/a': { get: { operationId: 'a', ...bodyOf({}) } } },
      /requires a body, which a GET/,
    ],
    [
      'a required body of HEAD',
      { '/a': { head: { operationId: 'a', ...bodyOf({}) } } },
      /requires a body, which a HEAD/,
    ],
    ['an undefined part of the path', { '/a/{x}': { get: { operationId: 'a' } } }, /does not define \{x\}/],
    [
      'another name of the part',
      { '/a/{x}': { get: { operationId: 'a', parameters: path('y') } } },
      /does not define \{x\}/,
    ],
    [
      'a required parameter of Swagger',
      { '/a': { post: { operationId: 'a', parameters: [{ name: 'f', in: 'formData', required: true }] } } },
      /parameter f is in "formData"/,
    ],
    [
      'a server without a value',
      {
        '/a': {
          servers: [{ url: 'https://{tenant}.example.com', variables: { tenant: {} } }],
          get: { operationId: 'a' },
        },
      },
      /variable \{tenant\} of the server .* has no value; .*"default"/,
    ],
  ] as readonly (readonly [string, JsonObject, RegExp])[]) {
    test(what, async (t) => {
      const plan = await planOf(t, paths)
      assert.equal(toolOf(plan, 'good').gate, 'allow')
      const { gate, reason: said } = toolOf(plan, 'a')
      assert.equal(gate, 'deny')
      assert.match(said ?? '', reason)
    })
  }

  test('at level strict it does not refuse an agent that can call the others', async (t) => {
    const { refusals, degradations } = await planOf(t, { '/a/{x}': { get: { operationId: 'a' } } })
    assert.deepEqual(refusals, [])
    assert.ok(degradations.some(({ reason }) => /the tool a is not available/.test(reason)))
  })

  test('in a searched document the plan names it, and the search says why', async (t) => {
    const many = Object.fromEntries(
      Array.from({ length: 45 }, (_, n) => [`/t${n}`, { get: { operationId: `things${n}` } }]),
    )
    const plan = await planOf(t, { ...many, '/a/{x}': { get: { operationId: 'openThing' } } })
    assert.match(
      plan.degradations.map(({ reason }) => reason).join(),
      /openThing can never be called: the document does not define \{x\}/,
    )
    const answer = (await callApi(toolOf(plan, 'api_find'), { query: 'openThing', limit: 1 })) as JsonObject
    const [first] = answer.found as readonly JsonObject[]
    assert.match(String(first?.cannot_be_called), /does not define/)
    await assert.rejects(
      callApi(toolOf(plan, 'api_read'), { operation: 'openThing', arguments: { x: '1' } }),
      /does not define/,
    )
  })
})

describe('an argument that is offered is sent', () => {
  test('an optional body of GET and HEAD is not an argument, and the plan says so', async (t) => {
    const requestBody = { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } } }
    const plan = await planOf(t, {
      '/a': { get: { operationId: 'a', requestBody }, head: { operationId: 'b', requestBody } },
    })
    for (const name of ['a', 'b']) {
      const tool = toolOf(plan, name)
      assert.equal(tool.gate, 'allow')
      assert.deepEqual(tool.parameters_schema?.properties, {})
      assert.match(tool.reason ?? '', /its body is not an argument/)
    }
  })

  test('a body of DELETE and OPTIONS is sent', async (t) => {
    const { url, received } = await apiServer(t)
    const plan = await planOf(
      t,
      {
        '/a': {
          delete: { operationId: 'a', ...bodyOf({ type: 'object' }) },
          options: { operationId: 'b', ...bodyOf({ type: 'object' }) },
        },
      },
      { servers: [{ url }] },
    )
    for (const name of ['a', 'b']) await callApi(toolOf(plan, name), { body: { n: 1 } })
    assert.deepEqual(
      received.map(({ method, body }) => [method, body]),
      [
        ['DELETE', '{"n":1}'],
        ['OPTIONS', '{"n":1}'],
      ],
    )
  })

  test('a parameter that the path does not contain is not an argument', async (t) => {
    const parameters = [{ name: 'x', in: 'path', required: true, schema: { type: 'string' } }]
    const tool = toolOf(await planOf(t, { '/a': { get: { operationId: 'a', parameters } } }), 'a')
    assert.deepEqual(tool.parameters_schema?.properties, {})
    assert.match(tool.reason ?? '', /the path does not contain \{x\}/)
  })

  test('a fragment tells operations of one path apart, and is not sent', async (t) => {
    const { url, received } = await apiServer(t)
    const header = (target: string): JsonObject => ({
      parameters: [{ name: 'x-target', in: 'header', required: true, schema: { enum: [target] } }],
    })
    const plan = await planOf(
      t,
      {
        '/#x-target=A': { post: { operationId: 'a', ...header('A') } },
        '/#x-target=B': { post: { operationId: 'b', ...header('B') } },
      },
      { servers: [{ url }] },
    )
    await callApi(toolOf(plan, 'b'), { 'x-target': 'B' })
    assert.deepEqual(
      received.map(({ path, headers }) => [path, headers['x-target']]),
      [['/', 'B']],
    )
  })

  test('a query in the path is kept beside the arguments', async (t) => {
    const { url, received } = await apiServer(t)
    const parameters = [{ name: 'q', in: 'query', schema: { type: 'string' } }]
    const plan = await planOf(
      t,
      { '/a?op=find': { get: { operationId: 'a', parameters } } },
      { servers: [{ url }] },
    )
    await callApi(toolOf(plan, 'a'), { q: 'x' })
    await callApi(toolOf(plan, 'a'), {})
    assert.deepEqual(
      received.map(({ path }) => path),
      ['/a?op=find&q=x', '/a?op=find'],
    )
  })
})

describe('the media type fits the value', () => {
  async function sent(t: TestContext, content: JsonObject, body: Json, method = 'patch'): Promise<Received> {
    const { url, received } = await apiServer(t)
    const operation = { operationId: 'a', requestBody: { required: true, content } }
    const plan = await planOf(t, { '/a': { [method]: operation } }, { servers: [{ url }] })
    const tool = toolOf(plan, 'a')
    assert.equal(breach(tool, { body }), null)
    await callApi(tool, { body })
    return received.at(-1) as Received
  }
  const type = ({ headers }: Received) => headers['content-type']
  const object = { schema: { type: 'object' } }
  const patches: JsonObject = {
    'application/json-patch+json': object,
    'application/merge-patch+json': object,
    'application/strategic-merge-patch+json': object,
  }
  const changes = [{ op: 'replace', path: '/a', value: 1 }]

  test('an object is sent as merge patch, a list as JSON patch, in every order of the document', async (t) => {
    for (const content of [patches, Object.fromEntries(Object.entries(patches).toReversed())]) {
      assert.equal(type(await sent(t, content, { a: 1 })), 'application/merge-patch+json')
      assert.equal(type(await sent(t, content, changes)), 'application/json-patch+json')
    }
    const withPlain = { 'application/json': object, ...patches }
    assert.equal(type(await sent(t, withPlain, { a: 1 })), 'application/merge-patch+json')
    assert.equal(type(await sent(t, withPlain, { a: 1 }, 'put')), 'application/json')
    const { 'application/merge-patch+json': _merge, ...strategic } = patches
    assert.equal(type(await sent(t, strategic, { a: 1 })), 'application/strategic-merge-patch+json')
  })

  test('where only a JSON patch is described, the body must be a list', async (t) => {
    const content = { 'application/json-patch+json': object }
    assert.equal(type(await sent(t, content, changes)), 'application/json-patch+json')
    const tool = toolOf(
      await planOf(t, { '/a': { patch: { operationId: 'a', requestBody: { required: true, content } } } }),
      'a',
    )
    assert.notEqual(breach(tool, { body: { a: 1 } }), null)
    assert.notEqual(breach(tool, { body: [{ op: 'none', path: '/a' }] }), null)
  })

  test('a type with an asterisk is not sent', async (t) => {
    assert.equal(type(await sent(t, { '*/*': object }, { a: 1 })), 'application/json')
    assert.equal(type(await sent(t, { 'image/*': {} }, 'aGk=')), 'application/octet-stream')
    assert.match(type(await sent(t, { 'text/*': {} }, 'hi')) ?? '', /^text\/plain/)
  })
})

describe('files are bytes wherever they are described', () => {
  const BYTES = Buffer.from([0, 255, 13, 10, 128])
  const TEXT = BYTES.toString('base64')
  async function sent(
    t: TestContext,
    content: JsonObject,
    body: Json,
    more: JsonObject = {},
  ): Promise<Received> {
    const { url, received } = await apiServer(t)
    const operation = { operationId: 'a', requestBody: { required: true, content } }
    const plan = await planOf(t, { '/a': { post: operation } }, { servers: [{ url }], ...more })
    const tool = toolOf(plan, 'a')
    assert.equal(breach(tool, { body }), null)
    await callApi(tool, { body })
    return received.at(-1) as Received
  }
  const binary = { type: 'string', format: 'binary' }
  const latin = BYTES.toString('latin1')

  for (const [what, content] of [
    ['octet-stream', { 'application/octet-stream': { schema: binary } }],
    ['octet-stream without a schema', { 'application/octet-stream': {} }],
    ['an image', { 'image/png': { schema: { contentEncoding: 'base64' } } }],
    ['any type', { '*/*': { schema: binary } }],
    ['any application type', { 'application/*': { schema: binary } }],
    ['text', { 'text/plain': { schema: binary } }],
    ['a JSON file', { 'application/json': { schema: binary } }],
  ] as readonly (readonly [string, JsonObject])[]) {
    test(`the whole body: ${what}`, async (t) => {
      assert.equal((await sent(t, content, TEXT)).body, latin)
    })
  }

  for (const [what, schema] of [
    ['format binary', binary],
    ['contentEncoding', { type: 'string', contentEncoding: 'base64' }],
    ['contentMediaType', { type: 'string', contentMediaType: 'image/png' }],
    ['type file', { type: 'file' }],
    ['a reference', { $ref: '#/components/schemas/File' }],
    ['allOf', { allOf: [{ $ref: '#/components/schemas/File' }], description: 'The file.' }],
    ['a file or null', { anyOf: [binary, { type: 'null' }] }],
    ['3.0 nullable', { ...binary, nullable: true }],
  ] as readonly (readonly [string, JsonObject])[]) {
    const components = { schemas: { File: binary } }
    test(`a member of a form: ${what}`, async (t) => {
      const form = { type: 'object', required: ['f'], properties: { f: schema, note: { type: 'string' } } }
      for (const whole of [form, { allOf: [form, { properties: { more: { type: 'string' } } }] }]) {
        const { body, headers } = await sent(
          t,
          { 'multipart/form-data': { schema: whole } },
          { f: TEXT, note: 'n' },
          { components },
        )
        assert.match(headers['content-type'] ?? '', /^multipart\/form-data/)
        assert.ok(body.includes(`name="f"; filename="f"`) && body.includes(latin), body)
        assert.ok(body.includes('\r\n\r\nn\r\n'), body)
      }
    })

    test(`a list of files: ${what}`, async (t) => {
      const list = { type: 'object', properties: { f: { type: 'array', items: schema } } }
      const { body } = await sent(
        t,
        { 'multipart/form-data': { schema: list } },
        { f: [TEXT, Buffer.from('two').toString('base64')] },
        { components },
      )
      assert.equal(body.split('filename="f"').length, 3)
      assert.ok(body.includes(latin) && body.includes('two'), body)
    })
  }

  test('the type of a file is that of the document, never one with an asterisk', async (t) => {
    const schema = { type: 'object', properties: { f: binary, g: {}, h: { contentMediaType: 'image/gif' } } }
    const encoding = { f: { contentType: 'image/*, image/png' }, g: { contentType: 'application/pdf' } }
    const { body } = await sent(
      t,
      { 'multipart/form-data': { schema, encoding } },
      { f: TEXT, g: TEXT, h: TEXT },
    )
    const types = [...body.matchAll(/content-type: (.*)\r/gi)].map(([, type]) => type)
    assert.deepEqual(types, ['image/png', 'application/pdf', 'image/gif'])
    assert.equal(body.split(latin).length, 4)
  })

  test('a form with files is multipart where the document offers it', async (t) => {
    const schema = { type: 'object', properties: { f: binary, note: { type: 'string' } } }
    const other = { schema: { type: 'object', properties: { f: { type: 'string' } } } }
    for (const [type, media] of [
      ['application/x-www-form-urlencoded', other],
      ['application/x-www-form-urlencoded', { schema }],
      ['application/json', { schema }],
    ] as const) {
      const { headers } = await sent(t, { [type]: media, 'multipart/form-data': { schema } }, { f: TEXT })
      assert.match(headers['content-type'] ?? '', /^multipart/)
    }
    const { headers } = await sent(
      t,
      { 'application/json': other, 'multipart/form-data': { schema } },
      { f: 'x' },
    )
    assert.equal(headers['content-type'], 'application/json')
  })
})

describe('schemas are read by the version of the document', () => {
  async function accepts(t: TestContext, openapi: string, schema: Json, value: Json): Promise<boolean> {
    const components = { schemas: { Base: { type: 'string', minLength: 2 }, Long: { minLength: 4 } } }
    const plan = await planOf(
      t,
      { '/a': { post: { operationId: 'a', ...bodyOf(schema) } } },
      { openapi, components },
    )
    return breach(toolOf(plan, 'a'), { body: value }) === null
  }
  for (const [what, openapi, schema, yes, no] of [
    ['3.0: nullable', '3.0.3', { type: 'string', nullable: true }, [null, 'a'], [5]],
    [
      '3.0: nullable with an enum',
      '3.0.3',
      { type: 'string', nullable: true, enum: ['a'] },
      [null, 'a'],
      ['b'],
    ],
    [
      '3.0: nullable beside allOf',
      '3.0.3',
      { nullable: true, allOf: [{ $ref: '#/components/schemas/Base' }] },
      [null, 'ab'],
      ['a', 5],
    ],
    ['3.0: not nullable', '3.0.3', { type: 'string', nullable: false }, ['a'], [null]],
    ['3.1: nullable has no meaning', '3.1.0', { type: 'string', nullable: true }, ['a'], [null]],
    ['3.0: exclusive bounds', '3.0.3', { minimum: 5, exclusiveMinimum: true }, [6], [5, 4]],
    ['3.0: bounds that are not exclusive', '3.0.3', { maximum: 5, exclusiveMaximum: false }, [5], [6]],
    ['3.1: exclusive bounds', '3.1.0', { exclusiveMinimum: 5 }, [6], [5]],
    ['3.1: lists of types', '3.1.0', { type: ['string', 'null'] }, ['a', null], [5]],
    ['3.2: lists of types', '3.2.0', { type: ['string', 'null'] }, ['a', null], [5]],
    ['3.1: const', '3.1.0', { const: 'a' }, ['a'], ['b']],
    ['3.1: a boolean schema', '3.1.0', { properties: { a: false } }, [{}], [{ a: 1 }]],
    ['3.0: no siblings', '3.0.3', { $ref: '#/components/schemas/Base', minLength: 4 }, ['abc'], ['a']],
    ['3.1: siblings', '3.1.0', { $ref: '#/components/schemas/Base', minLength: 4 }, ['abcd'], ['abc', 5]],
    [
      '3.1: siblings apply too',
      '3.1.0',
      { $ref: '#/components/schemas/Long', type: 'string' },
      ['abcd'],
      ['abc', 5],
    ],
    ['3.2: siblings', '3.2.0', { $ref: '#/components/schemas/Base', maxLength: 3 }, ['abc'], ['a', 'abcd']],
  ] as readonly (readonly [string, string, JsonObject, readonly Json[], readonly Json[]])[]) {
    test(what, async (t) => {
      for (const value of yes) assert.ok(await accepts(t, openapi, schema, value), JSON.stringify(value))
      for (const value of no) assert.ok(!(await accepts(t, openapi, schema, value)), JSON.stringify(value))
    })
  }

  test('3.2: the method QUERY, further methods, and the whole query as one parameter', async (t) => {
    const { url, received } = await apiServer(t)
    const whole = (type: string): JsonObject => ({
      parameters: [
        { name: 'filter', in: 'querystring', content: { [type]: { schema: { type: 'object' } } } },
      ],
    })
    const paths: JsonObject = {
      '/a': {
        query: { operationId: 'ask', ...bodyOf({ type: 'object' }) },
        additionalOperations: { COPY: { operationId: 'copy' }, TRACE: { operationId: 'trace' } },
      },
      '/form': { get: { operationId: 'form', ...whole('application/x-www-form-urlencoded') } },
      '/json': { get: { operationId: 'json', ...whole('application/json') } },
    }
    const plan = await planOf(t, paths, { openapi: '3.2.0', servers: [{ url }] })
    assert.equal(toolOf(plan, 'ask').effect, 'read')
    assert.equal(toolOf(plan, 'copy').effect, 'write')
    assert.match(toolOf(plan, 'trace').reason ?? '', /method TRACE are not sent/)
    await callApi(toolOf(plan, 'ask'), { body: { q: 1 } })
    await callApi(toolOf(plan, 'copy'), {})
    await callApi(toolOf(plan, 'form'), { filter: { a: 'x y', b: 2 } })
    await callApi(toolOf(plan, 'json'), { filter: { a: 1 } })
    assert.deepEqual(
      received.map(({ method, path, body }) => [method, path, body]),
      [
        ['QUERY', '/a', '{"q":1}'],
        ['COPY', '/a', ''],
        ['GET', '/form?a=x+y&b=2', ''],
        ['GET', '/json?%7B%22a%22%3A1%7D', ''],
      ],
    )
    const older = await planOf(t, paths, { openapi: '3.1.0' })
    assert.deepEqual(
      older.tools.map(({ name }) => name),
      ['good', 'form', 'json'],
    )
    assert.deepEqual(toolOf(older, 'form').parameters_schema?.properties, {})
  })

  test('3.2: $self is the address of the document in references, and servers are relative to its URL', async (t) => {
    const components = { schemas: { S: { type: 'integer' } } }
    for (const $self of ['https://api.example/openapi.json', 'openapi.json']) {
      const $ref = `${$self}#/components/schemas/S`
      const paths = { '/a': { post: { operationId: 'a', ...bodyOf({ $ref }) } } }
      const tool = toolOf(await planOf(t, paths, { openapi: '3.2.0', $self, components }), 'a')
      assert.equal(breach(tool, { body: 1 }), null)
      assert.notEqual(breach(tool, { body: 'x' }), null)
      assert.equal(tool.endpoint, 'http://127.0.0.1:1/a')
    }
  })

  test('a path may refer to a description and add to it', async (t) => {
    const plan = await planOf(
      t,
      { '/a': { $ref: '#/components/pathItems/P', post: { operationId: 'post' } } },
      { components: { pathItems: { P: { get: { operationId: 'get' } } } } },
    )
    assert.deepEqual(
      plan.tools.map(({ name }) => name),
      ['good', 'get', 'post'],
    )
  })
})

describe('a document is read as other readers read it', () => {
  const yaml = (paths: string, version = '3.1.0') =>
    `openapi: ${version}\nservers: [{url: 'http://127.0.0.1:1'}]\npaths:\n${paths}`

  for (const [what, text, note] of [
    [
      'status codes without quotes',
      yaml('  /a:\n    get: {operationId: a, responses: {200: {description: ok}}}\n'),
      undefined,
    ],
    ['a version without quotes', yaml('  /a: {get: {operationId: a}}\n', '3.1'), undefined],
    ['version 3.0 without quotes', yaml('  /a: {get: {operationId: a}}\n', '3.0'), undefined],
    [
      'a repeated description',
      yaml('  /a:\n    get:\n      operationId: a\n      description: x\n      description: y\n'),
      /line 8: "description" is a duplicate name/,
    ],
    ['a timestamp', yaml('  /a: {get: {operationId: a, x-since: !!timestamp 2024-01-01}}\n'), /line 4/],
    [
      'a date as name and value',
      yaml('  /a: {get: {operationId: a, x-2024: {2024-01-01: 2024-01-02}}}\n'),
      undefined,
    ],
    ['merge keys', yaml('  /b: &b {summary: B}\n  /a:\n    <<: *b\n    get: {operationId: a}\n'), undefined],
    ['a byte order mark', `\u{FEFF}${yaml('  /a: {get: {operationId: a}}\n')}`, undefined],
    ['two documents', `${yaml('  /a: {get: {operationId: a}}\n')}---\nx: 1\n`, /a second YAML document/],
    [
      'comments in JSON',
      '{"openapi":"3.1.0",// v\n"servers":[{"url":"http://127.0.0.1:1"}],"paths":{"/a":{"get":{"operationId":"a"}},}}',
      /JSON has no comments/,
    ],
    [
      'a repeated name in JSON',
      '{"openapi":"3.1.0","info":{"title":"a","title":"b"},"servers":[{"url":"http://127.0.0.1:1"}],"paths":{"/a":{"get":{"operationId":"a"}}}}',
      /"title" is a duplicate name/,
    ],
  ] as readonly (readonly [string, string, RegExp | undefined])[]) {
    test(what, async (t) => {
      const plan = await planApi(t, text)
      const [tool] = plan.tools
      assert.deepEqual([tool?.gate, tool?.endpoint], ['allow', 'http://127.0.0.1:1/a'], tool?.reason)
      const noted = plan.degradations.map(({ reason }) => reason).join()
      if (note === undefined) assert.equal(noted, '')
      else assert.match(noted, note)
    })
  }

  test('numbers as names: of operations, tags, parameters, members and required members', async (t) => {
    const text = yaml(
      [
        '  /a:',
        '    post:',
        '      operationId: 404',
        '      tags: [2024]',
        '      parameters: [{name: 7, in: query, schema: {type: string, enum: [1, 2]}}]',
        '      requestBody: {content: {application/json: {schema: {type: object, required: [200], properties: {200: {type: integer}}}}}}',
      ].join('\n'),
    )
    const plan = await planApi(t, text, { tool: { endpoint: 'api.json#tag=2024' } })
    const [tool] = plan.tools as [PlannedTool]
    assert.equal(tool.reason, undefined)
    assert.equal(breach(tool, { 7: '2', body: { 200: 1 } }), null)
    assert.notEqual(breach(tool, { 7: '3' }), null)
    assert.notEqual(breach(tool, { body: {} }), null)
  })

  test('a document that is nested deeper than ours', async (t) => {
    let deep: JsonObject = { type: 'string' }
    for (let n = 0; n < 60; n++) deep = { type: 'object', properties: { a: deep } }
    const tool = toolOf(await planOf(t, { '/a': { post: { operationId: 'a', ...bodyOf(deep) } } }), 'a')
    assert.equal(tool.gate, 'allow')
    assert.notEqual(breach(tool, { body: { a: 5 } }), null)
  })
})

describe('servers with variables', () => {
  const paths = { '/a': { get: { operationId: 'a' } } }
  const plan = (t: TestContext, servers: JsonObject) =>
    planApi(t, documentOf(paths, { servers: [servers] } as unknown as JsonObject))

  test('a variable without a value is named, and where to set it; no host is proposed', async (t) => {
    for (const variables of [
      undefined,
      null,
      {},
      { tenant: null },
      { tenant: { default: null } },
      { tenant: { enum: ['a', 'b'] } },
    ]) {
      for (const url of ['http://{tenant}.example.com', 'https://api.example.com/{tenant}/v1']) {
        const [tool] = (await plan(t, { url, ...(variables !== undefined && { variables }) } as JsonObject))
          .tools
        assert.equal(tool?.gate, 'deny')
        assert.match(tool?.reason ?? '', /the variable \{tenant\} of the server .* has no value; .*"default"/)
        assert.doesNotMatch(tool?.reason ?? '', /allowHosts/)
      }
    }
  })

  test('a default, also a number or false, and a single possible value are values', async (t) => {
    for (const variable of [
      { default: 1 },
      { default: '1' },
      { enum: ['1'] },
      { default: '1', enum: ['2', '1'] },
    ]) {
      const url = 'http://127.0.0.1:{port}'
      const [tool] = (await plan(t, { url, variables: { port: variable } })).tools
      assert.equal(tool?.endpoint, 'http://127.0.0.1:1/a')
    }
  })

  test('another server of the list is used', async (t) => {
    const servers = [{ url: 'http://{tenant}.example.com' }, { url: 'http://127.0.0.1:2' }]
    const [tool] = (await planApi(t, documentOf(paths, { servers }))).tools
    assert.deepEqual([tool?.gate, tool?.endpoint], ['allow', 'http://127.0.0.1:2/a'])
  })
})

describe('what every request carries is bounded by size', () => {
  const operations = (count: number, characters: number): JsonObject =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `/t${n}`,
        {
          post: {
            operationId: `op${n}`,
            ...bodyOf({
              type: 'object',
              properties: Object.fromEntries(
                Array.from({ length: Math.ceil(characters / 300) }, (_none, m) => [
                  `member${m}`,
                  { type: 'string', description: 'd'.repeat(260) },
                ]),
              ),
            }),
          },
        },
      ]),
    )
  const namesOf = async (t: TestContext, paths: JsonObject) => {
    const plan = await planApi(t, documentOf(paths, here))
    return {
      names: plan.tools.map(({ name }) => name),
      notes: plan.degradations.map(({ reason }) => reason).join(),
    }
  }

  test('few operations with large schemas are searched, and the plan says why', async (t) => {
    const { names, notes } = await namesOf(t, operations(22, 5_000))
    assert.deepEqual(names, ['api_find', 'api_write'])
    assert.match(
      notes,
      /its 22 operations are searched, not listed: their descriptions are \d+ KB in every request/,
    )
  })

  test('as many with small schemas are listed, and so is a single large one', async (t) => {
    assert.equal((await namesOf(t, operations(22, 600))).names.length, 22)
    assert.deepEqual((await namesOf(t, operations(1, 20_000))).names, ['api'])
  })
})
