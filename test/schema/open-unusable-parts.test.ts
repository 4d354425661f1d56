import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { openUnusableParts } from '../../src/schema/open-unusable-parts.ts'
import { checkUserSchema, compileUserSchema } from '../../src/schema/user-schema.ts'

/** Schemas with one part that cannot be used. */
const ODD: readonly Json[] = [
  { type: 'string', required: true },
  { type: 'any' },
  { type: 'file' },
  { type: 'String' },
  { type: 'date' },
  { type: null },
  { type: 5 },
  { type: [] },
  { type: ['string', 'any'] },
  { type: { const: 'string' } },
  { enum: null },
  { enum: [] },
  { enum: 'a' },
  { minLength: '3' },
  { minLength: -1 },
  { maxLength: 10.5 },
  { maxItems: null },
  { minProperties: true },
  { multipleOf: 0 },
  { multipleOf: '2' },
  { minimum: '1' },
  { maximum: null },
  { exclusiveMaximum: '5' },
  { pattern: null },
  { pattern: 5 },
  { uniqueItems: 'yes' },
  { required: 'm' },
  { required: [5, null] },
  { dependentRequired: { a: 'b' } },
  { dependentRequired: 5 },
  { dependencies: { a: 5 } },
  { properties: null },
  { properties: [] },
  { properties: { x: null } },
  { properties: null, additionalProperties: false },
  { patternProperties: 5, additionalProperties: false },
  { additionalProperties: null },
  { additionalProperties: 'false' },
  { unevaluatedProperties: 5 },
  { allOf: 5, unevaluatedProperties: false },
  { propertyNames: [] },
  { items: null },
  { items: 'string' },
  { items: [null] },
  { prefixItems: 5, items: { type: 'string' } },
  { contains: null },
  { contains: { type: 'any' }, maxContains: 0 },
  { contains: { type: 'integer' }, minContains: 'no' },
  { allOf: [] },
  { allOf: null },
  { allOf: [null] },
  { allOf: [{ type: 'any' }] },
  { anyOf: {} },
  { anyOf: [{ type: 'any' }, { type: 'integer' }] },
  { anyOf: ['string'] },
  { oneOf: [] },
  { oneOf: [{ type: 'any' }, {}] },
  { oneOf: [{ $ref: '#/nowhere' }, { type: 'string' }] },
  { not: null },
  { not: { type: 'any' } },
  { not: { $ref: '#/$defs/odd' } },
  JSON.parse('{"if":{"type":"any"},"then":false}') as Json,
  { if: null, else: false },
  { $ref: 5 },
  { $ref: '#/nowhere' },
  { $ref: '#' },
  { $ref: '#/properties/odd' },
  { allOf: [{ $ref: '#/properties/odd' }] },
  { $defs: null },
  { definitions: [] },
  { $defs: { x: null } },
  { $id: 5 },
  { $anchor: {} },
  { $schema: null },
  { $dynamicRef: null },
  null,
  5,
  'string',
  [],
  [{ type: 'string' }],
]

const whole = (odd: Json): JsonObject => ({
  type: 'object',
  required: ['m'],
  properties: { odd, m: { type: 'integer' } },
  $defs: { odd: { type: 'any' } },
})

/** Values that each of these parts might have been meant for. */
const VALUES: readonly Json[] = ['abc', ['a'], {}, { m: 1 }]

describe('a part of a foreign schema that cannot be used', () => {
  for (const odd of ODD) {
    const text = JSON.stringify(odd)
    test(`${text}: its neighbours are checked, and it is named`, () => {
      const { schema, unchecked } = openUnusableParts(whole(odd))
      assert.deepEqual(
        checkUserSchema(schema).filter(({ severity }) => severity === 'error'),
        [],
      )
      const check = compileUserSchema(schema)
      assert.equal(check({ m: 1 }), null)
      assert.match(check({ m: 'x' }) ?? '', /m/)
      assert.match(check({}) ?? '', /m/)
      if (odd === null || typeof odd !== 'object' || !('$ref' in odd && odd.$ref === '#'))
        assert.ok(VALUES.some((value) => check({ m: 1, odd: value }) === null))
      const [first] = unchecked.filter(({ pointer }) => pointer !== '/$defs/odd/type')
      if (odd !== null && typeof odd === 'object' && '$ref' in odd && odd.$ref === '#') return
      if (text.includes('$defs/odd')) return assert.ok(unchecked.length > 0)
      assert.match(first?.pointer ?? '', /^\/properties\/odd/)
      assert.notEqual(first?.message, '')
    })

    for (const [place, inside] of [
      ['items', (schema: Json) => ({ type: 'array', items: schema })],
      ['allOf', (schema: Json) => ({ allOf: [{ properties: { deep: schema } }, { required: ['k'] }] })],
      ['anyOf', (schema: Json) => ({ anyOf: [{ properties: { deep: schema } }] })],
      ['additionalProperties', (schema: Json) => ({ additionalProperties: schema })],
      ['not', (schema: Json) => ({ not: { properties: { deep: schema } } })],
    ] as const) {
      test(`${text} in ${place}: the schema can be used, and the argument beside it is checked`, () => {
        const { schema } = openUnusableParts(whole(inside(odd)))
        const check = compileUserSchema(schema)
        assert.equal(check({ m: 1 }), null)
        assert.match(check({ m: 'x' }) ?? '', /m/)
      })
    }
  }

  test('keywords beside it stay', () => {
    const check = compileUserSchema(
      openUnusableParts(whole({ type: 'string', required: true, maxLength: 3, pattern: null })).schema,
    )
    assert.equal(check({ m: 1, odd: 'abc' }), null)
    assert.notEqual(check({ m: 1, odd: 'abcd' }), null)
    assert.notEqual(check({ m: 1, odd: 5 }), null)
    const names = compileUserSchema(openUnusableParts(whole({ required: ['a', 5, null] })).schema)
    assert.equal(names({ m: 1, odd: { a: 1 } }), null)
    assert.notEqual(names({ m: 1, odd: {} }), null)
  })

  test('null in a list of types is the type null, as in YAML', () => {
    const { schema } = openUnusableParts(whole({ type: ['string', null] }))
    assert.deepEqual((schema.properties as JsonObject).odd, { type: ['string', 'null'] })
  })

  test('what refuses values because of it is relaxed, and nothing else', () => {
    const accepts = (odd: Json, value: Json) =>
      compileUserSchema(openUnusableParts(whole(odd)).schema)({ m: 1, odd: value }) === null
    assert.ok(accepts({ not: { type: 'any' } }, 5))
    assert.ok(accepts({ not: { $ref: '#/$defs/odd' } }, 5))
    assert.ok(!accepts({ not: { type: 'integer' }, pattern: null }, 5))
    assert.ok(accepts({ oneOf: [{ type: 'any' }, { type: 'integer' }] }, 5))
    assert.ok(!accepts({ oneOf: [{ type: 'number' }, { type: 'integer' }], pattern: null }, 5))
    assert.ok(accepts({ oneOf: [{ type: 'any' }, {}], anyOf: [{ type: 'integer' }] }, 5))
    assert.ok(!accepts({ oneOf: [{ type: 'any' }, {}], anyOf: [{ type: 'integer' }] }, 'x'))
    assert.ok(accepts({ if: { type: 'any' }, else: { type: 'integer' } }, 'x'))
    assert.ok(accepts({ properties: 5, additionalProperties: false }, { a: 1 }))
    assert.ok(!accepts({ properties: { a: { pattern: null } }, additionalProperties: false }, { b: 1 }))
    assert.ok(accepts({ allOf: [{ properties: 5 }], unevaluatedProperties: false }, { a: 1 }))
    assert.ok(accepts({ contains: { type: 'any' }, maxContains: 1 }, [1, 2]))
  })

  test('annotations of another type are removed, because providers refuse them, and need no note', () => {
    const { schema, unchecked } = openUnusableParts(
      whole({ description: 5, title: null, examples: {}, deprecated: 'no', type: 'string' }),
    )
    assert.deepEqual((schema.properties as JsonObject).odd, { type: 'string' })
    assert.deepEqual(
      unchecked.map(({ pointer }) => pointer),
      ['/$defs/odd/type'],
    )
  })

  test('a pattern that is not enforced is named', () => {
    const { unchecked } = openUnusableParts({ properties: { p: { pattern: '(?=a)b' }, q: { pattern: '[' } } })
    assert.deepEqual(
      unchecked.map(({ pointer }) => pointer),
      ['/properties/p/pattern', '/properties/q/pattern'],
    )
  })

  test('a schema that is too deep or too large is checked in its upper levels', () => {
    let deep: JsonObject = { type: 'string' }
    for (let n = 0; n < 300; n++) deep = { type: 'object', properties: { a: deep } }
    const wide = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`p${n}`, deepOf(4)]))
    for (const odd of [deep, { type: 'object', properties: wide, additionalProperties: false }]) {
      const { schema, unchecked } = openUnusableParts(whole(odd))
      const check = compileUserSchema(schema)
      assert.equal(check({ m: 1, odd: {} }), null)
      assert.notEqual(check({ m: 'x' }), null)
      assert.match(unchecked[0]?.message ?? '', /are not checked/)
    }
  })

  test('schemas that combine without end are opened where they begin to', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [
        `a${n}`,
        { allOf: [{ $ref: `#/$defs/a${n + 1}` }, { $ref: `#/$defs/a${n + 1}` }] },
      ]),
    )
    const { schema, unchecked } = openUnusableParts({
      type: 'object',
      required: ['m'],
      properties: { odd: { $ref: '#/$defs/a0' }, m: { type: 'integer' } },
      $defs: { ...$defs, a20: { type: 'string' } },
    })
    assert.match(unchecked[0]?.message ?? '', /combines more than/)
    const check = compileUserSchema(schema)
    assert.equal(check({ m: 1, odd: 5 }), null)
    assert.notEqual(check({ m: 'x' }), null)
  })

  test('a circle that descends is right, and a usable schema stays the same object', () => {
    for (const schema of [
      { type: 'object', properties: { next: { $ref: '#' } } },
      { type: 'object', allOf: [{ required: ['a'] }], if: { required: ['b'] }, else: { required: ['c'] } },
    ])
      assert.deepEqual(openUnusableParts(schema), { schema, unchecked: [] })
  })
})

function deepOf(levels: number): JsonObject {
  return levels === 0 ? {} : { type: 'object', properties: { a: deepOf(levels - 1) } }
}
