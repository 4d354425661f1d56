import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { WaybillError } from '../../src/document/issue.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { checkUserSchema, compileUserSchema } from '../../src/schema/user-schema.ts'
import { exampleOf } from '../../src/testing/example-value.ts'

const data = process.env.WAYBILL_TEST_DATA ?? join(import.meta.dirname, '../../../shared')

function satisfies(schema: JsonObject, seed?: number): Json {
  const value = exampleOf(schema, seed)
  assert.equal(compileUserSchema(schema)(value), null, JSON.stringify(value))
  return value
}

describe('exampleOf', () => {
  test('uses the author’s values first: constant, choice, default, examples', () => {
    assert.equal(exampleOf({ const: 7 }), 7)
    assert.equal(exampleOf({ enum: ['low', 'high'] }), 'low')
    assert.equal(exampleOf({ type: 'string', default: 'mine' }), 'mine')
    assert.equal(exampleOf({ type: 'string', examples: ['Berlin', 'Oslo'] }), 'Berlin')
  })

  test("an author's default that breaks the schema is skipped", () => {
    assert.equal(typeof satisfies({ type: 'integer', default: 'soon' }), 'number')
  })

  test('fills every declared member, in declared order, and required ones that are not declared', () => {
    const value = satisfies({
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer', minimum: 3 },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['days', 'more'],
    })
    assert.deepEqual(Object.keys(value as JsonObject), ['city', 'days', 'tags', 'more'])
    assert.equal((value as JsonObject).city, 'example city')
  })

  test('formats get matching values, from ranges that are reserved for examples', () => {
    const by = (format: string) => exampleOf({ type: 'string', format }) as string
    assert.match(by('email'), /@example\.com$/)
    assert.match(by('uuid'), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.equal(new URL(by('uri')).hostname, 'example.com')
    assert.ok(!Number.isNaN(Date.parse(by('date-time'))))
    assert.match(by('date'), /^\d{4}-\d\d-\d\d$/)
    assert.match(by('ipv4'), /^192\.0\.2\.\d+$/)
    assert.match(by('hostname'), /^host\.example\.com$/)
  })

  const SCHEMAS: Record<string, JsonObject> = {
    'numbers between bounds': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    'negative numbers': { type: 'integer', maximum: -5 },
    multiples: { type: 'number', minimum: 0.25, multipleOf: 0.1 },
    'whole multiples of a fraction': { type: 'integer', multipleOf: 2.5, minimum: 1 },
    'large bounds': { type: 'integer', minimum: 1_000_000, maximum: 1_000_001 },
    'lengths by code points': { type: 'string', minLength: 50, maxLength: 51 },
    'short lengths': { type: 'string', maxLength: 2, minLength: 2 },
    'an order number': { type: 'string', pattern: '^ORD-[0-9]{6}$' },
    'a pattern with groups': { type: 'string', pattern: '^(?:foo|bar)[A-F\\d]{2,4}(-\\w+)?$', minLength: 9 },
    'a pattern without anchors': { type: 'string', pattern: '\\d{3}', minLength: 8 },
    'a pattern that excludes': { type: 'string', pattern: '^[^a-z\\s]+$' },
    'unicode classes': { type: 'string', pattern: '^\\p{Lu}\\p{Ll}+$', minLength: 4 },
    'a semantic version': { type: 'string', pattern: '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)$' },
    'a slug': { type: 'string', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', minLength: 12, maxLength: 12 },
    'unique items': {
      type: 'array',
      items: { type: 'string', maxLength: 3 },
      minItems: 5,
      uniqueItems: true,
    },
    'unique choices': { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 3, uniqueItems: true },
    tuples: {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'integer' }],
      items: false,
      minItems: 2,
    },
    'draft-07 tuples': {
      type: 'array',
      items: [{ const: 1 }, { const: 2 }],
      additionalItems: false,
      minItems: 2,
    },
    contains: { type: 'array', contains: { const: 'x' }, minContains: 2, items: { type: 'string' } },
    allOf: {
      allOf: [
        { properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'number' } }, required: ['b'] },
      ],
    },
    'allOf that narrows': {
      allOf: [
        { type: 'number', minimum: 3 },
        { type: 'integer', maximum: 3 },
      ],
    },
    oneOf: {
      oneOf: [
        { type: 'object', properties: { k: { const: 'a' } }, required: ['k'] },
        { type: 'object', properties: { k: { const: 'b' } }, required: ['k'] },
      ],
    },
    'alternatives, the first of which contradicts': {
      type: 'object',
      properties: { v: { type: 'number' } },
      required: ['v'],
      anyOf: [{ type: 'string' }, { minProperties: 1 }],
    },
    'oneOf with overlap': { oneOf: [{ type: 'number' }, { type: 'integer' }] },
    'a condition': JSON.parse(
      '{"type":"object","properties":{"kind":{"enum":["a","b"]}},"required":["kind"],"if":{"properties":{"kind":{"const":"a"}}},"then":{"required":["x"],"properties":{"x":{"type":"number"}}}}',
    ) as JsonObject,
    'what is ruled out': { type: 'string', enum: ['a', 'b'], not: { const: 'a' } },
    'members that need others': {
      type: 'object',
      properties: { a: {}, b: {} },
      required: ['a'],
      dependentRequired: { a: ['b'] },
    },
    'a least number of members': {
      type: 'object',
      minProperties: 3,
      additionalProperties: { type: 'integer' },
    },
    'members by pattern': {
      type: 'object',
      patternProperties: { '^x-[a-z]+$': { type: 'integer' } },
      additionalProperties: false,
      minProperties: 2,
    },
    'a most number of members': { type: 'object', properties: { a: {}, b: {}, c: {} }, maxProperties: 1 },
    references: {
      $ref: '#/$defs/a',
      $defs: {
        a: { type: 'object', properties: { b: { $ref: '#/$defs/b' } }, required: ['b'] },
        b: { enum: [3] },
      },
    },
    'a tree': {
      type: 'object',
      properties: { value: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['value'],
    },
    'a list that must end': {
      $ref: '#/$defs/n',
      $defs: {
        n: {
          type: 'object',
          properties: { next: { anyOf: [{ $ref: '#/$defs/n' }, { type: 'null' }] } },
          required: ['next'],
        },
      },
    },
    nullable: { type: ['null', 'string'] },
    anything: {},
  }
  for (const [what, schema] of Object.entries(SCHEMAS)) test(`makes ${what}`, () => void satisfies(schema))

  test('the same schema and seed give the same value; another seed gives another valid value', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { enum: [1, 2, 3] }, c: { type: 'string', format: 'uuid' } },
    }
    assert.deepEqual(exampleOf(schema), exampleOf(structuredClone(schema)))
    assert.deepEqual(satisfies(schema, 5), satisfies(structuredClone(schema), 5))
    assert.notDeepEqual(exampleOf(schema), exampleOf(schema, 1))
  })

  test('if no value exists, the error says so and has a hint', () => {
    for (const schema of [
      { type: 'string', not: {} },
      { minimum: 2, maximum: 1, type: 'number' },
      { allOf: [{ type: 'string' }, { type: 'number' }] },
    ])
      assert.throws(
        () => exampleOf(schema),
        (e) => e instanceof WaybillError && e.code === 'EXAMPLE_IMPOSSIBLE' && e.details.hint !== undefined,
      )
  })

  test('any schema of consistent parts gets a value that satisfies it', () => {
    const bounds = fc.record({
      low: fc.integer({ min: -50, max: 50 }),
      width: fc.integer({ min: 0, max: 20 }),
    })
    const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        bounds.map(({ low, width }): JsonObject => ({ type: 'integer', minimum: low, maximum: low + width })),
        bounds.map(
          ({ low, width }): JsonObject => ({
            type: 'string',
            minLength: Math.abs(low),
            maxLength: Math.abs(low) + width,
          }),
        ),
        fc.constantFrom<JsonObject>(
          { type: 'boolean' },
          { type: 'null' },
          { enum: [1, 'a', null] },
          { type: 'string', pattern: '^[A-Z]{3}-\\d+$' },
        ),
        tie('schema').map((items): JsonObject => ({ type: 'array', items, minItems: 1 })),
        fc.dictionary(fc.string({ maxLength: 5 }), tie('schema'), { maxKeys: 4 }).map(
          (properties): JsonObject => ({
            type: 'object',
            properties,
            required: Object.keys(properties).slice(0, 2),
            additionalProperties: false,
          }),
        ),
        fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf): JsonObject => ({ anyOf })),
      ),
    }))
    fc.assert(
      fc.property(schema, fc.integer({ min: 0, max: 3 }), (s, seed) => void satisfies(s, seed)),
      { numRuns: 300 },
    )
  })

  test('every parameter and output schema of real definitions gets a value', (t) => {
    const folder = join(data, 'corpus')
    if (!statSync(folder, { throwIfNoEntry: false })) return t.skip(`needs definitions at ${folder}`)
    let made = 0
    let unusable = 0
    const failed: string[] = []
    for (const name of readdirSync(folder, { recursive: true }) as string[]) {
      if (!name.endsWith('.json')) continue
      let document: Json
      try {
        document = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Json
      } catch {
        continue
      }
      // References of OpenAPI documents lead into their components, which are added to each schema.
      const { components, definitions } = document as JsonObject
      for (const found of schemasIn(document)) {
        const schema = { ...(components && { components }), ...(definitions && { definitions }), ...found }
        if (checkUserSchema(schema).some((p) => p.severity === 'error')) {
          unusable++
          continue
        }
        try {
          satisfies(schema)
          made++
        } catch (error) {
          failed.push(`${name}: ${(error as Error).message} ${JSON.stringify(schema).slice(0, 300)}`)
        }
      }
    }
    t.diagnostic(`${made} schemas, ${unusable} with errors of their own`)
    assert.ok(made > 0)
    assert.deepEqual(failed, [])
  })
})

/** The value under a name that holds a schema. */
function* schemasIn(value: Json): Generator<JsonObject> {
  if (value === null || typeof value !== 'object') return
  for (const [name, member] of Object.entries(value)) {
    if (
      /^(parameters|parameters_schema|input_schema|inputSchema|output_schema|outputSchema|schema|json_schema)$/.test(
        name,
      )
    )
      if (member !== null && typeof member === 'object' && !Array.isArray(member)) yield member as JsonObject
    yield* schemasIn(member as Json)
  }
}
