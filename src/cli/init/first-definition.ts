import { defined } from '../../document/defined.ts'

export interface FirstAgent {
  readonly agent_id: string
  readonly name: string
  readonly goal: string
  readonly provider: string
  readonly model: string
  /** Of a custom provider: where its API is. */
  readonly base_url?: string
  readonly tools: readonly string[]
  /** A person approves each call of a tool that writes. */
  readonly approval?: boolean
  /** The path of the schema for editors, relative to the file; absent if there is none. */
  readonly schema?: string
}

/** A provider that is not listed; it needs a name of its own (AAIF §4.2). */
export const CUSTOM = 'custom'

/** Returns a small definition that is valid and ready for a rehearsal. */
export function firstDefinition({
  agent_id,
  name,
  goal,
  provider,
  model,
  base_url,
  tools,
  approval,
}: FirstAgent) {
  return {
    sc_standard: 'SC-006',
    sc_version: '3.4.0',
    agent_id,
    agent: {
      name,
      version: '0.1.0',
      goal,
      instructions: 'Answer briefly. If you do not know the answer, say so.',
      model: {
        provider,
        ...(provider === CUSTOM && { provider_id: CUSTOM }),
        ...defined({ base_url }),
        preferred: model,
      },
      ...(tools.length > 0 && { tools: tools.map(firstTool) }),
      ...(approval === true && { compliance: { human_in_the_loop: { enabled: true } } }),
    },
  }
}

function firstTool(name: string) {
  return {
    name,
    description: `Describe here what ${name} does, so that the model knows when to call it.`,
    protocol: 'function',
    parameters_schema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'The value to look up.' } },
      required: ['query'],
    },
  }
}

/** Returns the same definition as YAML with comments. Texts are quoted as JSON, which is valid YAML. */
export function firstDefinitionYaml(agent: FirstAgent): string {
  const { agent_id, name, goal, provider, model, base_url, tools, schema, approval } = agent
  const quote = (text: string) => JSON.stringify(text)
  const toolLines = tools.flatMap((tool) => {
    const { description, parameters_schema } = firstTool(tool)
    return [
      `    - name: ${quote(tool)}`,
      `      # The model reads this to decide when to call the tool.`,
      `      description: ${quote(description)}`,
      `      # Your own function: export it from the module given with --tools.`,
      `      protocol: function`,
      '      parameters_schema:',
      `        type: ${parameters_schema.type}`,
      '        properties:',
      '          query:',
      `            type: ${parameters_schema.properties.query.type}`,
      `            description: ${quote(parameters_schema.properties.query.description)}`,
      `        required: [${parameters_schema.required.join(', ')}]`,
    ]
  })
  return `${[
    ...(schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}`]),
    '# An agent in the Agent Interchange Format.',
    '# `waybill validate` checks it; `waybill plan` shows what a run would do.',
    'sc_standard: SC-006',
    'sc_version: "3.4.0"',
    '# Identifies the agent. Keep it when you rename or change the file.',
    `agent_id: ${quote(agent_id)}`,
    'agent:',
    `  name: ${quote(name)}`,
    '  version: "0.1.0"',
    '  # What the agent must achieve, in one sentence.',
    `  goal: ${quote(goal)}`,
    '  instructions: |',
    '    Answer briefly. If you do not know the answer, say so.',
    '  model:',
    `    provider: ${quote(provider)}`,
    ...(provider === CUSTOM ? [`    provider_id: ${CUSTOM}`] : []),
    ...(base_url === undefined ? [] : [`    base_url: ${quote(base_url)}`]),
    `    preferred: ${quote(model)}`,
    ...(tools.length > 0
      ? ['  tools:', ...toolLines]
      : [
          '  # tools:',
          '  #   - name: find_parcel',
          '  #     description: Looks up a parcel by its number.',
          '  #     protocol: function',
        ]),
    ...(approval === true
      ? [
          '  compliance:',
          '    # A person approves each call of a tool that is not marked as read-only.',
          '    human_in_the_loop: { enabled: true }',
        ]
      : []),
    '  # Rules that every platform must enforce.',
    '  # constraints:',
    '  #   - Never promise a delivery date.',
  ].join('\n')}\n`
}
