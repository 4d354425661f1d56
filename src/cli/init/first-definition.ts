export interface FirstAgent {
  readonly agent_id: string
  readonly name: string
  readonly goal: string
  readonly provider: string
  readonly model: string
  readonly tools: readonly string[]
}

/** A small definition that validates and can be rehearsed at once. */
export function firstDefinition({ agent_id, name, goal, provider, model, tools }: FirstAgent) {
  return {
    sc_standard: 'SC-006',
    sc_version: '3.4.0',
    agent_id,
    agent: {
      name,
      version: '0.1.0',
      goal,
      instructions: 'Answer briefly. Say so when you do not know.',
      model: { provider, preferred: model },
      ...(tools.length > 0 && { tools: tools.map(firstTool) }),
    },
  }
}

function firstTool(name: string) {
  return {
    name,
    description: `Says what ${name} does, so that the model knows when to call it.`,
    protocol: 'function',
    parameters_schema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What is wanted.' } },
      required: ['query'],
    },
  }
}

/** The same as YAML, with a word on each part. Quoted text is JSON's, which YAML reads as it is. */
export function firstDefinitionYaml(agent: FirstAgent): string {
  const { agent_id, name, goal, provider, model, tools } = agent
  const quote = (text: string) => JSON.stringify(text)
  const toolLines = tools.flatMap((tool) => {
    const { description, parameters_schema } = firstTool(tool)
    return [
      `    - name: ${quote(tool)}`,
      `      # What the model reads to decide when to call it.`,
      `      description: ${quote(description)}`,
      `      # A function of your own: export it from the module that you give with --tools.`,
      `      protocol: function`,
      `      parameters_schema: ${JSON.stringify(parameters_schema)}`,
    ]
  })
  return `${[
    '# An agent in the Agent Interchange Format.',
    '# waybill validate checks it, waybill plan shows what a run would do.',
    'sc_standard: SC-006',
    'sc_version: "3.4.0"',
    '# Given once: it stays the same when the file is renamed or changed.',
    `agent_id: ${quote(agent_id)}`,
    'agent:',
    `  name: ${quote(name)}`,
    '  version: "0.1.0"',
    '  # What success is, in one sentence.',
    `  goal: ${quote(goal)}`,
    '  instructions: |',
    '    Answer briefly. Say so when you do not know.',
    '  model:',
    `    provider: ${quote(provider)}`,
    `    preferred: ${quote(model)}`,
    ...(tools.length > 0
      ? ['  tools:', ...toolLines]
      : [
          '  # tools:',
          '  #   - name: find_parcel',
          '  #     description: Looks a parcel up by its number.',
          '  #     protocol: function',
        ]),
    '  # Rules that every host must keep.',
    '  # constraints:',
    '  #   - Never promise a delivery date.',
  ].join('\n')}\n`
}
