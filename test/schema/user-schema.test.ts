import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { WaybillError } from '../../src/document/issue.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { checkUserSchema, compileUserSchema } from '../../src/schema/user-schema.ts'
import { isPlainlyRight } from '../../src/schema/user-schema-plain.ts'
import { readUserSchema } from '../../src/schema/user-schema-reading.ts'
import { repetitions } from '../repetitions.ts'

const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')

function breaches(schema: JsonObject, value: Json): string | null {
  return compileUserSchema(schema)(value)
}

function errors(schema: Json): string[] {
  return checkUserSchema(schema)
    .filter((p) => p.severity === 'error')
    .map((p) => p.pointer)
}

function warnings(schema: Json): string[] {
  return checkUserSchema(schema)
    .filter((p) => p.severity === 'warning')
    .map((p) => p.pointer)
}

describe('isPlainlyRight', () => {
  const plain = fc.letrec<{ schema: Json }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.boolean(),
      fc.dictionary(
        fc.constantFrom(
          'type',
          'title',
          'required',
          'enum',
          'minimum',
          'maxLength',
          'default',
          'uniqueItems',
          'pattern',
          '$ref',
          'x',
        ),
        fc.constantFrom<Json>(
          'string',
          'object',
          'strng',
          true,
          null,
          1,
          -1,
          0.5,
          [],
          ['a'],
          ['a', 'a'],
          [1],
          {},
          '#',
          '(?=a)',
        ),
        { maxKeys: 3 },
      ) as fc.Arbitrary<Json>,
      fc.dictionary(fc.constantFrom('items', 'additionalProperties', 'allOf'), tie('schema'), {
        maxKeys: 2,
      }) as fc.Arbitrary<Json>,
      fc.record({
        properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('schema'), { maxKeys: 3 }),
      }) as fc.Arbitrary<Json>,
    ),
  })).schema

  test('what it lets pass is what the thorough look has nothing to say about', () => {
    let passed = 0
    fc.assert(
      fc.property(plain, (schema) => {
        if (!isPlainlyRight(schema)) return
        passed++
        assert.deepEqual([...readUserSchema(schema).problems], [], JSON.stringify(schema))
      }),
      { seed: 20261121, numRuns: repetitions(5000) },
    )
    assert.ok(passed > repetitions(500), `${passed} passed`)
  })

  test('a schema too deep or too large to be everyday is left to the thorough look', () => {
    let deep: Json = { type: 'string' }
    for (let level = 0; level < 30; level++) deep = { type: 'array', items: deep }
    assert.equal(isPlainlyRight(deep), false)
    const members = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`m${index}`, { type: 'string' }]),
    )
    assert.equal(isPlainlyRight({ type: 'object', properties: members }), false)
  })
})

describe('checkUserSchema', () => {
  test('a misspelt type is an error at its place, with the type that was meant', () => {
    const [problem, ...rest] = checkUserSchema({ type: 'object', properties: { a: { type: 'strng' } } })
    assert.equal(rest.length, 0)
    assert.equal(problem?.pointer, '/properties/a/type')
    assert.match(problem?.message ?? '', /did you mean "string"/)
  })

  test('agrees with the published meta-schema on which schemas are valid', () => {
    const ajv = new Ajv2020({ strict: false, logger: false })
    const some = fc.oneof(
      fc.constantFrom<Json>('string', 'object', 'strng', true, false, null, 0, -1, 1.5, 3, [], {}, ''),
      fc.constantFrom<Json>(
        ['a'],
        ['a', 1],
        [{}],
        [{ type: 'string' }, true],
        { a: {} },
        { a: ['b'] },
        { a: 1 },
      ),
    )
    // Omitted where we are intentionally lenient: annotations, older dialects, duplicate names, identifiers.
    const keywords = [
      ...['type', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'properties', 'propertyNames'],
      ...['additionalProperties', 'unevaluatedProperties', 'prefixItems', 'contains', 'unevaluatedItems'],
      ...[
        'multipleOf',
        'minimum',
        'maximum',
        'minLength',
        'maxItems',
        'minContains',
        'uniqueItems',
        'required',
      ],
      ...[
        'dependentRequired',
        'dependentSchemas',
        '$defs',
        'enum',
        'pattern',
        'const',
        'x-mine',
        'maxProperties',
      ],
    ]
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keywords), some, { maxKeys: 3 }), (schema) => {
        const nested = { properties: { p: { ...schema } } } as JsonObject
        assert.equal(errors(nested).length === 0, ajv.validateSchema(nested), JSON.stringify(nested))
      }),
      { numRuns: 1_500 },
    )
  })

  test('a reference without a target in its own document is an error, one to another document a warning', () => {
    assert.deepEqual(errors({ $ref: 'https://example.com/s.json' }), [])
    assert.deepEqual(errors({ properties: { a: { $ref: 'other.json#/x' } } }), [])
    assert.deepEqual(
      checkUserSchema({ properties: { a: { $ref: 'other.json#/x' } } }).map((problem) => [
        problem.severity,
        problem.pointer,
        problem.unavailable,
      ]),
      [['warning', '/properties/a/$ref', 'other.json']],
    )
    assert.deepEqual(errors({ $ref: '#/$defs/none' }), ['/$ref'])
    assert.deepEqual(errors({ $ref: '#/$defs/a%20b', $defs: { 'a b': { type: 'string' } } }), [])
    assert.deepEqual(errors({ $ref: '#x', $defs: { a: { $anchor: 'x' } } }), [])
    assert.deepEqual(
      errors({ $id: 'https://e.org/s', $ref: 'https://e.org/s#/$defs/a', $defs: { a: true } }),
      [],
    )
  })

  test('what a reference leads to is checked, also where no schema is expected', () => {
    assert.deepEqual(errors({ $ref: '#/x-shared/a', 'x-shared': { a: { type: 'nope' } } }), [
      '/x-shared/a/type',
    ])
    assert.deepEqual(errors({ 'x-shared': { a: { type: 'nope' } } }), [])
  })

  test('a schema that reaches itself without descending is refused; a recursive one is fine', () => {
    assert.equal(errors({ $ref: '#' }).length, 1)
    assert.equal(errors({ $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } } }).length, 1)
    assert.deepEqual(errors({ properties: { child: { $ref: '#' } } }), [])
  })

  test('a schema that fans out without end is refused before it is compiled', () => {
    const $defs: Record<string, JsonObject> = { d30: {} }
    for (let i = 0; i < 30; i++)
      $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }
    assert.equal(errors({ $ref: '#/$defs/d0', $defs }).length, 1)
  })

  test('depth and size are capped, without a stack overflow', () => {
    let deep: Json = {}
    for (let i = 0; i < 200_000; i++) deep = { not: deep }
    assert.match(checkUserSchema(deep)[0]?.message ?? '', /nested deeper/)
    const wide = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`p${i}`, {}]))
    assert.match(checkUserSchema({ properties: wide })[0]?.message ?? '', /more than/)
    const cyclic: Record<string, Json> = {}
    cyclic.not = cyclic
    assert.equal(checkUserSchema(cyclic).length, 1)
  })

  test('what is read in an older dialect, or not enforced, is a warning and not an error', () => {
    const old = {
      properties: {
        tuple: { items: [{ type: 'string' }] },
        bound: { minimum: 1, exclusiveMinimum: true },
        look: { pattern: '^(?!admin).*$' },
        none: { description: null },
      },
    }
    assert.deepEqual(errors(old), [])
    assert.deepEqual(warnings(old), [
      '/properties/tuple/items',
      '/properties/bound/exclusiveMinimum',
      '/properties/look/pattern',
      '/properties/none/description',
    ])
  })

  test('for parameters, a top level that is not an object gives a warning', () => {
    assert.equal(checkUserSchema({ type: 'array', items: {} }, 'parameters').length, 1)
    assert.equal(checkUserSchema({ type: 'array', items: {} }).length, 0)
    assert.equal(checkUserSchema({ type: 'object' }, 'parameters').length, 0)
  })

  test('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        checkUserSchema(value as Json)
      }),
    )
  })
})

describe('compileUserSchema', () => {
  test('names every breach with its place and what was expected', () => {
    const schema = {
      type: 'object',
      properties: {
        subject: {},
        to: { type: 'string' },
        n: { type: 'integer', minimum: 1 },
        tag: { enum: ['a', 'b'] },
      },
      required: ['subject'],
      additionalProperties: false,
    }
    const message = breaches(schema, { to: 7, n: 0, tag: 'c', cc: true })
    assert.deepEqual(
      new Set(message?.split('; ')),
      new Set([
        '/subject: required, but missing',
        '/cc: unknown member',
        '/to: must be a string, got number',
        '/n: must be >= 1',
        '/tag: must be one of "a", "b"',
      ]),
    )
    assert.equal(breaches(schema, { subject: null }), null)
  })

  test('lists at most ten breaches and says how many there are more', () => {
    const message = breaches({ items: { type: 'string' } }, Array(14).fill(1))
    assert.equal(message?.split('; ').length, 11)
    assert.match(message ?? '', /and 4 more$/)
  })

  test('never repeats a value of the data', () => {
    const secret = 'a-value-nobody-should-see'
    const schema = {
      properties: {
        a: { type: 'number' },
        b: { enum: ['x'] },
        c: { maxLength: 3 },
        d: { const: 1 },
        e: { pattern: '^z' },
      },
    }
    const message = breaches(schema, { a: secret, b: secret, c: secret, d: secret, e: secret })
    assert.equal(message?.split('; ').length, 5)
    assert.ok(!message?.includes(secret))
  })

  test('of alternatives, only the one that was meant is reported', () => {
    const schema = {
      anyOf: [
        { $ref: '#/$defs/mail' },
        { type: 'object', properties: { kind: { const: 'sms' }, phone: {} }, required: ['kind', 'phone'] },
        { type: 'null' },
      ],
      $defs: { mail: { type: 'object', properties: { kind: { const: 'mail' } }, required: ['kind', 'to'] } },
    }
    assert.equal(breaches(schema, { kind: 'mail' }), '/to: required, but missing')
    assert.equal(breaches(schema, { kind: 'sms' }), '/phone: required, but missing')
    assert.equal(breaches(schema, { kind: 'fax', to: 1, phone: 1 }), '/kind: must be "mail" or "sms"')
    assert.equal(breaches(schema, 4), '(root): must be an object or null, got number')
  })

  test('oneOf says which alternatives fit at once', () => {
    assert.match(breaches({ oneOf: [{}, { type: 'number' }] }, 1) ?? '', /alternatives 0 and 1/)
  })

  test('a pattern cannot be made to run for ever', () => {
    const check = compileUserSchema({ pattern: '^(a+)+$', patternProperties: { '^(b|b)*$': {} } })
    // An engine that goes back would never end.
    assert.match(check(`${'a'.repeat(5_000)}!`) ?? '', /pattern/)
    assert.equal(check({ [`${'b'.repeat(5_000)}!`]: 1 }), null)
  })

  test('a named back-reference is not enforced, and not taken for a text', () => {
    const pattern = '^(?<sign>["!])x\\k<sign>$'
    assert.deepEqual(warnings({ pattern }), ['/pattern'])
    assert.equal(breaches({ pattern }, '!x!'), null)
    assert.notEqual(breaches({ pattern: '^\\\\k<x>$' }, 'aa'), null, 'an escaped backslash is none')
  })

  test('a pattern that cannot be enforced lets more pass, never less', () => {
    const look = '^(?!x).*$'
    assert.equal(breaches({ pattern: look }, 'x'), null)
    assert.equal(breaches({ not: { pattern: look } }, 'y'), null)
    assert.equal(breaches({ oneOf: [{ pattern: look }, { const: 'x' }] }, 'x'), null)
    assert.equal(breaches({ if: { pattern: look }, else: false }, 'x'), null)
    assert.equal(breaches(JSON.parse(`{"if":{"pattern":"${look}"},"then":false}`), 'x'), null)
    const names = { patternProperties: { [look]: { type: 'number' } }, additionalProperties: false }
    assert.equal(breaches(names, { a: 1 }), null)
    assert.notEqual(
      breaches({ type: 'string', minLength: 3, pattern: look }, 'x'),
      null,
      'the rest still holds',
    )
  })

  test('draft-07 tuples and definitions, draft-04 bounds, OpenAPI nullable and dependencies are enforced', () => {
    const tuple = { items: [{ type: 'string' }, { type: 'number' }], additionalItems: false }
    assert.equal(breaches(tuple, ['a', 1]), null)
    assert.notEqual(breaches(tuple, ['a', 'b']), null)
    assert.notEqual(breaches(tuple, ['a', 1, 2]), null)
    const definitions = { $ref: '#/definitions/id', definitions: { id: { type: 'integer' } } }
    assert.notEqual(breaches(definitions, 'x'), null)
    assert.notEqual(breaches({ minimum: 1, exclusiveMinimum: true }, 1), null)
    assert.equal(breaches({ minimum: 1, exclusiveMinimum: false }, 1), null)
    assert.equal(breaches({ type: 'string', nullable: true }, null), null)
    assert.notEqual(breaches({ type: 'string' }, null), null)
    assert.notEqual(
      breaches({ dependencies: { a: ['b'], c: { required: ['d'] } } }, { a: 1, b: 1, c: 1 }),
      null,
    )
    assert.equal(breaches({ dependencies: { a: ['b'] } }, { a: 1, b: 1 }), null)
  })

  test('recursive schemas work, and a value nested without end is a breach and not a crash', () => {
    const list = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false }
    assert.equal(breaches(list, { next: { next: {} } }), null)
    assert.equal(breaches(list, { next: { next: { x: 1 } } }), '/next/next/x: unknown member')
    let deep: Json = {}
    for (let i = 0; i < 100_000; i++) deep = { next: deep }
    assert.match(breaches(list, deep) ?? '', /nested too deeply/)
  })

  test('inherited names are not members', () => {
    assert.notEqual(breaches({ required: ['toString'] }, {}), null)
    assert.equal(breaches({ properties: { constructor: { type: 'number' } } }, {}), null)
    assert.notEqual(breaches({ properties: { toString: { type: 'number' } } }, { toString: 'x' }), null)
  })

  test('two schemas with the same $id, or anchors, do not meet', () => {
    const a = { $id: 'https://example.com/s', $ref: '#it', $defs: { a: { $anchor: 'it', type: 'string' } } }
    const b = { $id: 'https://example.com/s', $ref: '#it', $defs: { a: { $anchor: 'it', type: 'number' } } }
    assert.equal(breaches(a, 'x'), null)
    assert.equal(breaches(b, 1), null)
    assert.notEqual(breaches(a, 1), null)
  })

  test('format and unknown keywords only annotate', () => {
    assert.equal(
      breaches({ type: 'string', format: 'email', widget: { type: 'nonsense' }, id: 'x' }, 'no mail'),
      null,
    )
    assert.equal(breaches({ properties: { id: { type: 'string' } } }, { id: 'x' }), null)
  })

  test('equal items are found in linear time, whatever the order of their members', () => {
    const check = compileUserSchema({ properties: { a: { uniqueItems: true }, b: { uniqueItems: false } } })
    assert.equal(
      check({ a: [{ x: 1, y: [2] }, 1, { y: [2], x: 1 }] }),
      '/a: items 0 and 2 are equal, but must not be',
    )
    assert.equal(check({ a: [1, '1', true, null, 'true', [1], { 0: 1 }], b: [1, 1] }), null)
    assert.equal(check({ a: Array.from({ length: 50_000 }, (_, i) => ({ i })) }), null)
  })

  test('decimal fractions are multiples as people count them', () => {
    assert.equal(breaches({ multipleOf: 0.01 }, 19.99), null)
    assert.notEqual(breaches({ multipleOf: 0.01 }, 19.995), null)
  })

  test('the same schema object compiles once', () => {
    const schema = { type: 'object' }
    assert.equal(compileUserSchema(schema), compileUserSchema(schema))
  })

  test('a schema with errors is refused with its place', () => {
    assert.throws(
      () => compileUserSchema({ properties: { a: { type: 'strng' } } }),
      (e) =>
        e instanceof WaybillError && e.code === 'SCHEMA_INVALID' && e.details.at === '/properties/a/type',
    )
  })

  test('whatever is found usable compiles', () => {
    const keyword = fc.constantFrom(
      'type',
      'items',
      '$ref',
      'properties',
      'anyOf',
      'not',
      'nullable',
      'dependencies',
    )
    const part = fc.constantFrom<Json>(
      '#',
      '#/properties/a',
      'string',
      true,
      [{}, false],
      { a: { pattern: '(?=x)' } },
      { a: ['b'] },
    )
    fc.assert(
      fc.property(fc.dictionary(keyword, part, { maxKeys: 4 }), fc.jsonValue(), (schema, value) => {
        fc.pre(errors(schema as Json).length === 0)
        const result = compileUserSchema(schema as JsonObject)(value as Json)
        assert.ok(result === null || result.length > 0)
      }),
    )
  })
})
