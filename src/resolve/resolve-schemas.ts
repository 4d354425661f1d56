import { WaybillError } from '../document/issue.ts'
import type { JsonObject } from '../document/json.ts'
import type { WholeSchema } from '../plan/snapshot.ts'
import { checkUserSchema } from '../schema/user-schema.ts'
import { bundleUserSchema, type FindSchema } from '../schema/user-schema-bundle.ts'
import { isPlainlyRight } from '../schema/user-schema-plain.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { schemasOf } from '../spec/aaif/schemas-of.ts'

/**
 * Returns the schemas of a definition that refer to other documents, complete with these documents, by their pointer.
 * @throws SCHEMA_INVALID if a schema is not usable together with the documents that it refers to
 */
export function resolveSchemas(
  definition: AgentDefinition,
  find: FindSchema,
): Readonly<Record<string, WholeSchema>> {
  const resolved: [string, WholeSchema][] = []
  for (const { pointer, schema, use, rule } of schemasOf(definition)) {
    if (isPlainlyRight(schema)) continue
    const whole = bundleUserSchema(schema, find).schema
    if (whole === schema) continue
    const problems = checkUserSchema(schema, use, find)
    const wrong = problems.find(({ severity }) => severity === 'error')
    if (wrong !== undefined) {
      throw new WaybillError('SCHEMA_INVALID', {
        at: pointer + wrong.pointer,
        rule,
        message: wrong.message,
        hint: 'correct the documents that the schema refers to',
      })
    }
    resolved.push([pointer, { schema: use === 'parameters' ? ofObject(whole) : whole, problems }])
  }
  return Object.fromEntries(resolved)
}

/** Function-calling APIs require an object. A part that is not available no longer says that it is one. */
function ofObject(schema: JsonObject): JsonObject {
  return schema.type === undefined ? { type: 'object', ...schema } : schema
}
