import { createRequire } from 'node:module'
import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { lazyModule } from '../../../document/lazy-module.ts'
import type * as UserSchema from '../../../schema/user-schema.ts'
import { isPlainlyRight } from '../../../schema/user-schema-plain.ts'
import type { AgentDefinition } from '../generated/agent.ts'

const require = createRequire(import.meta.url)
const loadUserSchema = lazyModule<typeof UserSchema>(() => require('../../../schema/user-schema.ts'))

/** Checks that the schemas in a definition are valid: an invalid schema would fail during a run. */
export function* checkUserSchemas({ agent }: AgentDefinition): Iterable<Finding> {
  const { tools = [], io } = agent
  for (const [index, { parameters_schema, output_schema }] of tools.entries()) {
    const pointer = `/agent/tools/${index}`
    if (parameters_schema !== undefined) {
      const problems = problemsOf(parameters_schema, 'parameters')
      if (problems.length > 0) yield* findingsOf(problems, `${pointer}/parameters_schema`, 'AAIF-4.4-02')
    }
    if (output_schema !== undefined) {
      const problems = problemsOf(output_schema)
      if (problems.length > 0) yield* findingsOf(problems, `${pointer}/output_schema`, 'SPEC-G-01')
    }
  }
  if (io?.input_schema !== undefined)
    yield* findingsOf(problemsOf(io.input_schema), '/agent/io/input_schema', 'SPEC-D-30')
  if (io?.output_schema !== undefined)
    yield* findingsOf(problemsOf(io.output_schema), '/agent/io/output_schema', 'SPEC-D-30')
}

type Problems = ReturnType<typeof UserSchema.checkUserSchema>

/** The full checker is loaded with the first schema that the quick check does not accept. */
function problemsOf(schema: JsonObject, use?: 'parameters'): Problems {
  if (isPlainlyRight(schema) && (use === undefined || schema.type === 'object')) return []
  return loadUserSchema().checkUserSchema(schema, use)
}

function* findingsOf(problems: Problems, pointer: string, rule: string): Iterable<Finding> {
  for (const problem of problems) {
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
