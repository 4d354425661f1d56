import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import type { Capability } from './generated/agent-card.ts'
import { capabilityIdOf, type NameTarget, toolNamesOf } from './tool-names.ts'

/** A tool definition, and the id of the capability that it stands for. */
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
 * The capabilities as OpenAI functions, in their order. Output schema and tags have no place there and stay behind.
 * @throws CAPABILITY_NAME_TAKEN when two would have one name.
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

/** The capability that an OpenAI function stands for; `id` is needed only for a name that was cut. */
export function fromOpenAiFunction(
  { function: offered }: OpenAiFunction,
  id?: string,
): Capability | undefined {
  const { name, description, parameters } = offered
  return capability(id ?? capabilityIdOf(name, 'openai'), description, parameters)
}

/**
 * The capabilities as MCP tools, in their order. MCP asks for an input schema: where there is none, any object will do.
 * @throws CAPABILITY_NAME_TAKEN when two would have one name.
 */
export function toMcpTools(capabilities: readonly Capability[]): readonly OfferedTool<McpTool>[] {
  return offer(capabilities, 'mcp', (name, { description, input_schema, output_schema }) => ({
    name,
    ...defined({ description }),
    inputSchema: input_schema ?? { type: 'object' },
    // MCP takes only objects as structured answers.
    ...(output_schema?.type === 'object' && { outputSchema: output_schema }),
  }))
}

/** The capability that an MCP tool stands for; `id` is needed only for a name that was cut. */
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
  // Names were given in the order of the capabilities.
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
