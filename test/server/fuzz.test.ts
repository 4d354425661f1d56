import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { isObject, type Json, type JsonObject, valueAt } from '../../src/document/json.ts'
import { OPENAI_OPERATIONS } from '../../src/server/openai/openai-operations.ts'
import { registerOpenAi } from '../../src/server/openai/register-openai.ts'
import type { FakePlatform } from './fake-platform.ts'
import { definition, type Received, type Served, serveFake } from './served.ts'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 5_000)
const AGENT = '0198c0de-0000-7000-8000-000000000001'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: JsonObject
}

interface Content {
  readonly content: Readonly<Record<string, { readonly schema?: JsonObject }>>
}

interface Operation {
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

interface Target {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

interface Attempt {
  readonly target: Target
  readonly path: Readonly<Record<string, string>>
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Ids that exist, so that requests reach the handlers. */
const KNOWN = [AGENT, 'Clerk', 'r1', 's1', 'a1', 'b1', '1.0.0', 'production']

/** Texts that break parsers, queries and databases. */
const NASTY = [
  '',
  ' ',
  '\u0000',
  '__proto__',
  'constructor',
  '../..',
  '%00',
  "' OR 1=1--",
  '\ud800',
  'x'.repeat(600),
  '🦊',
  '-1',
  '1e9',
  'NaN',
]

const nasty = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...KNOWN) },
  { weight: 2, arbitrary: fc.constantFrom(...NASTY) },
  fc.string({ maxLength: 20, unit: 'binary' }),
)

/** An object may have a member `toString` that is not a function. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Returns values of a schema, mostly valid ones. */
function valuesOf(schema: JsonObject, depth = 0): fc.Arbitrary<unknown> {
  const wrong = {
    weight: 1,
    arbitrary: fc.oneof(fc.jsonValue({ maxDepth: 2 }), nasty) as fc.Arbitrary<unknown>,
  }
  return fc.oneof({ weight: 12, arbitrary: validOf(schema, depth) }, wrong)
}

function validOf(schema: JsonObject, depth: number): fc.Arbitrary<unknown> {
  const { type, minimum = -10, maximum = 1_000 } = schema
  if (typeof schema.$ref === 'string')
    return fc.constant(schema.$ref.slice(1)).chain((at) => validOf(named(at), depth))
  if (isObject(schema.discriminator)) return fc.oneof(...variantsOf(schema).map((one) => validOf(one, depth)))
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  switch (type) {
    case 'string':
      if (schema.format === 'date-time')
        return fc.constantFrom('2026-01-01T00:00:00Z', '2026-13-01T00:00:00Z', 'now')
      return nasty
    case 'integer':
      return fc.integer({ min: Number(minimum), max: Math.min(Number(maximum), 2_000) })
    case 'number':
      // A longer wait would only make the test slow.
      return fc.double({ min: 0, max: 0.001, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(valuesOf(schema.items as JsonObject, depth + 1), { maxLength: 3 })
    case 'object': {
      const members = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>)
      const required = new Set(schema.required as readonly string[])
      const known = fc.record(
        Object.fromEntries(members.map(([name, member]) => [name, valuesOf(member, depth + 1)])),
        {
          requiredKeys: [...required],
        },
      )
      return fc.oneof(
        { weight: 12, arbitrary: known },
        {
          weight: 1,
          arbitrary: fc
            .tuple(known, nasty, fc.jsonValue({ maxDepth: 1 }))
            .map(([value, name, extra]) => ({ ...value, [name]: extra })),
        },
      )
    }
    default:
      return fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant('a\u0000b'))
  }
}

/** The components of the document under test. */
let components: Json = {}

function named(pointer: string): JsonObject {
  const schema = valueAt({ components }, pointer)
  assert.ok(isObject(schema), pointer)
  return schema
}

function variantsOf({ oneOf }: JsonObject): readonly JsonObject[] {
  return Array.isArray(oneOf) ? oneOf.filter(isObject) : []
}

function attemptAt(target: Target): fc.Arbitrary<Attempt> {
  const { operation } = target
  const inPath = operation.parameters.filter((entry) => entry.in === 'path')
  const inQuery = operation.parameters.filter((entry) => entry.in === 'query')
  const schema = operation.requestBody?.content['application/json']?.schema
  const json = (schema === undefined ? fc.jsonValue() : valuesOf(schema)).map(
    (value) => JSON.stringify(value) ?? '',
  )
  const broken = fc.oneof(
    fc.constantFrom('', '{', '[', '{"a":1,"a":2}', '\u0000', '['.repeat(300)),
    fc.string({ unit: 'binary' }),
  )
  const whole = fc.constantFrom(definition(AGENT), ` ${definition(AGENT)}`)
  const body =
    operation.requestBody === undefined
      ? fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, json)
      : fc.oneof(
          { weight: 8, arbitrary: schema === undefined ? whole : json },
          { weight: 1, arbitrary: broken },
        )
  return fc.record({
    target: fc.constant(target),
    path: fc.record(Object.fromEntries(inPath.map(({ name }) => [name, nasty]))),
    query: fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .subarray(inQuery)
          .chain((chosen) =>
            fc.tuple(
              ...chosen.map(({ name, schema: of }) =>
                valuesOf(of).map((value): readonly [string, string] => [name, textOf(value)]),
              ),
            ),
          ),
      },
      { weight: 1, arbitrary: fc.array(fc.tuple(nasty, nasty), { maxLength: 2 }) },
    ),
    headers: fc.record(
      {
        'content-type': fc.oneof(
          { weight: 8, arbitrary: fc.constant('application/json') },
          fc.constantFrom(
            'application/yaml',
            'application/cbor',
            'text/plain',
            'json',
            'application/json; charset=latin1',
            '*/*',
          ),
        ),
        accept: fc.constantFrom(
          'application/json',
          'text/event-stream',
          '*/*',
          'text/html;q=2',
          ';;,,',
          'application/cbor',
        ),
        'idempotency-key': fc.constantFrom('k1', 'k2', 'k3', '', 'a b', 'x'.repeat(300)),
        'last-event-id': fc.constantFrom('0', '2', 'abc', '-1', '99999999999999999999'),
        'content-encoding': fc.constantFrom('identity', 'gzip'),
      },
      { requiredKeys: ['content-type'] },
    ),
    body,
  })
}

/** Sends one attempt, and checks the answer against the document. */
class Checker {
  readonly #served: Served
  readonly #token: string
  readonly #document: Json
  readonly #ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } })
  readonly #compiled = new Map<string, ValidateFunction>()
  readonly statuses = new Map<number, number>()
  /** Good answers to clients of the OpenAI API. */
  chats = 0

  constructor(served: Served, token: string, document: Json) {
    this.#served = served
    this.#token = token
    this.#document = document
    components = valueAt(document, '/components') ?? {}
    this.#ajv.addSchema({ $id: 'doc:/api', components: valueAt(document, '/components') })
  }

  targets(): readonly Target[] {
    const paths = valueAt(this.#document, '/paths') as unknown as Record<string, Record<string, Operation>>
    return Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    )
  }

  async check({ target, path, query, headers, body }: Attempt): Promise<void> {
    const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
    const steps = target.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encode(path[name] ?? ''))
    const received = await this.#served.send(
      target.method as 'GET',
      search === '' ? steps : `${steps}?${search}`,
      {
        token: this.#token,
        headers: body === undefined ? without(headers, 'content-type', 'content-encoding') : headers,
        ...(body !== undefined && { body }),
      },
    )
    this.statuses.set(received.status, (this.statuses.get(received.status) ?? 0) + 1)
    this.#assertDocumented(target, received)
  }

  #assertDocumented({ method, path, operation }: Target, received: Received): void {
    const where = `${method} ${path} → ${received.status} ${received.text.slice(0, 300)}`
    assert.ok(received.status < 500, where)
    const type = String(received.headers['content-type']).split(';')[0] ?? ''
    // A path whose id is empty or has a slash is another path, which the document does not have.
    if (received.status === 404 || received.status === 405) {
      const { code } = received.json as { code: string }
      if (code === 'ROUTE_NOT_FOUND' || code === 'METHOD_NOT_ALLOWED') return
    }
    const answer = operation.responses[String(received.status)]
    assert.ok(answer !== undefined, where)
    const content = answer.content[type]
    assert.ok(content !== undefined, `${type}: ${where}`)
    const ours = !path.startsWith('/openai/')
    if (received.status >= 400 && ours) assert.equal(type, 'application/problem+json', where)
    if (received.status === 200 && path.startsWith('/openai/')) this.chats++
    if (content.schema === undefined) return
    const validate: ValidateFunction = this.#validatorOf(
      `${method} ${path} ${received.status}`,
      content.schema,
    )
    assert.ok(validate(received.json) === true, `${where} ${JSON.stringify(validate.errors?.slice(0, 3))}`)
    if (received.status >= 400 && ours)
      assert.equal((received.json as { status: number }).status, received.status, where)
  }

  #validatorOf(name: string, schema: JsonObject): ValidateFunction {
    const known = this.#compiled.get(name)
    if (known !== undefined) return known
    const text = JSON.stringify(schema).replaceAll('"#/components', '"doc:/api#/components')
    const compiled = this.#ajv.compile(JSON.parse(text))
    this.#compiled.set(name, compiled)
    return compiled
  }
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function without(headers: Attempt['headers'], ...names: readonly string[]): Attempt['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
}

/** Gives the organisation one thing of each kind. */
async function fill({ send }: Served, token: string, platform: FakePlatform): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await send('POST', '/v1/agents', { token, body: definition(AGENT), headers })
  await send('PUT', `/v1/agents/${AGENT}/labels/openai`, { token, json: { version: '1.0.0' } })
  const { runs, sessions } = platform.tenant({ organisation: 'acme', user: 'acme-admin', roles: ['admin'] })
  await runs.start(AGENT, { input: 'hello' }, 'r1')
  await runs.startBatch(AGENT, ['a', 'b'], {}, 'b1')
  await sessions.create({ agent_id: AGENT, session: 's1' })
  platform.ask('acme', 'a1')
}

describe('requests made from the OpenAPI document', () => {
  test(`${REQUESTS} requests: no 500, and every answer is one of the document`, {
    timeout: 300_000,
  }, async (t) => {
    const served = await serveFake(t, {
      limits: { requestsPerSecond: 1e9, burst: 1e9 },
      furtherOperations: OPENAI_OPERATIONS,
      register: (app, server) => registerOpenAi(app, server, { waitMs: 5 }),
    })
    await fill(served, served.token, served.platform)
    const checker = new Checker(served, served.token, (await served.send('GET', '/openapi.json')).json)
    const attempt = fc.constantFrom(...checker.targets()).chain(attemptAt)
    await fc.assert(
      fc.asyncProperty(attempt, (made) => checker.check(made)),
      { numRuns: REQUESTS },
    )
    // The requests are of use only if many of them succeed, and fail in different ways.
    const count = (status: number) => checker.statuses.get(status) ?? 0
    assert.ok(count(200) + count(201) + count(202) > REQUESTS / 10, JSON.stringify([...checker.statuses]))
    assert.ok(checker.chats > 0, 'no request for the OpenAI API succeeded')
    for (const status of [400, 404, 409, 415, 422])
      assert.ok(count(status) > 0, `no answer had the status ${status}`)
    assert.deepEqual(served.log, [])
  })
})
