import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { schemaGaps } from '../../src/schema/schema-gaps.ts'

/** Each gap as `POINTER: WRITTEN / NEEDED`, with `!` before one that is total. */
const gaps = (written: JsonObject, needed: JsonObject) =>
  schemaGaps(written, needed).map(
    ({ pointer, written: own, needed: other, total }) => `${total ? '!' : ''}${pointer}: ${own} / ${other}`,
  )

const object = (
  properties: JsonObject,
  required: readonly string[] = [],
  more: JsonObject = {},
): JsonObject => ({
  type: 'object',
  properties,
  required,
  ...more,
})

const CASES: readonly (readonly [
  rule: string,
  written: JsonObject,
  needed: JsonObject,
  found: readonly string[],
])[] = [
  ['the same schema', { type: 'string' }, { type: 'string' }, []],
  ['a schema for every value', { type: 'string' }, {}, []],
  ['annotations', { type: 'string', title: 'A' }, { type: 'string', title: 'B', default: 'x' }, []],
  ['a narrower type', { type: 'integer' }, { type: 'number' }, []],
  ['a wider type', { type: 'number' }, { type: 'integer' }, [': number / integer']],
  ['another type', { type: 'string' }, { type: 'number' }, ['!: string / number']],
  ['one of several types', { type: ['string', 'null'] }, { type: 'string' }, [': string or null / string']],
  ['types in another order', { type: ['null', 'string'] }, { type: ['string', 'null'] }, []],
  ['no type', {}, { type: 'string' }, [': any value / string']],
  ['nullable', { type: 'string', nullable: true }, { type: 'string' }, [': string or null / string']],
  ['the type of values', { enum: ['a'] }, { type: 'string' }, []],
  [
    'values of several types',
    { enum: ['a', null, []] },
    { type: 'string' },
    [': string or null or array / string'],
  ],
  ['fewer values', { enum: ['a'] }, { enum: ['a', 'b'] }, []],
  ['more values', { enum: ['a', 'c'] }, { enum: ['a', 'b'] }, [': one of ["a","c"] / one of ["a","b"]']],
  ['other values', { enum: ['c'] }, { const: 'a' }, ['!: one of ["c"] / one of ["a"]']],
  ['values that are objects', { const: { a: 1, b: 2 } }, { enum: [{ b: 2, a: 1 }] }, []],
  ['any value for some', { type: 'string' }, { type: 'string', enum: ['a'] }, [': any value / one of ["a"]']],
  ['a higher lower bound', { minimum: 2 }, { minimum: 1 }, []],
  ['the same bound', { minimum: 1, maxLength: 3 }, { minimum: 1, maxLength: 3, title: 'x' }, []],
  ['a lower lower bound', { minimum: 0 }, { minimum: 1 }, [': minimum 0 / minimum 1']],
  ['no bound', {}, { maxItems: 3 }, [': no maxItems / maxItems 3']],
  ['a higher upper bound', { maximum: 5 }, { maximum: 4 }, [': maximum 5 / maximum 4']],
  ['bounds of every integer', {}, { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, []],
  ['lengths of at least 0', {}, { minLength: 0, minItems: 0, minProperties: 0 }, []],
  ['a minimum of 0', {}, { minimum: 0 }, [': no minimum / minimum 0']],
  [
    'a member that is not declared',
    object({}),
    object({ id: {} }, ['id']),
    ['!/id: not declared / required'],
  ],
  ['an optional member', object({ id: {} }), object({ id: {} }, ['id']), ['/id: optional / required']],
  ['a required member', object({ id: {} }, ['id']), object({ id: {} }), []],
  ['a member that it does not know', object({ a: {} }), object({ b: {} }), ['/a: declared / unknown']],
  [
    'a required member that it refuses',
    object({ a: {} }, ['a']),
    object({}, [], { additionalProperties: false }),
    ['!/a: declared / unknown'],
  ],
  [
    'an optional member that it refuses',
    object({ a: {} }),
    object({}, [], { additionalProperties: false }),
    ['/a: declared / unknown'],
  ],
  [
    'members beside the named ones',
    object({ a: {} }),
    object({ b: {} }, [], { additionalProperties: { type: 'string' } }),
    [],
  ],
  ['an object with any members', object({ a: {} }), { type: 'object' }, []],
  [
    'a required member of another type',
    object({ 'a/b': { type: 'string' } }, ['a/b']),
    object({ 'a/b': { type: 'integer' } }),
    ['!/a~1b: string / integer'],
  ],
  [
    'an optional member of another type',
    object({ a: { type: 'string' } }),
    object({ a: { type: 'integer' } }),
    ['/a: string / integer'],
  ],
  [
    'a nested member',
    object({ a: object({ b: {} }) }, ['a']),
    object({ a: object({ b: {}, c: {} }, ['c']) }),
    ['!/a/c: not declared / required'],
  ],
  [
    'items of another type',
    { type: 'array', items: { type: 'string' } },
    { type: 'array', items: { type: 'integer' } },
    ['/*: string / integer'],
  ],
  [
    'any items',
    { type: 'array' },
    { type: 'array', items: { type: 'integer' } },
    ['/*: any value / integer'],
  ],
  ['items that may be any', { type: 'array', items: { type: 'string' } }, { type: 'array', items: true }, []],
  ['a pattern', { type: 'string' }, { type: 'string', pattern: '^a' }, [': no pattern / pattern "^a"']],
  ['another pattern', { pattern: '^b' }, { pattern: '^a' }, [': another pattern / pattern "^a"']],
  ['the pattern of a format', { format: 'email' }, { format: 'email', pattern: '@' }, []],
  [
    'the pattern of another format',
    { format: 'uri' },
    { format: 'email', pattern: '@' },
    [': no pattern / pattern "@"'],
  ],
  ['a reference', { $ref: '#/$defs/a' }, { $ref: '#/$defs/a', title: 'x' }, []],
  ['no value at all', object({ a: {} }, ['a']), object({ a: false }), ['!/a: a schema / no value']],
]

describe('why values of one schema may not fit another', () => {
  for (const [rule, written, needed, found] of CASES)
    test(rule, () => assert.deepEqual(gaps(written, needed), found))

  test('a long value of a keyword is cut', () => {
    const [gap] = schemaGaps({}, { pattern: 'a'.repeat(500) })
    assert.equal(gap?.needed.length, 'pattern '.length + 80)
  })
})
