import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { ownMember } from '../document/own-member.ts'

/** A document of another format that people have beside ours, and what can be done with it here. */
export interface Neighbour {
  /** The name of the format, stable; scripts may rely on it. */
  readonly format: string
  /** What the document is, with an article, such as "an A2A agent card". */
  readonly what: string
  /** What can be done with it here. */
  readonly way: string
}

interface Format extends Omit<Neighbour, 'way'> {
  readonly way: string | ((value: JsonObject) => string)
  fits(value: JsonObject): boolean
}

const LATER =
  'a converter comes in a later version; until then write a definition with `waybill init` and copy the instructions into it'
const AGENT = `Waybill does not run it: ${LATER}`

const FORMATS: readonly Format[] = [
  {
    format: 'openapi',
    what: 'an OpenAPI document',
    way: 'it describes an API, not an agent: make it the endpoint of a tool, `{ name: api, description: …, protocol: openapi, endpoint: FILE }`',
    fits: ({ openapi, info, paths }) => openapi !== undefined && (isObject(info) || isObject(paths)),
  },
  {
    format: 'openapi',
    what: 'a Swagger 2 document',
    way: 'it describes an API, not an agent: convert it to OpenAPI 3, and make it the endpoint of a tool with `protocol: openapi`',
    fits: ({ swagger }) => swagger !== undefined,
  },
  {
    format: 'asyncapi',
    what: 'an AsyncAPI document',
    way: 'it describes messages, which tools cannot call: offer them to the agent with an MCP server or an HTTP API',
    fits: ({ asyncapi }) => asyncapi !== undefined,
  },
  {
    format: 'arazzo',
    what: 'an Arazzo document',
    way: 'it describes workflows of an API: make the OpenAPI document that it names the endpoint of a tool with `protocol: openapi`',
    fits: ({ arazzo }) => arazzo !== undefined,
  },
  {
    format: 'mcp-config',
    what: 'a configuration of MCP servers',
    way: (value) =>
      `copy the servers to \`mcp_servers\` in the config.yaml of the home, and name them in tools with \`protocol: mcp\`${serverExample(value)}`,
    fits: (value) => serversOf(value) !== undefined,
  },
  {
    format: 'mcp-server',
    what: 'the description of an MCP server for a registry (server.json)',
    way: 'install the package that it names, or take its URL, and add it to `mcp_servers` in the config.yaml of the home; tools then name it with `protocol: mcp`',
    fits: ({ $schema, name, packages, remotes }) =>
      /server\.schema\.json/.test(text($schema)) ||
      (typeof name === 'string' &&
        (isListOf(packages, 'registryType', 'registry_type', 'registry_name') || isListOf(remotes, 'url'))),
  },
  {
    format: 'mcp-server',
    what: 'a list of the tools of an MCP server',
    way: 'a definition needs only the server: add it to `mcp_servers` in the config.yaml of the home, and name it in a tool with `protocol: mcp`',
    fits: ({ tools }) => isListOf(tools, 'inputSchema'),
  },
  {
    format: 'openai-gpt-action',
    what: 'an OpenAI plugin manifest',
    way: 'make the OpenAPI document at its api.url the endpoint of a tool with `protocol: openapi`',
    fits: ({ name_for_model, name_for_human }) =>
      name_for_model !== undefined && name_for_human !== undefined,
  },
  {
    format: 'a2a-card',
    what: 'an A2A agent card',
    way: `it describes an agent that runs elsewhere, and contains no instructions that could run here: ${LATER}`,
    fits: isA2aCard,
  },
  {
    format: 'kagent',
    what: 'a kagent manifest',
    way: AGENT,
    fits: ({ apiVersion }) => /^kagent\.dev\//.test(text(apiVersion)),
  },
  {
    format: 'maestro',
    what: 'a Maestro manifest',
    way: AGENT,
    fits: ({ apiVersion }) => /^maestro\b/.test(text(apiVersion)),
  },
  {
    format: 'kubernetes',
    what: 'a Kubernetes manifest',
    way: 'it is for a cluster, and Waybill does not read it',
    fits: ({ apiVersion, kind }) => text(apiVersion) !== '' && text(kind) !== '',
  },
  {
    format: 'langgraph',
    what: 'the configuration of a LangGraph application (langgraph.json)',
    way: `its agents are code in the files that it names, and Waybill does not run them: ${LATER}`,
    fits: ({ graphs, dependencies, $schema }) =>
      isObject(graphs) &&
      (Array.isArray(dependencies) ||
        /langgra/.test(text($schema)) ||
        Object.values(graphs).every((graph) => /:/.test(text(graph)))),
  },
  {
    format: 'autogen',
    what: 'an AutoGen component',
    way: AGENT,
    fits: ({ provider, component_type, config, components }) =>
      (typeof component_type === 'string' && (typeof provider === 'string' || isObject(config))) ||
      (isObject(components) && Object.values(components).some((list) => isListOf(list, 'component_type'))),
  },
  {
    format: 'oracle-agent-spec',
    what: 'an Oracle Agent Spec document',
    way: AGENT,
    fits: ({ component_type, agentspec_version, $referenced_components }) =>
      component_type !== undefined || agentspec_version !== undefined || $referenced_components !== undefined,
  },
  {
    format: 'letta',
    what: 'a Letta agent file (.af)',
    way: AGENT,
    fits: (value) =>
      isListOf(value.agents, 'memory_blocks', 'block_ids', 'in_context_message_ids', 'agent_type') ||
      (value.agent_type !== undefined &&
        (value.core_memory !== undefined || value.in_context_message_indices !== undefined)),
  },
  {
    format: 'dify',
    what: 'a Dify application',
    way: AGENT,
    fits: ({ app, kind, model_config, workflow }) =>
      isObject(app) &&
      (kind === 'app' || app.mode !== undefined || isObject(model_config) || isObject(workflow)),
  },
  {
    format: 'n8n',
    what: 'an n8n workflow',
    way: `it is a workflow of nodes, and Waybill does not run it: ${LATER}`,
    fits: ({ nodes, connections }) => isObject(connections) && isListOf(nodes, 'type', 'typeVersion'),
  },
  {
    format: 'openai-assistants',
    what: 'an OpenAI assistant',
    way: AGENT,
    fits: ({ object, id, assistantId, instructions, model, tools }) =>
      object === 'assistant' ||
      /^asst_/.test(`${text(id)}${text(assistantId)}`) ||
      (typeof instructions === 'string' && typeof model === 'string' && isListOf(tools, 'type')),
  },
  {
    format: 'semantic-kernel',
    what: 'a Semantic Kernel prompt or agent',
    way: AGENT,
    fits: ({ template_format, template, input_variables, type, execution_settings, instructions, model }) =>
      template_format !== undefined ||
      (typeof template === 'string' && (input_variables !== undefined || execution_settings !== undefined)) ||
      (/_agent$/.test(text(type)) && (instructions !== undefined || isObject(model))),
  },
  {
    format: 'ms-agentschema',
    what: 'a Microsoft AgentSchema document',
    way: AGENT,
    fits: ({ kind, instructions, model, trigger, template, inputs, tools }) =>
      /^(?:prompt|hosted|workflow|container)$/i.test(text(kind)) ||
      (isObject(template) && /^(?:prompt|hosted|workflow)$/i.test(text(template.kind))) ||
      (isObject(trigger) && text(trigger.kind) !== '') ||
      (typeof instructions === 'string' &&
        (isListOf(tools, 'kind') ||
          (isObject(tools) && isListOf(Object.values(tools), 'kind')) ||
          (isObject(model) && (model.id !== undefined || model.api !== undefined || inputs !== undefined)))),
  },
  {
    format: 'google-adk',
    what: 'a Google ADK agent',
    way: AGENT,
    fits: ({ agent_class, name, instruction, sub_agents, model, description, agents }) =>
      /agent$/i.test(text(agent_class)) ||
      isListOf(agents, 'instruction') ||
      (typeof name === 'string' &&
        (typeof instruction === 'string' ||
          isListOf(sub_agents, 'config_path') ||
          Array.isArray(sub_agents)) &&
        (model !== undefined || description !== undefined)),
  },
  {
    format: 'roo',
    what: 'a list of Roo Code modes',
    way: AGENT,
    fits: ({ customModes, custom_modes, slug, roleDefinition }) =>
      Array.isArray(customModes) ||
      Array.isArray(custom_modes) ||
      (slug !== undefined && roleDefinition !== undefined),
  },
  {
    format: 'docker-agent',
    what: 'a docker-agent file',
    way: AGENT,
    fits: ({ agents }) =>
      isObject(agents) &&
      Object.values(agents).some(
        (agent) =>
          isObject(agent) &&
          (agent.instruction !== undefined || agent.toolsets !== undefined || agent.sub_agents !== undefined),
      ),
  },
  {
    format: 'haystack',
    what: 'a Haystack pipeline',
    way: `it is a pipeline of components, and Waybill does not run it: ${LATER}`,
    fits: ({ components, connections, pipelines }) =>
      (isObject(components) &&
        (Array.isArray(connections) ||
          Object.values(components).some(
            (one) =>
              isObject(one) && (one.init_parameters !== undefined || /^haystack\./.test(text(one.type))),
          ))) ||
      (Array.isArray(pipelines) && Array.isArray(components)),
  },
  {
    format: 'open-webui',
    what: 'an Open WebUI model',
    way: AGENT,
    fits: ({ base_model_id, meta, params }) =>
      base_model_id !== undefined && (isObject(meta) || isObject(params)),
  },
  {
    format: 'dspy',
    what: 'a DSPy program',
    way: `its code is elsewhere, and Waybill does not run it: ${LATER}`,
    fits: (value) =>
      Object.values(value).some(
        (part) =>
          isObject(part) &&
          Array.isArray(part.demos) &&
          (part.signature !== undefined || Array.isArray(part.traces)),
      ) ||
      (Array.isArray(value.demos) && value.signature !== undefined),
  },
  {
    format: 'crewai',
    what: 'a CrewAI file',
    way: AGENT,
    fits: (value) => {
      const entries = Object.values(value)
      const all = (names: readonly string[]) =>
        entries.length > 0 &&
        entries.every(
          (entry) => isObject(entry) && names.every((name) => ownMember(entry, name) !== undefined),
        )
      return all(['role', 'goal']) || all(['role', 'backstory']) || all(['description', 'expected_output'])
    },
  },
  {
    format: 'agno',
    what: 'an Agno configuration',
    way: AGENT,
    fits: ({ chat, memory, knowledge, evals }) =>
      isObject(chat) &&
      (chat.quick_prompts !== undefined || isObject(memory) || isObject(knowledge) || isObject(evals)),
  },
]

const CLAUDE_CODE: Neighbour = {
  format: 'claude-code',
  what: 'a Claude Code agent',
  way: AGENT,
}

/** Returns what a document of another format is; undefined for an unknown one. */
export function neighbourOf(value: Json): Neighbour | undefined {
  // Files of some tools are a text that contains JSON, or a list.
  if (typeof value === 'string') return neighbourOf(parsed(value))
  if (Array.isArray(value)) return value.length === 0 ? undefined : neighbourOf(value[0] as Json)
  if (!isObject(value)) return undefined
  const found = FORMATS.find(({ fits }) => fits(value))
  if (found === undefined) return undefined
  const { format, what, way } = found
  return { format, what, way: typeof way === 'string' ? way : way(value) }
}

/**
 * Returns what a text in Markdown is: an agent with front matter. The front matter need not be valid YAML, because the
 * tool that owns the format reads it line by line.
 */
export function neighbourOfText(source: string): Neighbour | undefined {
  const matter = /^\u{FEFF}?---\r?\n(.{0,20000}?)\r?\n---[ \t]*(?:\r?\n|$)/su.exec(source)?.[1]
  if (matter === undefined) return undefined
  const has = (name: string) => new RegExp(`^${name}[ \\t]*:`, 'm').test(matter)
  return has('name') && has('description') ? CLAUDE_CODE : undefined
}

function parsed(source: string): Json {
  if (!/^\s*[{[]/.test(source)) return null
  try {
    const value = JSON.parse(source) as Json
    return typeof value === 'string' ? null : value
  } catch {
    return null
  }
}

function isA2aCard(value: JsonObject): boolean {
  const {
    name,
    url,
    skills,
    capabilities,
    protocolVersion,
    supportedInterfaces,
    additionalInterfaces,
    agentCard,
  } = value
  // A signed card is in an envelope.
  if (isObject(agentCard)) return isA2aCard(agentCard)
  if (typeof name !== 'string') return false
  const isReached =
    typeof url === 'string' || Array.isArray(supportedInterfaces) || Array.isArray(additionalInterfaces)
  const describes = Array.isArray(skills) || isObject(capabilities)
  if (Array.isArray(skills) && typeof value.version === 'string') return true
  return (isReached && describes) || (protocolVersion !== undefined && (describes || isReached))
}

/** The member with the servers: `mcpServers` of most tools, `servers` of VS Code, `mcp.servers` in its settings. */
function serversOf(value: JsonObject): JsonObject | undefined {
  const { mcpServers, servers, mcp } = value
  if (isObject(mcpServers)) return mcpServers
  const nested = isObject(mcp) && isObject(mcp.servers) ? mcp.servers : undefined
  const found = nested ?? (isObject(servers) ? servers : undefined)
  const isServer = (server: Json) =>
    isObject(server) && (typeof server.command === 'string' || typeof server.url === 'string')
  return found !== undefined && Object.values(found).some(isServer) ? found : undefined
}

function serverExample(value: JsonObject): string {
  const [name] = Object.keys(serversOf(value) ?? {})
  return name !== undefined && /^[\w.-]{1,40}$/.test(name) ? `, such as \`endpoint: mcp://${name}\`` : ''
}

/** Returns whether a value is a list whose first item has one of some members. */
function isListOf(value: Json | undefined, ...names: readonly string[]): boolean {
  const [first] = Array.isArray(value) ? (value as readonly Json[]) : []
  return isObject(first) && names.some((name) => ownMember(first, name) !== undefined)
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
