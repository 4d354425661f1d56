import assert from 'node:assert/strict'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { planRun } from 'waybill'
import type { JsonObject } from '../../../src/document/json.ts'
import { agentWith, apiServer, callApi, documentOf, folderWith, planApi, toolOf } from './api-fixture.ts'

const here = { servers: [{ url: 'http://127.0.0.1:1' }] }
const get = (id?: string, more: JsonObject = {}): JsonObject => ({
  get: { ...(id !== undefined && { operationId: id }), responses: {}, ...more },
})
const names = (plan: { readonly tools: readonly { readonly name: string }[] }) =>
  plan.tools.map(({ name }) => name)

describe('openapi tools: discovery of operations', () => {
  const pets = documentOf(
    {
      '/pets': {
        ...get('listPets', { summary: 'All pets', tags: ['pets'] }),
        post: { operationId: 'addPet', tags: ['pets', 'admin'] },
      },
      '/pets/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        ...get('getPet', { tags: ['pets'] }),
        head: { operationId: 'hasPet' },
        delete: { operationId: 'dropPet', tags: ['admin'] },
      },
    },
    here,
  )

  test('AAIF-4.4-06: every operation of a document becomes a tool, GET and HEAD as reads', async (t) => {
    const plan = await planApi(t, pets)
    assert.deepEqual(
      plan.tools.map(({ name, effect, gate, method, endpoint, declared }) => [
        name,
        effect,
        gate,
        method,
        endpoint,
        declared,
      ]),
      [
        ['listPets', 'read', 'allow', 'GET', 'http://127.0.0.1:1/pets', 'api'],
        ['addPet', 'write', 'allow', 'POST', 'http://127.0.0.1:1/pets', 'api'],
        ['getPet', 'read', 'allow', 'GET', 'http://127.0.0.1:1/pets/{id}', 'api'],
        ['hasPet', 'read', 'allow', 'HEAD', 'http://127.0.0.1:1/pets/{id}', 'api'],
        ['dropPet', 'write', 'allow', 'DELETE', 'http://127.0.0.1:1/pets/{id}', 'api'],
      ],
    )
    assert.deepEqual(toolOf(plan, 'getPet').parameters_schema, {
      type: 'object',
      properties: { id: { type: 'integer' } },
      required: ['id'],
      additionalProperties: false,
    })
    assert.equal(toolOf(plan, 'listPets').description, 'All pets')
  })

  test('the same as YAML, in version 3.0, and from a granted URL, where servers are relative to it', async (t) => {
    const yaml =
      'openapi: 3.0.3\npaths:\n  /pets:\n    get: { operationId: listPets }\nservers: [{ url: v2/ }]\n'
    const { url } = await apiServer(t, (response, { path }) =>
      response.writeHead(path === '/docs/api.yaml' ? 200 : 404).end(yaml),
    )
    const agent = agentWith({ name: 'api', endpoint: `${url}/docs/api.yaml#listPets` })
    const plan = await planRun(agent, { allowHosts: ['127.0.0.1'], env: {} })
    assert.deepEqual(names(plan), ['api'])
    assert.equal(plan.tools[0]?.endpoint, `${url}/docs/v2/pets`)
  })

  test('a document at a URL that was not granted is not fetched, and the plan says how to grant it', async (t) => {
    const { url, received } = await apiServer(t)
    const plan = await planRun(agentWith({ name: 'api', endpoint: `${url}/api.json` }), { env: {} })
    assert.equal(plan.tools[0]?.gate, 'deny')
    assert.match(plan.tools[0]?.reason ?? '', /allowHosts: \['127\.0\.0\.1/)
    assert.equal(received.length, 0)
  })

  test('AAIF-4.4-17: the fragment of the endpoint selects operations by name or tag, and a typing error gives a suggestion', async (t) => {
    const choose = async (fragment: string) =>
      planApi(t, pets, { tool: { endpoint: `api.json#${fragment}` } })
    assert.deepEqual(names(await choose('getPet,listPets')), ['listPets', 'getPet'])
    assert.deepEqual(names(await choose('tag=admin')), ['addPet', 'dropPet'])
    assert.deepEqual(names(await choose('tag=admin,hasPet')), ['addPet', 'hasPet', 'dropPet'])
    const wrong = await choose('listPet')
    assert.equal(wrong.tools[0]?.gate, 'deny')
    assert.match(wrong.tools[0]?.reason ?? '', /no operation "listPet"; did you mean listPets\?/)
    assert.match((await choose('tag=pts')).tools[0]?.reason ?? '', /no tag "pts"/)
  })

  test('operations without a name, with the same name or with an unusable one are named by method and path', async (t) => {
    const paths = {
      '/a/{x}': get(),
      '/b': get('same'),
      '/c': get('same'),
      '/d': get('läuft.nicht so'),
      [`/${'long/'.repeat(20)}`]: get(),
    }
    const forwards = names(await planApi(t, documentOf(paths, here)))
    const backwards = names(
      await planApi(t, documentOf(Object.fromEntries(Object.entries(paths).toReversed()), here)),
    )
    assert.deepEqual(forwards, backwards.toReversed(), 'names do not depend on the order')
    assert.deepEqual(forwards.slice(0, 4), ['get_a_x', 'same_get_b', 'same_get_c', 'l_uft_nicht_so'])
    assert.ok(forwards.every((name) => /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name)))
  })

  test('a document that is not OpenAPI 3 is refused with the reason', async (t) => {
    for (const [text, reason] of [
      ['{"swagger":"2.0","paths":{}}', /Swagger 2\.0; convert it/],
      ['{"openapi":"4.0.0","paths":{}}', /has no "openapi"/],
      ['{"openapi":"3.1.0"}', /has no paths/],
      ['{"openapi":"3.1.0","paths":{}}', /no operations/],
      ['[]', /not an OpenAPI document/],
      ['{"openapi":', /line 1/],
    ] as const) {
      const [tool] = (await planApi(t, text)).tools
      assert.equal(tool?.gate, 'deny')
      assert.match(tool?.reason ?? '', reason)
    }
  })

  test('a file outside the folder of the definition is not read, neither by path nor by link', async (t) => {
    const folder = folderWith(t, {})
    const outside = folderWith(t, { 'api.json': pets })
    symlinkSync(join(outside, 'api.json'), join(folder, 'link.json'))
    for (const endpoint of [join(outside, 'api.json'), 'link.json', '../../../etc/hostname']) {
      const plan = await planRun(agentWith({ name: 'api', endpoint }), { folder, env: {} })
      assert.equal(plan.tools[0]?.gate, 'deny')
      assert.match(plan.tools[0]?.reason ?? '', /outside the folder of the definition|no such file/)
    }
  })
})

describe('openapi tools: references', () => {
  test('references to other documents are never followed', async (t) => {
    const { url, received } = await apiServer(t)
    const folder = folderWith(t, { 'other.json': { type: 'string' } })
    const paths = {
      '/a': get('a', {
        parameters: [
          { name: 'x', in: 'query', schema: { $ref: `${url}/schema.json` } },
          { name: 'y', in: 'query', schema: { $ref: 'other.json' } },
          { $ref: `${url}/parameter.json` },
        ],
      }),
      '/b': { $ref: `${url}/item.json` },
    }
    writeFileSync(join(folder, 'api.json'), JSON.stringify(documentOf(paths, here)))
    const plan = await planRun(agentWith({ name: 'api', endpoint: 'api.json' }), {
      folder,
      allowHosts: ['127.0.0.1'],
      env: {},
    })
    assert.deepEqual(names(plan), ['api'])
    const { properties } = toolOf(plan, 'api').parameters_schema as { properties: Record<string, JsonObject> }
    assert.deepEqual(Object.keys(properties), ['x', 'y'])
    assert.deepEqual(properties, { x: {}, y: {} })
    assert.match(
      toolOf(plan, 'api').reason ?? '',
      /schema\.json" is another document, and it is never fetched/,
    )
    assert.equal(received.length, 0)
    const mapped = await planRun(agentWith({ name: 'api', endpoint: 'api.json' }), {
      folder,
      allowHosts: ['127.0.0.1'],
      env: {},
      schemas: { [`${url}/schema.json`]: { type: 'integer' }, 'other.json': { type: 'boolean' } },
    })
    const whole = toolOf(mapped, 'api')
    assert.deepEqual(whole.parameters_schema?.$defs, {
      schema: { type: 'integer' },
      other: { type: 'boolean' },
    })
    assert.match(whole.reason ?? '', /^one of its parameters cannot be read: .*parameter\.json is not in/)
    assert.match(
      mapped.degradations.map(({ reason }) => reason).join(),
      /the path \/b cannot be read: .*item\.json is not in this document/,
    )
  })

  test('circular schemas stay circular, and are checked as such', async (t) => {
    const { url, received } = await apiServer(t)
    const node = {
      type: 'object',
      properties: { name: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } },
    }
    const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } } }
    const more = { servers: [{ url }], components: { schemas: { Node: node } } }
    const plan = await planApi(
      t,
      documentOf({ '/n': { post: { operationId: 'add', requestBody: body } } }, more),
    )
    const tool = toolOf(plan, 'api')
    assert.deepEqual(tool.parameters_schema?.$defs, {
      Node: { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/Node' } } },
    })
    await callApi(tool, { body: { name: 'a', next: { name: 'b' } } })
    assert.deepEqual(JSON.parse(received[0]?.body ?? ''), { name: 'a', next: { name: 'b' } })
  })

  test('circular and dangling references leave their schema open', async (t) => {
    const more = {
      ...here,
      components: {
        parameters: { A: { $ref: '#/components/parameters/B' }, B: { $ref: '#/components/parameters/A' } },
        schemas: { S: { $ref: '#/components/schemas/S' } },
      },
    }
    const parameters = [
      { $ref: '#/components/parameters/A' },
      { name: 'q', in: 'query', schema: { $ref: '#/components/schemas/S' } },
      { name: 'r', in: 'query', schema: { $ref: '#/nowhere' } },
    ]
    const plan = await planApi(t, documentOf({ '/a': get('a', { parameters }) }, more))
    assert.equal(plan.tools[0]?.gate, 'allow')
    const properties = plan.tools[0]?.parameters_schema?.properties as JsonObject
    assert.deepEqual(Object.keys(properties), ['q', 'r'])
  })

  test('a schema that fans out exponentially is left open where it is deep', async (t) => {
    const schemas: Record<string, JsonObject> = {}
    for (let n = 0; n < 400; n++) {
      const of = (m: number) => ({ $ref: `#/components/schemas/S${m % 400}` })
      schemas[`S${n}`] = {
        type: 'object',
        description: 'x'.repeat(100),
        properties: { a: of(n * 2 + 1), b: of(n * 2 + 2), own: { type: 'string' } },
      }
    }
    const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } } }
    const document = documentOf(
      { '/n': { post: { operationId: 'add', requestBody: body } } },
      { ...here, components: { schemas } },
    )
    const plan = await planApi(t, document)
    const schema = plan.tools[0]?.parameters_schema as JsonObject
    assert.ok(JSON.stringify(schema).length < 25_000)
    assert.ok(Object.keys(schema.$defs as JsonObject).length >= 3)
  })

  test('members that only answers contain are neither offered nor required', async (t) => {
    const schema = {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } },
    }
    const body = { required: true, content: { 'application/json': { schema } } }
    const plan = await planApi(
      t,
      documentOf({ '/a': { post: { operationId: 'a', requestBody: body } } }, here),
    )
    assert.deepEqual((toolOf(plan, 'api').parameters_schema as { properties: JsonObject }).properties.body, {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    })
  })
})

describe('openapi tools: servers', () => {
  test('the first server that is granted, the nearest list of servers first, variables with their defaults', async (t) => {
    const servers = [
      { url: 'https://api.example' },
      {
        url: 'http://{host}:{port}/v1',
        variables: { host: { default: '127.0.0.1' }, port: { default: 81 } },
      },
    ]
    const near = { servers: [{ url: 'http://127.0.0.1:82/near' }] }
    const paths = { '/a': get('a'), '/b': { ...get('b'), ...near }, '/c': get('c', near) }
    const plan = await planApi(t, documentOf(paths, { servers }))
    assert.deepEqual(
      plan.tools.map(({ endpoint }) => endpoint),
      ['http://127.0.0.1:81/v1/a', 'http://127.0.0.1:82/near/b', 'http://127.0.0.1:82/near/c'],
    )
  })

  test('AAIF-12-02: a server without a grant is denied, with a hint', async (t) => {
    const paths = { '/a': get('a'), '/b': { ...get('b'), servers: [{ url: 'https://elsewhere.example/' }] } }
    const plan = await planApi(t, documentOf(paths, here))
    assert.equal(toolOf(plan, 'a').gate, 'allow')
    assert.equal(toolOf(plan, 'b').gate, 'deny')
    assert.match(toolOf(plan, 'b').reason ?? '', /allowHosts: \['elsewhere\.example/)
    assert.deepEqual(
      plan.degradations.map(({ path }) => path),
      ['/agent/tools/0'],
    )
  })

  test('a file whose servers have no host cannot be called, and the reason says what to add', async (t) => {
    const [tool] = (await planApi(t, documentOf({ '/a': get('a') }))).tools
    assert.equal(tool?.gate, 'deny')
    assert.match(tool?.reason ?? '', /add "servers"/)
  })

  test('a rehearsal reads the document, and reports but does not enforce the refusals of a real run', async (t) => {
    const document = documentOf({ '/a': get('a') }, { servers: [{ url: 'https://api.example' }] })
    const [tool] = (await planApi(t, document, { rehearse: true })).tools
    assert.equal(tool?.gate, 'allow')
    assert.equal(tool?.doubled, true)
    assert.match(tool?.reason ?? '', /a real run would deny it: .*allowHosts: \['api\.example/)
    assert.equal(tool?.method, 'GET')
  })
})
