import type { JsonObject } from '../../document/json.ts'
import type { AgentDefinition } from './generated/agent.ts'

/** A JSON Schema of a definition, and its pointer. */
export interface PlacedSchema {
  readonly pointer: string
  readonly schema: JsonObject
  /** The arguments of a tool, for which function-calling APIs require an object. */
  readonly use?: 'parameters'
  /** The rule that requires a usable schema here. */
  readonly rule: string
}

/** Returns the schemas of a definition: those of its tools, of its input and of its output. */
export function* schemasOf({ agent }: AgentDefinition): Iterable<PlacedSchema> {
  const { tools = [], io } = agent
  for (const [index, { parameters_schema, output_schema }] of tools.entries()) {
    const pointer = `/agent/tools/${index}`
    if (parameters_schema !== undefined) {
      yield {
        pointer: `${pointer}/parameters_schema`,
        schema: parameters_schema as JsonObject,
        use: 'parameters',
        rule: 'AAIF-4.4-02',
      }
    }
    if (output_schema !== undefined)
      yield { pointer: `${pointer}/output_schema`, schema: output_schema as JsonObject, rule: 'SPEC-G-01' }
  }
  for (const member of ['input_schema', 'output_schema'] as const) {
    const schema = io?.[member]
    if (schema !== undefined)
      yield { pointer: `/agent/io/${member}`, schema: schema as JsonObject, rule: 'SPEC-D-30' }
  }
}
