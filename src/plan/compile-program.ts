import { sha256OfCanonical } from '../document/canonical.ts'
import type { JsonObject } from '../document/issue.ts'
import { type Check, compileUserSchema } from '../document/user-schema.ts'
import type { Plan, PlannedTool, Program } from './plan.ts'

/**
 * Compiles a plan's schemas. Cheap to repeat: a resumed run compiles its recorded plan again.
 * @throws SCHEMA_INVALID when a schema of the definition cannot be compiled
 */
export function compileProgram(plan: Plan): Program {
  return {
    plan,
    hash: sha256OfCanonical(plan as unknown as JsonObject),
    tool: new Map(plan.tools.map((tool) => [tool.name, tool])),
    checkArguments: checks(plan.tools, (tool) => tool.parameters_schema),
    checkResult: checks(plan.tools, (tool) => tool.output_schema),
    checkInput: plan.input.schema === undefined ? null : compileUserSchema(plan.input.schema),
    checkOutput: plan.output.schema === undefined ? null : compileUserSchema(plan.output.schema),
  }
}

function checks(
  tools: readonly PlannedTool[],
  schemaOf: (tool: PlannedTool) => JsonObject | undefined,
): ReadonlyMap<string, Check> {
  const compiled = new Map<string, Check>()
  for (const tool of tools) {
    const schema = schemaOf(tool)
    if (schema !== undefined) compiled.set(tool.name, compileUserSchema(schema))
  }
  return compiled
}
