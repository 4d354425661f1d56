import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import type { Capability } from './generated/agent-card.ts'
import { capabilityIdOf, type NameTarget, toolNamesOf } from './tool-names.ts'

/** A tool definition, and the id of its capability. */
export interface OfferedTool<Definition> {
  readonly id: string
  readonly definition: Definition
}

/** A function as OpenAI's function calling lists it. */
export interface OpenAiFunction {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description?: string
    readonly parameters?: JsonObject
  }
}

/** A tool as an MCP server lists it. */
export interface McpTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
}

/**
 * Returns the capabilities as OpenAI functions, in order. Output schemas and tags are dropped, because functions do not
 * have them.
 * @throws CAPABILITY_NAME_TAKEN if two capabilities would have the same name.
 */
export function toOpenAiFunctions(
  capabilities: readonly Capability[],
): readonly OfferedTool<OpenAiFunction>[] {
  return offer(capabilities, 'openai', (name, { description, input_schema }) => ({
    type: 'function',
    function: {
      name,
      ...defined({ description, parameters: input_schema }),
    },
  }))
}

/** Returns the capability of an OpenAI function; `id` is needed only for a shortened name. */
export function fromOpenAiFunction(
  { function: offered }: OpenAiFunction,
  id?: string,
): Capability | undefined {
  const { name, description, parameters } = offered
  return capability(id ?? capabilityIdOf(name, 'openai'), description, parameters)
}

/**
 * Returns the capabilities as MCP tools, in order. MCP requires an input schema: the default accepts any object.
 * @throws CAPABILITY_NAME_TAKEN if two capabilities would have the same name.
 */
export function toMcpTools(capabilities: readonly Capability[]): readonly OfferedTool<McpTool>[] {
  return offer(capabilities, 'mcp', (name, { description, input_schema, output_schema }) => ({
    name,
    ...defined({ description }),
    inputSchema: input_schema ?? { type: 'object' },
    // MCP accepts only objects as structured answers.
    ...(output_schema?.type === 'object' && { outputSchema: output_schema }),
  }))
}

/** Returns the capability of an MCP tool; `id` is needed only for a shortened name. */
export function fromMcpTool(tool: McpTool, id?: string): Capability | undefined {
  const { name, description, inputSchema, outputSchema } = tool
  return capability(id ?? capabilityIdOf(name, 'mcp'), description, inputSchema, outputSchema)
}

function offer<Definition>(
  capabilities: readonly Capability[],
  target: NameTarget,
  define: (name: string, capability: Capability) => Definition,
): readonly OfferedTool<Definition>[] {
  const names = toolNamesOf(
    capabilities.map(({ id }) => id),
    target,
  )
  // The names are in the order of the capabilities.
  return [...names].map(([name, id], index) => ({
    id,
    definition: define(name, capabilities[index] as Capability),
  }))
}

function capability(
  id: string | undefined,
  description?: string,
  input_schema?: JsonObject,
  output_schema?: JsonObject,
): Capability | undefined {
  if (id === undefined) return undefined
  return {
    id,
    ...defined({ description, input_schema, output_schema }),
  }
}
