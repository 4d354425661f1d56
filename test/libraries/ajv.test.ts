import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import type { Json, JsonObject } from '../../src/document/json.ts'

const OPTIONS: Options = {
  meta: false,
  validateSchema: false,
  strict: false,
  allErrors: true,
  verbose: true,
  ownProperties: true,
  validateFormats: false,
  logger: false,
  multipleOfPrecision: 8,
  inlineRefs: 20,
}

function errorsOf(schema: JsonObject | boolean, value: Json, options: Options = OPTIONS) {
  const validate = new Ajv2020(options).compile(schema)
  validate(value)
  return validate.errors ?? []
}

/** What `src/schema/user-schema*.ts` rely on: options, and what errors say of themselves. */
describe('ajv: errors', () => {
  for (const [schema, value, keyword, params] of [
    [{ type: ['string', 'null'] }, 1, 'type', { type: ['string', 'null'] }],
    [{ required: ['a'] }, {}, 'required', { missingProperty: 'a' }],
    [
      { dependentRequired: { a: ['b'] } },
      { a: 1 },
      'dependentRequired',
      { property: 'a', missingProperty: 'b' },
    ],
    [{ additionalProperties: false }, { a: 1 }, 'additionalProperties', { additionalProperty: 'a' }],
    [{ unevaluatedProperties: false }, { a: 1 }, 'unevaluatedProperties', { unevaluatedProperty: 'a' }],
    [{ enum: [1, 'x'] }, 2, 'enum', { allowedValues: [1, 'x'] }],
    [{ const: 1 }, 2, 'const', { allowedValue: 1 }],
    [{ minimum: 3 }, 2, 'minimum', { comparison: '>=', limit: 3 }],
    [{ exclusiveMaximum: 3 }, 3, 'exclusiveMaximum', { comparison: '<', limit: 3 }],
    [{ multipleOf: 2 }, 3, 'multipleOf', { multipleOf: 2 }],
    [{ minLength: 3 }, 'ab', 'minLength', { limit: 3 }],
    [{ pattern: '^a' }, 'b', 'pattern', { pattern: '^a' }],
    [{ minItems: 1 }, [], 'minItems', { limit: 1 }],
    [{ prefixItems: [true], items: false }, [1, 2], 'items', { limit: 1 }],
    [{ unevaluatedItems: false }, [1], 'unevaluatedItems', { limit: 0 }],
    [
      { contains: { const: 1 }, minContains: 1, maxContains: 2 },
      [],
      'contains',
      { minContains: 1, maxContains: 2 },
    ],
    [{ oneOf: [true, true] }, 1, 'oneOf', { passingSchemas: [0, 1] }],
    [{ not: {} }, 1, 'not', {}],
    [false, 1, 'false schema', {}],
  ] as const) {
    test(`${keyword} names its limit in ${Object.keys(params).join(', ') || 'nothing'}`, () => {
      const [error, ...others] = errorsOf(schema as JsonObject | boolean, value as Json)
      assert.deepEqual(others, [])
      assert.equal(error?.keyword, keyword)
      const named = Object.fromEntries(Object.keys(params).map((name) => [name, error?.params[name]]))
      assert.deepEqual(named, params)
      assert.deepEqual(error?.data, value, '`verbose` keeps the value')
    })
  }

  test('the branches of alternatives come first, each below the path of the alternatives', () => {
    const schema = {
      properties: { a: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/n' }] } },
      $defs: { n: { const: 1 } },
    }
    const errors = errorsOf(schema, { a: true })
    assert.deepEqual(
      errors.map(({ instancePath, schemaPath }) => [instancePath, schemaPath]),
      [
        ['/a', '#/properties/a/anyOf/0/type'],
        ['/a', '#/$defs/n/const'],
        ['/a', '#/properties/a/anyOf'],
      ],
    )
    assert.deepEqual(errors.at(-1)?.schema, schema.properties.a.anyOf)
    assert.equal(errorsOf({ oneOf: [false, false] }, 1).at(-1)?.params.passingSchemas, null)
  })

  test('a bad name of a member is in `propertyName`', () => {
    const errors = errorsOf({ propertyNames: { maxLength: 1 } }, { ab: 1 })
    assert.deepEqual(
      errors.map(({ keyword, propertyName }) => [keyword, propertyName]),
      [
        ['maxLength', 'ab'],
        ['propertyNames', undefined],
      ],
    )
  })
})

describe('ajv: options', () => {
  test('members of the prototype do not count as members', () => {
    assert.equal(errorsOf({ required: ['toString', 'constructor'] }, {}).length, 2)
    assert.equal(errorsOf({ properties: { toString: { type: 'string' } } }, {}).length, 0)
  })

  test('formats and unknown keywords mean nothing, and a schema is not validated itself', () => {
    assert.deepEqual(errorsOf({ format: 'email', shape: 'round' }, 'x'), [])
    assert.doesNotThrow(() =>
      new Ajv2020(OPTIONS).compile({ $schema: 'https://json-schema.example/none', title: 7 }),
    )
  })

  test('multiples of decimals are found in spite of rounding', () => {
    assert.deepEqual(errorsOf({ multipleOf: 0.01 }, 0.07), [])
    assert.equal(errorsOf({ multipleOf: 0.01 }, 0.075).length, 1)
  })

  test('`code.regExp` makes every regular expression, with "u" as its flags', () => {
    const made: string[] = []
    const regExp = Object.assign(
      (pattern: string, flags: string) => {
        made.push(`${pattern} ${flags}`)
        return { test: (text: string) => text === 'yes', toString: () => `/${pattern}/` }
      },
      { code: 'own' },
    )
    const schema = { pattern: '^a', patternProperties: { '^b': { type: 'string' } } }
    const options = { ...OPTIONS, code: { regExp } }
    assert.deepEqual(errorsOf(schema, 'yes', options), [])
    assert.equal(errorsOf(schema, 'a', options)[0]?.keyword, 'pattern')
    assert.equal(errorsOf(schema, { yes: 1, b: 1 }, options)[0]?.instancePath, '/yes')
    assert.ok(made.includes('^a u') && made.includes('^b u'))
  })

  test('a keyword can be taken out and put back with a function of ours, which words its own error', () => {
    const ajv = new Ajv2020(OPTIONS)
    ajv.removeKeyword('uniqueItems')
    const validate = Object.assign(
      (_wanted: boolean, items: readonly Json[]): boolean => {
        Object.assign(validate, { errors: [{ keyword: 'uniqueItems', params: { i: 1, j: 0 } }] })
        return items.length < 2
      },
      { errors: [] as object[] },
    )
    ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', errors: 'full', validate })
    const check = ajv.compile({ properties: { a: { uniqueItems: true } } })
    assert.equal(check({ a: [1, 2] }), false)
    assert.deepEqual(check.errors?.[0]?.params, { i: 1, j: 0 })
    assert.equal(check.errors?.[0]?.instancePath, '/a')
  })

  test('the errors of a check are a member that can be let go', () => {
    const check = new Ajv2020(OPTIONS).compile({ type: 'string' })
    check(1)
    assert.equal(check.errors?.length, 1)
    check.errors = null
    assert.equal(check('x'), true)
  })
})

describe('ajv: standalone code', () => {
  test('it exports `validate`, and the only module that it asks for is the one that is written out', () => {
    const ajv = new Ajv2020({
      code: { source: true, esm: true, lines: true },
      allErrors: true,
      ownProperties: true,
      strictTypes: false,
    })
    const schema = {
      type: 'object',
      properties: { a: { minLength: 1 }, b: { enum: [{ c: 1 }, 2] }, d: { pattern: 'x' } },
    }
    const code = standalone.default(ajv, ajv.compile({ ...schema, required: ['a'] }))
    assert.match(code, /^export const validate = /m)
    const asked = new Set(code.match(/require\([^)]*\)(?:\.\w+)?/g))
    assert.deepEqual(
      asked,
      new Set([
        'require("ajv/dist/runtime/ucs2length").default',
        'require("ajv/dist/runtime/equal").default',
      ]),
    )
  })

  test('a discriminator reports on the branch that was meant alone', () => {
    const branch = (kind: string) => ({
      properties: { kind: { const: kind }, n: { type: 'number' } },
      required: ['kind', 'n'],
    })
    const schema = {
      type: 'object',
      required: ['kind'],
      discriminator: { propertyName: 'kind' },
      oneOf: [branch('a'), branch('b')],
    }
    const errors = errorsOf(schema, { kind: 'b' }, { allErrors: true, discriminator: true })
    assert.deepEqual(
      errors.map(({ schemaPath }) => schemaPath),
      ['#/oneOf/1/required'],
    )
  })
})
