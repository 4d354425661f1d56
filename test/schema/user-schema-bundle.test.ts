import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { findMapped } from '../../src/schema/mapped-schemas.ts'
import { resolveAddress } from '../../src/schema/schema-address.ts'
import { checkUserSchema, compileUserSchema } from '../../src/schema/user-schema.ts'
import { bundleUserSchema } from '../../src/schema/user-schema-bundle.ts'

const A = 'https://s.example/a.json'
const bundle = (schema: JsonObject, mapped: Record<string, Json> = {}) =>
  bundleUserSchema(schema, findMapped(mapped))
const accepts = (schema: JsonObject, mapped: Record<string, Json>, value: Json) =>
  compileUserSchema(bundle(schema, mapped).schema)(value) === null

describe('bundleUserSchema', () => {
  test('a schema without other documents is returned unchanged', () => {
    for (const schema of [
      { type: 'string' },
      { $ref: '#/$defs/a', $defs: { a: {} } },
      { $id: A, $ref: `${A}#/$defs/a`, $defs: { a: {} } },
      { properties: { $ref: { type: 'string' } } },
      { enum: [{ $ref: A }], default: { $ref: A }, examples: [{ $ref: A }] },
    ] as JsonObject[]) {
      assert.equal(bundle(schema).schema, schema)
    }
  })

  test('each way to name a part of another document leads to it', () => {
    const part = { type: 'integer', minimum: 3 }
    const cases: [ref: string, document: JsonObject][] = [
      [A, part],
      [`${A}#`, part],
      [
        `${A}#/definitions/n`,
        { $schema: 'http://json-schema.org/draft-07/schema#', definitions: { n: part } },
      ],
      [`${A}#/$defs/a%20b`, { $defs: { 'a b': part } }],
      [`${A}#/components/schemas/N`, { openapi: '3.1.0', components: { schemas: { N: part } } }],
      [`${A}#n`, { $defs: { x: { $anchor: 'n', ...part } } }],
      [`${A}#n`, { definitions: { x: { $id: '#n', ...part } } }],
      ['https://s.example/inner.json', { $defs: { x: { $id: 'inner.json', ...part } } }],
      [
        'https://s.example/old.json',
        { $schema: 'http://json-schema.org/draft-04/schema#', id: 'https://s.example/old.json', ...part },
      ],
      ['HTTPS://S.example/a.json', part],
      [A, { $id: 'https://other.example/x.json', $ref: '#/definitions/n', definitions: { n: part } }],
    ]
    for (const [$ref, document] of cases) {
      // The resource inside of a document is only found through the document.
      const mapped = $ref.endsWith('inner.json')
        ? { 'https://s.example/inner.json': part }
        : { [A]: document }
      const schema = { properties: { v: { $ref } } }
      assert.deepEqual(bundle(schema, mapped).problems, [], $ref)
      assert.ok(accepts(schema, mapped, { v: 3 }), $ref)
      assert.ok(!accepts(schema, mapped, { v: 2 }), $ref)
    }
  })

  test('documents refer on to each other, also in a circle, and relative to their own address', () => {
    const mapped = {
      [A]: { type: 'object', properties: { b: { $ref: 'sub/b.json' } }, additionalProperties: false },
      'https://s.example/sub/b.json': {
        type: 'object',
        properties: { a: { $ref: '../a.json' }, root: { $ref: 'urn:root' }, n: { $ref: '#/definitions/n' } },
        definitions: { n: { type: 'number' } },
        additionalProperties: false,
      },
    }
    const schema = { $id: 'urn:root', type: 'object', required: ['x'], properties: { x: { $ref: A } } }
    assert.deepEqual(bundle(schema, mapped).problems, [])
    assert.ok(accepts(schema, mapped, { x: { b: { a: { b: { n: 1 } }, root: { x: {} } } } }))
    assert.ok(!accepts(schema, mapped, { x: { b: { a: { b: { n: 'no' } } } } }))
    assert.ok(!accepts(schema, mapped, { x: { b: { root: {} } } }))
  })

  test('a circle without descending into the value is an error, not an endless loop', () => {
    const mapped = { [A]: { $ref: 'b.json' }, 'https://s.example/b.json': { $ref: 'a.json' } }
    const problems = checkUserSchema({ properties: { x: { $ref: A } } }, undefined, findMapped(mapped))
    assert.deepEqual(
      problems.map(({ severity, pointer }) => [severity, pointer]),
      [['error', '/properties/x/$ref']],
    )
  })

  test('where a document is not available any value is accepted, whatever contains the reference', () => {
    const open = { $ref: 'https://s.example/none.json' }
    // Built from entries, because a literal with a member `then` looks like a promise.
    const conditional = (then: Json, otherwise: Json = true) =>
      Object.fromEntries([
        ['if', open],
        ['then', then],
        ['else', otherwise],
      ]) as JsonObject
    const cases: [schema: JsonObject, accepted: Json][] = [
      [open, 1],
      [{ not: open }, 1],
      [{ not: { anyOf: [{ type: 'string' }, open] } }, 'x'],
      [conditional(false), 1],
      [conditional({ type: 'string' }, { type: 'number' }), 1],
      [{ oneOf: [open, { type: 'number' }] }, 1],
      [{ allOf: [open], unevaluatedProperties: false }, { a: 1 }],
      [{ ...open, properties: { a: {} }, unevaluatedProperties: false }, { b: 1 }],
      [{ contains: open, maxContains: 1 }, [1, 2]],
      [{ propertyNames: open }, { a: 1 }],
      [{ dependentSchemas: { a: open } }, { a: 1 }],
      [{ not: { $ref: '#/$defs/x' }, $defs: { x: open } }, 1],
      [{ items: { $dynamicRef: 'https://s.example/none.json#x' } }, [1]],
    ]
    for (const [schema, value] of cases) {
      const { schema: whole, problems } = bundle(schema)
      assert.equal(JSON.stringify(whole).includes('s.example'), false, JSON.stringify(whole))
      assert.ok(problems.length >= 1)
      assert.equal(compileUserSchema(whole)(value), null, JSON.stringify(schema))
      assert.equal(compileUserSchema(schema)(value), null, JSON.stringify(schema))
    }
    assert.ok(!accepts({ type: 'object', required: ['a'], properties: { b: open } }, {}, {}))
  })

  test('a missing part and an unusable document are named', () => {
    const reasonOf = (mapped: Record<string, Json>, $ref = A) =>
      bundle({ properties: { v: { $ref } } }, mapped)
        .problems.map(({ message }) => message)
        .join()
    assert.match(reasonOf({}), /never fetched/)
    assert.match(reasonOf({ [A]: {} }, `${A}#/$defs/x`), /has no part "\/\$defs\/x"/)
    assert.match(reasonOf({ [A]: { type: 'strng' } }), /not a usable JSON Schema/)
    assert.match(reasonOf({ [A]: { x: { type: 1 } } }, `${A}#/x`), /not a usable JSON Schema/)
    assert.match(reasonOf({ [A]: { $ref: 'c.json' } }), /c\.json" to which https:.*a\.json refers/)
  })

  test('names in $defs never replace those of the author', () => {
    const schema = {
      $defs: { a: { type: 'null' } },
      properties: { x: { $ref: A }, y: { $ref: '#/$defs/a' } },
    }
    const mapped = { [A]: { type: 'string' } }
    assert.deepEqual(Object.keys(bundle(schema, mapped).schema.$defs as JsonObject), ['a', 'a_2'])
    assert.ok(accepts(schema, mapped, { x: 'text', y: null }))
  })

  test('a large or hostile document is refused without a crash', () => {
    let deep: Json = {}
    for (let i = 0; i < 200; i++) deep = { properties: { a: deep } }
    const wide = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`p${i}`, {}]))
    for (const document of [deep, { properties: wide }, null, 'text', [], 5] as Json[]) {
      const { problems } = bundle({ properties: { x: { $ref: A } } }, { [A]: document })
      assert.equal(problems.length, 1)
    }
    const proto = JSON.parse('{"$defs":{"__proto__":{"type":"string"}}}') as Json
    assert.ok(!accepts({ properties: { x: { $ref: `${A}#/$defs/__proto__` } } }, { [A]: proto }, { x: 1 }))
  })
})

describe('resolveAddress', () => {
  test('addresses are compared in one form', () => {
    assert.equal(resolveAddress('HTTPS://S.example'), 'https://s.example/')
    assert.equal(resolveAddress('b.json', A), 'https://s.example/b.json')
    assert.equal(resolveAddress('./x/../b.json'), 'b.json')
    assert.equal(resolveAddress('b.json', 'sub/a.json'), 'sub/b.json')
    assert.equal(resolveAddress('../b.json'), '../b.json')
    assert.equal(resolveAddress('urn:a:b', A), 'urn:a:b')
    assert.equal(resolveAddress('b.json', 'urn:a:b'), 'b.json')
  })
})
