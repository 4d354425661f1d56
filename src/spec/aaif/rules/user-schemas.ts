import { createRequire } from 'node:module'
import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { lazyModule } from '../../../document/lazy-module.ts'
import type * as UserSchema from '../../../schema/user-schema.ts'
import type { FindSchema } from '../../../schema/user-schema-bundle.ts'
import { isPlainlyRight } from '../../../schema/user-schema-plain.ts'
import type { AgentDefinition } from '../generated/agent.ts'
import { schemasOf } from '../schemas-of.ts'

const require = createRequire(import.meta.url)
const loadUserSchema = lazyModule<typeof UserSchema>(() => require('../../../schema/user-schema.ts'))

/**
 * Checks that the schemas in a definition are valid: an invalid schema would fail during a run.
 * @param find returns documents that the schemas refer to
 */
export function* checkUserSchemas(definition: AgentDefinition, find?: FindSchema): Iterable<Finding> {
  for (const { pointer, schema, use, rule } of schemasOf(definition)) {
    const problems = problemsOf(schema, find, use)
    if (problems.length > 0) yield* findingsOf(problems, pointer, rule)
  }
}

type Problems = ReturnType<typeof UserSchema.checkUserSchema>

/** The full checker is loaded with the first schema that the quick check does not accept. */
function problemsOf(schema: JsonObject, find: FindSchema | undefined, use?: 'parameters'): Problems {
  if (isPlainlyRight(schema) && (use === undefined || schema.type === 'object')) return []
  return loadUserSchema().checkUserSchema(schema, use, find)
}

function* findingsOf(problems: Problems, pointer: string, rule: string): Iterable<Finding> {
  for (const problem of problems) {
    yield {
      severity: problem.severity,
      code: problem.severity === 'error' ? 'SCHEMA_INVALID' : 'SCHEMA_DOUBTFUL',
      pointer: pointer + problem.pointer,
      message: problem.message,
      hint: problem.hint ?? 'schemas are JSON Schema draft 2020-12',
      rule,
    }
  }
}
