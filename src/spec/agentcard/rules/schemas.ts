import { createRequire } from 'node:module'
import type { Finding } from '../../../document/finding.ts'
import { isObject, type JsonObject } from '../../../document/json.ts'
import { lazyModule } from '../../../document/lazy-module.ts'
import type * as UserSchema from '../../../schema/user-schema.ts'
import type { FindSchema } from '../../../schema/user-schema-bundle.ts'
import { memberOf } from '../../loose-members.ts'
import { capabilitiesOf } from '../capabilities-of.ts'
import type { Strictness } from './rule.ts'

const require = createRequire(import.meta.url)
const loadUserSchema = lazyModule<typeof UserSchema>(() => require('../../../schema/user-schema.ts'))

/**
 * Checks that schemas of capabilities are JSON Schemas (§2.4.3), and warns about schemas that function calling does not
 * accept. A schema may refer to another schema by URL; the reference is not fetched, and this is not an error.
 */
export function* checkSchemas(card: JsonObject, { findSchema }: Strictness): Iterable<Finding> {
  for (const { pointer, capability } of capabilitiesOf(card)) {
    for (const member of ['input_schema', 'output_schema']) {
      const schema = memberOf(capability, member)
      if (isObject(schema)) yield* checkSchema(schema, `${pointer}/${member}`, findSchema)
    }
  }
}

function* checkSchema(schema: JsonObject, pointer: string, find: FindSchema | undefined): Iterable<Finding> {
  // Loaded with the first schema: many cards have no schemas.
  const { checkUserSchema } = loadUserSchema()
  let usable = true
  for (const problem of checkUserSchema(schema, undefined, find)) {
    const wrong = problem.severity === 'error'
    usable &&= !wrong
    yield {
      severity: wrong ? 'error' : 'warning',
      code: wrong ? 'SCHEMA_INVALID' : 'SCHEMA_DOUBTFUL',
      pointer: pointer + problem.pointer,
      message: problem.message,
      hint: problem.hint ?? 'schemas are JSON Schema draft 2020-12',
      rule: 'CARD-2.4-07',
    }
  }
  if (!usable || isOfObjects(schema)) return
  yield {
    severity: 'warning',
    code: 'SCHEMA_NOT_OBJECT',
    pointer,
    message: 'function calling accepts only schemas of objects: this schema has no "type": "object"',
    hint: 'write "type": "object" and put the value into a property',
    rule: 'CARD-2.4-08',
  }
}

function isOfObjects(schema: JsonObject): boolean {
  if (schema.type !== undefined) return schema.type === 'object'
  return Object.hasOwn(schema, 'properties') || Object.hasOwn(schema, '$ref')
}
