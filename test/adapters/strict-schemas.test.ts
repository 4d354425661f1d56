import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from 'waybill'
import { fixedOptions } from '../../src/adapters/models/call-options.ts'
import type { Plan } from '../../src/plan/plan.ts'

function isStrict(schema: JsonObject): unknown {
  const plan = { params: {}, tools: [], output: { structured: true, schema } } as unknown as Plan
  return fixedOptions(plan).providerOptions?.openai?.strictJsonSchema
}

/** A closed object with one required member. */
const closed = (member: unknown, more: object = {}): JsonObject =>
  ({
    type: 'object',
    properties: { a: member },
    required: ['a'],
    additionalProperties: false,
    ...more,
  }) as JsonObject

const FITS: Readonly<Record<string, JsonObject>> = {
  'a closed object': closed({ type: 'string', description: 'A name.' }),
  'a member that may be null': closed({ type: ['string', 'null'] }),
  'a list of closed objects': closed({ type: 'array', items: closed({ type: 'number' }), minItems: 1 }),
  'a choice': closed({ anyOf: [{ type: 'string' }, { type: 'null' }] }),
  'a reference': closed({ $ref: '#/$defs/b' }, { $defs: { b: closed({ enum: ['x', 'y'] }) } }),
  'a member of an unusual name': closed(
    { type: 'string' },
    { properties: { oneOf: { type: 'string' } }, required: ['oneOf'] },
  ),
  'a known format': closed({ type: 'string', format: 'date' }),
}

const DOES_NOT_FIT: Readonly<Record<string, JsonObject>> = {
  'a part that accepts every value': closed({}),
  'a part with a description only': closed({ description: 'Anything.' }),
  'a part that is true': closed(true),
  'a list of anything': closed({ type: 'array' }),
  'a list whose items accept every value': closed({ type: 'array', items: {} }),
  'a definition that accepts every value': closed({ $ref: '#/$defs/b' }, { $defs: { b: {} } }),
  'a choice with anything': closed({ anyOf: [{ type: 'string' }, {}] }),
  'an object that is open': { type: 'object', properties: {} },
  'an open object inside': closed({ type: 'object' }),
  'a member that is not required': closed({ type: 'string' }, { required: [] }),
  'a root that is a choice': { anyOf: [closed({ type: 'string' })] },
  'a root that is a list': { type: 'array', items: { type: 'string' } },
  oneOf: closed({ oneOf: [{ type: 'string' }, { type: 'null' }] }),
  allOf: closed({ allOf: [{ type: 'string' }] }),
  'a default': closed({ type: 'string', default: 'x' }),
  patternProperties: closed({ type: 'string' }, { patternProperties: {} }),
  'an unknown format': closed({ type: 'string', format: 'uri' }),
}

describe('response_format json_schema: strict mode of OpenAI', () => {
  for (const [name, schema] of Object.entries(FITS))
    test(`is used for ${name}`, () => {
      assert.equal(isStrict(schema), true)
    })
  for (const [name, schema] of Object.entries(DOES_NOT_FIT))
    test(`is not used for ${name}`, () => {
      assert.equal(isStrict(schema), false)
    })
})
