import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { compilePlainCheck } from '../../src/schema/plain-check.ts'
import { compileUserSchema } from '../../src/schema/user-schema.ts'
import { isPlainlyRight } from '../../src/schema/user-schema-plain.ts'

const NAMES = ['a', 'b', 'toString', 'constructor', '', 'a/b', '__proto__']
const name = fc.constantFrom(...NAMES)
/** Ajv takes a member with an empty name as present below `not`, `anyOf` and `oneOf`. */
const named = fc.constantFrom(...NAMES.filter((one) => one !== ''))
const primitive = fc.constantFrom<Json>(
  null,
  true,
  false,
  0,
  -0,
  1,
  1.5,
  -3,
  1e21,
  '',
  'a',
  'ab',
  '😀',
  'a\n',
  'toString',
)
const count = fc.integer({ min: 0, max: 3 })
const limit = fc.constantFrom(-1, 0, 1, 1.5, 2)

/** An own member for each name, also for `__proto__`, as `JSON.parse` makes it. */
function objectOf(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries)
}

const { schema, value } = fc.letrec<{ schema: Json; value: Json }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema' },
    fc.boolean(),
    fc
      .record(
        {
          type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null'),
          properties: fc.array(fc.tuple(name, tie('schema')), { maxLength: 3 }).map(objectOf),
          required: fc.uniqueArray(named, { maxLength: 2 }),
          additionalProperties: tie('schema'),
          items: tie('schema'),
          enum: fc.array(primitive, { minLength: 1, maxLength: 4 }),
          const: primitive,
          minimum: limit,
          maximum: limit,
          minLength: count,
          maxLength: count,
          minItems: count,
          maxItems: count,
          uniqueItems: fc.boolean(),
          pattern: fc.constantFrom('^a', '^[a-z]{1,2}$', '^\\w*$'),
          format: fc.constant('date'),
          default: primitive,
          exclusiveMinimum: limit,
          exclusiveMaximum: limit,
          minProperties: count,
          maxProperties: count,
          propertyNames: tie('schema'),
          dependentRequired: fc
            .array(fc.tuple(name, fc.uniqueArray(named, { maxLength: 2 })), { maxLength: 2 })
            .map(objectOf),
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
          oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
          allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          not: tie('schema'),
        },
        { requiredKeys: [] },
      )
      .chain((all) => fc.subarray(Object.entries(all), { maxLength: 4 }).map(objectOf)),
  ),
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    primitive,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }).map(objectOf),
  ),
}))

describe('a plain schema', () => {
  test('accepts what Ajv accepts, and nothing else', () => {
    const seen = { fit: 0, unfit: 0 }
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 5, maxLength: 15 }), (plain, samples) => {
        fc.pre(typeof plain === 'object' && isPlainlyRight(plain))
        const fits = compilePlainCheck(plain)
        fc.pre(fits !== null)
        // `$comment` is not an everyday keyword, so only Ajv checks.
        const byAjv = compileUserSchema({ ...(plain as JsonObject), $comment: '' })
        for (const sample of samples) {
          const expected = byAjv(sample) === null
          assert.equal(fits(sample), expected, `${JSON.stringify(plain)} on ${JSON.stringify(sample)}`)
          seen[expected ? 'fit' : 'unfit'] += 1
        }
      }),
      { numRuns: 1_500 },
    )
    assert.ok(seen.fit > 1_000 && seen.unfit > 1_000, JSON.stringify(seen))
  })

  test('says the same about a value that does not fit as it says with Ajv alone', () => {
    const plain: JsonObject = {
      type: 'object',
      properties: { number: { type: 'string', pattern: '^[0-9A-Z]{6,20}$' }, day: { type: 'string' } },
      required: ['number'],
      additionalProperties: false,
    }
    const check = compileUserSchema(plain)
    const byAjv = compileUserSchema({ ...plain, $comment: '' })
    for (const sample of [
      {},
      { number: 'x' },
      { number: 'ABCDEF', extra: 1 },
      [],
      null,
      { number: 1, day: 2 },
    ]) {
      assert.equal(check(sample), byAjv(sample))
      assert.notEqual(check(sample), null)
    }
    assert.equal(check({ number: 'ABCDEF' }), null)
  })

  test('names that are repeated, and lists of schemas without one, are left to the whole check', () => {
    for (const schema of [
      { required: ['a', 'a'] },
      { dependentRequired: { a: ['b', 'b'] } },
      { dependentRequired: { a: 'b' } },
      { anyOf: [] },
      { oneOf: {} },
      { allOf: [1] },
      { minProperties: -1 },
      { exclusiveMinimum: true },
    ] satisfies JsonObject[])
      assert.equal(isPlainlyRight(schema), false, JSON.stringify(schema))
  })

  test('a member with an empty name can be required', () => {
    const check = compileUserSchema({ not: { required: ['', 'b'] } })
    assert.deepEqual([check({ b: 1 }) === null, check({ '': 1, b: 1 }) === null], [true, false])
  })

  test('a member named __proto__ is left to Ajv', () => {
    const properties = objectOf([['__proto__', { type: 'string' }]])
    assert.equal(compilePlainCheck({ properties }), null)
    assert.equal(compilePlainCheck({ items: { required: ['__proto__'] } }), null)
    assert.equal(compilePlainCheck({ dependentRequired: { a: ['__proto__'] } }), null)
    assert.equal(compilePlainCheck({ dependentRequired: objectOf([['__proto__', ['a']]]) }), null)
    assert.equal(compilePlainCheck({ anyOf: [true, { not: { required: ['__proto__'] } }] }), null)
    assert.equal(compilePlainCheck({ propertyNames: { contains: true } }), null)
  })
})
