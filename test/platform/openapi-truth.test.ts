import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { isExcused, placeOf } from '../../scripts/suites/is-announced.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../../src/document/json.ts'
import { OPENAI_OPERATIONS } from '../../src/server/openai/openai-operations.ts'
import { registerOpenAi } from '../../src/server/openai/register-openai.ts'
import { invalidValues, validValues } from '../server/schema-values.ts'
import { filled, place, resources } from './filled-platform.ts'

const RUNS = Number(process.env.WAYBILL_TRUTH_REQUESTS ?? 8)
const SEED = 20261128

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: JsonObject
}

interface Operation {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: JsonObject }>> }
}

interface Target {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** They end the session of the test, or have no JSON body. */
const LEFT_OUT = new Set(['endBrowserSession', 'receiveHandoff', 'openHandoff', 'receiveHook'])

/** Refusals that depend on a resource, and not on the request alone. */
const OF_THE_RESOURCE: Readonly<Record<string, readonly string[]>> = {
  sendTriggerMessage: ['TRIGGER_INVALID'],
  retryRun: ['AGENT_NOT_ACTIVE'],
}

/** Refusals of the form of a request. */
const REFUSED = new Set([400, 406, 411, 413, 415, 422])

async function opened(t: Parameters<typeof place>[0]) {
  const site = await place(t, {
    furtherOperations: OPENAI_OPERATIONS,
    register: (app, server) => registerOpenAi(app, server, { waitMs: 5 }),
  })
  const document: Json = (await site.send('GET', '/openapi.json')).json
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': MOMENT, uuid: true, uri: true } })
  ajv.addSchema({ $id: 'doc:/api', components: valueAt(document, '/components') })
  const compiled = new Map<string, ValidateFunction>()
  const fits = (schema: JsonObject, value: unknown) => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"doc:/api#/components')
    const check = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, check)
    return check(value) === true && wellFormed(schema, value)
  }
  /** The words of the keyword `x-well-formed`. */
  const wellFormed = (_schema: JsonObject, value: unknown) =>
    !/\\ud[89a-f]/i.test(JSON.stringify(value) ?? '')
  const targets = Object.entries(
    valueAt(document, '/paths') as unknown as Record<string, Record<string, Operation>>,
  )
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]): Target => ({ path, method, operation })),
    )
    .filter(({ operation }) => !LEFT_OUT.has(operation.operationId))
  return { ...site, document, targets, of: { document, fits } }
}

const isMade = ({ schema }: Parameter) => schema['x-opaque'] !== true

function bodySchemaOf({ operation }: Target): JsonObject | undefined {
  return operation.requestBody?.content['application/json']?.schema
}

describe('the OpenAPI document', () => {
  it('is true: what it allows is taken, and what it forbids is refused, by every route', async (t) => {
    const site = await opened(t)
    const names: Readonly<Record<string, string>> = await resources(site)
    const { send, admin: token, document, targets, of } = site
    const body = (value: unknown) => ({
      body: JSON.stringify(value),
      headers: { 'content-type': 'application/json' },
    })
    const counts = { taken: 0, refused: 0, excused: 0 }
    for (const target of targets) {
      const { method, path, operation } = target
      const { operationId, parameters } = operation
      const schema = bodySchemaOf(target)
      const valuesIn = (place: string) =>
        fc.record(
          Object.fromEntries(
            parameters
              .filter((one) => one.in === place && isMade(one))
              .map((one) => [one.name, validValues(one.schema, of)]),
          ),
          { requiredKeys: place === 'path' ? undefined : [] } as object,
        ) as fc.Arbitrary<Record<string, unknown>>
      const ask = (params: Readonly<Record<string, string>>, query: object, sent: object) => {
        const search = Object.entries(query).map(
          ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
        )
        const url = `${filled(path, params)}${search.length === 0 ? '' : `?${search.join('&')}`}`
        return send(method.toUpperCase() as 'GET', url, { token, ...sent })
      }
      const good = fc.record({
        params: fc.oneof(
          fc.constant(names),
          valuesIn('path').map((made) => made as Record<string, string>),
        ),
        query: valuesIn('query'),
        body: schema === undefined ? fc.constant(undefined) : validValues(schema, of),
      })
      for (const made of fc.sample(good, { numRuns: RUNS, seed: SEED })) {
        const sent = made.body === undefined ? {} : body(made.body)
        const answer = await ask(made.params, made.query, sent)
        const what = `${operationId} ${JSON.stringify(made).slice(0, 600)}: ${answer.status} ${answer.text.slice(0, 400)}`
        assert.ok(answer.status < 500, what)
        if (!REFUSED.has(answer.status)) {
          counts.taken++
          continue
        }
        const { code } = answer.json
        const isOfResource = OF_THE_RESOURCE[operationId]?.includes(code) === true
        assert.ok(
          isOfResource || (schema !== undefined && isExcused(document, schema, placeOf(answer.json))),
          what,
        )
        counts.excused++
      }
      const bad = [
        ...(schema === undefined ? [] : [invalidValues(schema, of).map((wrong) => ({ query: {}, wrong }))]),
        ...parameters
          .filter((one) => one.in === 'query')
          .map((one) =>
            invalidTexts(one, of).map((text) => ({ query: { [one.name]: text }, wrong: undefined })),
          ),
        // Clients of the OpenAI API add parameters.
        ...(path.startsWith('/openai/')
          ? []
          : [fc.constant({ query: { unknown_parameter: 'x' }, wrong: undefined })]),
      ]
      for (const kind of bad) {
        for (const { query, wrong } of fc.sample(kind, { numRuns: RUNS, seed: SEED })) {
          if (schema !== undefined && wrong === undefined) continue
          const answer = await ask(names, query, wrong === undefined ? {} : body(wrong))
          const what = `${operationId} ${JSON.stringify({ query, wrong }).slice(0, 600)}: ${answer.status} ${answer.text.slice(0, 400)}`
          assert.ok(answer.status >= 400 && answer.status < 500, what)
          counts.refused++
        }
      }
    }
    assert.ok(counts.taken > targets.length * 4, JSON.stringify(counts))
    assert.ok(counts.refused > targets.length * 4, JSON.stringify(counts))
    assert.ok(counts.excused < counts.taken / 4, JSON.stringify(counts))
  })

  it('has patterns that the engines of Go and Rust read, and no other', async (t) => {
    const { document } = await opened(t)
    const patterns = patternsIn(document)
    assert.ok(patterns.size > 15, [...patterns].join('\n'))
    for (const pattern of patterns) {
      assert.doesNotMatch(pattern, /\\u|\\c|\(\?[=!<]|\\[1-9]/, pattern)
      // RE2 is the engine of Go. That of Rust reads the same syntax.
      assert.doesNotThrow(() => RE2JS.compile(pattern), pattern)
      assert.ok(pattern.isWellFormed(), pattern)
    }
  })

  it('describes each operation and each tag, and names the server, the licence and a contact', async (t) => {
    const { document, targets } = await opened(t)
    for (const { operation } of targets) {
      const { summary, description } = operation as unknown as Record<string, string>
      assert.ok(
        description !== undefined && description.length > (summary ?? '').length,
        operation.operationId,
      )
    }
    const tags = valueAt(document, '/tags') as unknown as readonly Record<string, string>[]
    for (const { name = '', description = '' } of tags) assert.ok(description.length > name.length + 10, name)
    const info = valueAt(document, '/info') as JsonObject
    assert.deepEqual(info.license, { name: 'Apache-2.0', identifier: 'Apache-2.0' })
    assert.ok(isObject(info.contact))
    assert.deepEqual(valueAt(document, '/servers/0/url'), '/')
    assert.equal(valueAt(document, '/paths/~1v1~1handoff/get/responses/101/content'), undefined)
  })

  it('gives each kind of a value a schema of its own, which its discriminator names', async (t) => {
    const { document } = await opened(t)
    const trigger = valueAt(
      document,
      '/paths/~1v1~1triggers/post/requestBody/content/application~1json/schema',
    )
    const mapping = valueAt(trigger as JsonObject, '/discriminator/mapping') as Record<string, string>
    assert.deepEqual(Object.keys(mapping), ['schedule', 'webhook', 'message', 'event', 'agent_handoff'])
    for (const reference of Object.values(mapping))
      assert.ok(isObject(valueAt(document, reference.slice(1))), reference)
  })
})

function invalidTexts({ schema }: Parameter, of: Parameters<typeof validValues>[1]): fc.Arbitrary<string> {
  const converted = (text: string) => {
    if (schema.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
    return schema.type === 'integer' && /^-?[0-9]+$/.test(text) ? Number(text) : text
  }
  return fc
    .constantFrom('', '-1', '1.5', 'yes', '\u0007', '\u0085', 'x'.repeat(5000), 'now', '99999999999')
    .filter((text) => !of.fits({ ...schema }, converted(text)))
}

function patternsIn(value: Json, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(value)) for (const item of value) patternsIn(item, found)
  if (!isObject(value)) return found
  if (typeof value.pattern === 'string') found.add(value.pattern)
  if (isObject(value.patternProperties))
    for (const pattern of Object.keys(value.patternProperties)) found.add(pattern)
  for (const member of Object.values(value)) patternsIn(member as Json, found)
  return found
}
