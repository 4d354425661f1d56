import { compileCondition } from '../condition/compile-condition.ts'
import type { JsonObject } from '../document/json.ts'
import { type Check, compileUserSchema } from '../schema/user-schema.ts'
import { fixedTokens } from './fixed-tokens.ts'
import type { Plan, PlannedTool, Program } from './plan.ts'
import { planHash } from './plan-hash.ts'

/**
 * Compiles the schemas and conditions of a plan and of the agents that it may call. A resumed run compiles its recorded
 * plans again.
 * @param family plans of all agents that may take part, with or without `plan` itself
 * @throws SCHEMA_INVALID if a schema of a definition cannot be compiled
 */
export function compileProgram(plan: Plan, family: readonly Plan[] = []): Program {
  const programs = new Map<string, Program>()
  for (const member of [...family, plan]) {
    if (!programs.has(member.definition_hash))
      programs.set(member.definition_hash, compileOne(member, programs))
  }
  return programs.get(plan.definition_hash) as Program
}

function compileOne(plan: Plan, family: ReadonlyMap<string, Program>): Program {
  return {
    plan,
    hash: planHash(plan),
    tool: new Map(plan.tools.map((tool) => [tool.name, tool])),
    // If two sub-agents have the same alias, the first applies.
    subagent: new Map(plan.subagents.toReversed().map((subagent) => [subagent.alias, subagent])),
    checkArguments: checks(plan.tools, (tool) => tool.parameters_schema),
    checkResult: checks(plan.tools, (tool) => tool.output_schema),
    checkInput: plan.input.schema === undefined ? null : compileUserSchema(plan.input.schema),
    checkOutput: plan.output.schema === undefined ? null : compileUserSchema(plan.output.schema),
    when: new Map(
      plan.subagents.flatMap(({ alias, when }) =>
        when === undefined ? [] : [[alias, compileCondition(when)]],
      ),
    ),
    // What decides whether a person is asked must not be false because a value has an unexpected type.
    approvalTrigger:
      plan.approval?.trigger === undefined ? null : compileCondition(plan.approval.trigger, 'complete'),
    handoffs: (plan.orchestration?.handoffs ?? []).map(({ condition }) => compileCondition(condition)),
    fixedTokens: fixedTokens(plan),
    family,
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
