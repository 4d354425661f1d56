import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { checkUserSchema } from '../../src/schema/user-schema.ts'

function hintsOf(schema: JsonObject): unknown {
  return checkUserSchema(schema).map(({ severity, pointer, hint }) => [severity, pointer, hint])
}

test('a keyword that is nearly one of JSON Schema is reported with the one that was meant', () => {
  const meant: readonly (readonly [string, string])[] = [
    ['propertis', 'properties'],
    ['Properties', 'properties'],
    ['requried', 'required'],
    ['additional_properties', 'additionalProperties'],
    ['maxlength', 'maxLength'],
    ['patern', 'pattern'],
    ['discription', 'description'],
  ]
  for (const [written, keyword] of meant) {
    deepEqual(hintsOf({ type: 'object', [written]: {} }), [
      ['warning', `/${written}`, `did you mean "${keyword}"?`],
    ])
  }
  deepEqual(hintsOf({ properties: { a: { anyOf: [{ formt: 'date' }] } } }), [
    ['warning', '/properties/a/anyOf/0/formt', 'did you mean "format"?'],
  ])
})

test('members of a value, annotations and names without a similar keyword are not reported', () => {
  deepEqual(
    hintsOf({
      properties: { propertis: { type: 'string' } },
      const: { requried: true },
      default: { patern: 'x' },
      example: 'x',
      discriminator: { propertyName: 'kind' },
      enumNames: ['a'],
      'x-format': 'date',
      min: 3,
      internal: true,
      sensitive: true,
    }),
    [],
  )
})
