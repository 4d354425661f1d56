import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/issue.ts'
import { loadSibling } from '../../../document/load-sibling.ts'
import type * as UserSchema from '../../../document/user-schema.ts'
import type { AgentDefinition } from '../generated/agent.ts'

/** Schemas that authors write must be schemas: a broken one would fail in mid-run. */
export function* checkUserSchemas({ agent }: AgentDefinition): Iterable<Finding> {
  for (const [index, { parameters_schema, output_schema }] of (agent.tools ?? []).entries()) {
    yield* checkSchema(
      parameters_schema,
      `/agent/tools/${index}/parameters_schema`,
      'AAIF-4.4-02',
      'parameters',
    )
    yield* checkSchema(output_schema, `/agent/tools/${index}/output_schema`, 'SPEC-G-01')
  }
  yield* checkSchema(agent.io?.input_schema, '/agent/io/input_schema', 'SPEC-D-30')
  yield* checkSchema(agent.io?.output_schema, '/agent/io/output_schema', 'SPEC-D-30')
}

function* checkSchema(
  schema: JsonObject | undefined,
  pointer: string,
  rule: string,
  use?: 'parameters',
): Iterable<Finding> {
  if (schema === undefined) return
  // Loaded with the first schema: most definitions that are only looked at have none.
  const { checkUserSchema } = loadSibling(
    import.meta.filename,
    '../../../document/user-schema',
  ) as typeof UserSchema
  for (const problem of checkUserSchema(schema, use)) {
    yield {
      severity: problem.severity,
      code: problem.severity === 'error' ? 'SCHEMA_INVALID' : 'SCHEMA_DOUBTFUL',
      pointer: pointer + problem.pointer,
      message: problem.message,
      hint: 'schemas are JSON Schema draft 2020-12',
      rule,
    }
  }
}
