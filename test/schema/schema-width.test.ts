import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { schemaWidth, type Width } from '../../src/schema/schema-width.ts'

const REVERSED: Readonly<Record<Width, Width>> = {
  same: 'same',
  narrower: 'wider',
  wider: 'narrower',
  undecidable: 'undecidable',
}

const object = (members: JsonObject) => ({ type: 'object', ...members })

const CASES: readonly [what: string, before: Json | undefined, after: Json | undefined, width: Width][] = [
  ['no schema, and one that accepts everything', undefined, {}, 'same'],
  ['true', {}, true, 'same'],
  [
    'notes',
    { type: 'string' },
    { type: 'string', description: 'D.', examples: ['a'], $comment: 'c' },
    'same',
  ],
  [
    'a note of a property',
    object({ properties: { a: {} } }),
    object({ properties: { a: { title: 'A' } } }),
    'same',
  ],
  [
    'a property that has the name of a note',
    object({ properties: { title: {} } }),
    object({ properties: { title: { type: 'string' } } }),
    'narrower',
  ],
  ['false', {}, false, 'narrower'],
  ['a type', {}, { type: 'string' }, 'narrower'],
  ['all types', {}, { type: ['null', 'boolean', 'object', 'array', 'string', 'number'] }, 'same'],
  ['one of two types', { type: ['string', 'null'] }, { type: 'string' }, 'narrower'],
  ['a list of one type', { type: 'string' }, { type: ['string'] }, 'same'],
  ['whole numbers', { type: 'number' }, { type: 'integer' }, 'narrower'],
  ['another type', { type: 'string' }, { type: 'number' }, 'undecidable'],
  ['enum', {}, { enum: [1, 2] }, 'narrower'],
  ['fewer values', { enum: [1, 2] }, { enum: [2] }, 'narrower'],
  ['values in another order', { enum: [1, 2] }, { enum: [2, 1] }, 'same'],
  ['other values', { enum: [1, 2] }, { enum: [2, 3] }, 'undecidable'],
  ['another constant', { const: 1 }, { const: 2 }, 'undecidable'],
  ['a higher minimum', { minimum: 1 }, { minimum: 2 }, 'narrower'],
  ['a lower exclusive maximum', { exclusiveMaximum: 2 }, { exclusiveMaximum: 1 }, 'narrower'],
  ['a minimum', {}, { minLength: 1 }, 'narrower'],
  ['a maximum', {}, { maxItems: 1 }, 'narrower'],
  [
    'a draft-4 exclusive minimum',
    { minimum: 1, exclusiveMinimum: false },
    { minimum: 1, exclusiveMinimum: true },
    'undecidable',
  ],
  ['one limit instead of another', { minimum: 1 }, { exclusiveMinimum: 1 }, 'undecidable'],
  ['a pattern', {}, { pattern: 'a' }, 'narrower'],
  ['another pattern', { pattern: 'a' }, { pattern: 'b' }, 'undecidable'],
  ['a format', {}, { format: 'date' }, 'narrower'],
  ['unique items', {}, { uniqueItems: true }, 'narrower'],
  ['repeated items, spelled out', {}, { uniqueItems: false }, 'same'],
  ['required', {}, { required: ['a'] }, 'narrower'],
  ['another required member', { required: ['a'] }, { required: ['b'] }, 'undecidable'],
  ['items', { items: {} }, { items: { type: 'string' } }, 'narrower'],
  ['items of an older draft', { items: [{}] }, { items: [{ type: 'string' }] }, 'undecidable'],
  ['a property of an open object', object({}), object({ properties: { a: { type: 'string' } } }), 'narrower'],
  [
    'a property of a closed object',
    object({ additionalProperties: false }),
    object({ properties: { a: {} }, additionalProperties: false }),
    'wider',
  ],
  [
    'a closed object',
    object({ properties: { a: {} } }),
    object({ properties: { a: {} }, additionalProperties: false }),
    'narrower',
  ],
  ['a property that is refused', object({}), object({ properties: { a: false } }), 'narrower'],
  [
    'more in one place and less in another',
    object({ properties: { a: { maximum: 1 }, b: { maximum: 1 } } }),
    object({ properties: { a: { maximum: 2 }, b: { maximum: 0 } } }),
    'undecidable',
  ],
  [
    'a property beside patterns',
    object({ patternProperties: { '^a': {} }, additionalProperties: false }),
    object({ patternProperties: { '^a': {} }, properties: { b: {} }, additionalProperties: false }),
    'undecidable',
  ],
  [
    'the same properties beside patterns',
    object({ patternProperties: { '^a': {} }, properties: { b: {} } }),
    object({ patternProperties: { '^a': {} }, properties: { b: { maximum: 1 } } }),
    'narrower',
  ],
  [
    'other patterns',
    object({ patternProperties: { '^a': {} } }),
    object({ patternProperties: { '^b': {} } }),
    'undecidable',
  ],
  [
    'a name of every object',
    object({}),
    object({ properties: { constructor: { type: 'string' } } }),
    'narrower',
  ],
  ['one more alternative', { anyOf: [{ const: 1 }] }, { anyOf: [{ const: 1 }, { const: 2 }] }, 'undecidable'],
  [
    'a narrower alternative',
    { anyOf: [{ minimum: 1 }, { const: 0 }] },
    { anyOf: [{ minimum: 2 }, { const: 0 }] },
    'narrower',
  ],
  [
    'a narrower part of exactly one',
    { oneOf: [{ minimum: 1 }, { minimum: 5 }] },
    { oneOf: [{ minimum: 1 }, { minimum: 6 }] },
    'undecidable',
  ],
  ['what must not be', { not: { minimum: 1 } }, { not: { minimum: 2 } }, 'undecidable'],
  ['an unknown member', {}, { acme: 1 }, 'undecidable'],
  [
    'a limit where a reference may mean the reverse',
    { $defs: { a: { minimum: 1 } }, not: { $ref: '#/$defs/a' } },
    { $defs: { a: { minimum: 2 } }, not: { $ref: '#/$defs/a' } },
    'undecidable',
  ],
  [
    'a note of a definition',
    { $defs: { a: {} }, $ref: '#/$defs/a' },
    { $defs: { a: { title: 'A' } }, $ref: '#/$defs/a' },
    'same',
  ],
  ['other definitions', { $defs: { a: {} } }, { $defs: { b: {} } }, 'undecidable'],
  ['an address that references use', { $id: 'urn:a' }, { $id: 'urn:b' }, 'undecidable'],
  [
    'a limit beside a condition',
    { if: { minimum: 1 }, maximum: 3 },
    { if: { minimum: 1 }, maximum: 2 },
    'undecidable',
  ],
  ['a schema that is not one', 1, 2, 'undecidable'],
]

describe('the width of a schema', () => {
  for (const [what, before, after, width] of CASES) {
    test(`${what}: ${width}`, () => {
      assert.equal(schemaWidth(before, after), width)
      assert.equal(schemaWidth(after, before), REVERSED[width])
    })
  }

  const leaf = fc.oneof(
    fc.constant<JsonObject>({}),
    fc.record({ type: fc.constantFrom('string', 'integer', 'number', 'null') }),
    fc.record({ enum: fc.uniqueArray(fc.constantFrom<Json>(0, 1, 2, 'a', 'b', null), { minLength: 1 }) }),
    fc.record({ minimum: fc.integer({ min: 0, max: 3 }), maximum: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ maxLength: fc.integer({ min: 0, max: 2 }) }),
    fc.constant<Json>(false),
  )
  const schemas = fc.oneof(
    leaf,
    fc.record(
      {
        properties: fc.dictionary(fc.constantFrom('p', 'q'), leaf),
        additionalProperties: leaf,
        required: fc.uniqueArray(fc.constantFrom('p', 'q')),
        items: leaf,
        anyOf: fc.array(leaf, { minLength: 1, maxLength: 2 }),
        uniqueItems: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  ) as fc.Arbitrary<Json>
  const scalars = fc.constantFrom<Json>(0, 1, 2, 3, 1.5, 'a', 'b', 'abc', null, true)
  const values = fc.oneof(
    scalars,
    fc.dictionary(fc.constantFrom('p', 'q', 'r'), scalars),
    fc.array(scalars, { maxLength: 3 }),
  ) as fc.Arbitrary<Json>

  test('a narrower schema accepts no value that the other refuses', () => {
    const ajv = new Ajv2020({ strict: false })
    const seen = new Set<Width>()
    fc.assert(
      fc.property(
        schemas,
        schemas,
        fc.array(values, { minLength: 20, maxLength: 20 }),
        (before, after, samples) => {
          const width = schemaWidth(before, after)
          seen.add(width)
          const accepts = (schema: Json) => ajv.compile(schema as object)
          const [was, is] = [accepts(before), accepts(after)]
          for (const value of samples) {
            if (width === 'same') assert.equal(was(value), is(value))
            if (width === 'narrower' && is(value)) assert.ok(was(value))
            if (width === 'wider' && was(value)) assert.ok(is(value))
          }
        },
      ),
      { numRuns: 2000 },
    )
    assert.equal(seen.size, 4)
  })
})
