/** The agent of the README's tour. */
export const PARCEL_CLERK = {
  sc_standard: 'SC-006',
  sc_version: '3.4.0',
  agent_id: '7d9d3c1e-2a57-4b7e-9d3c-0c5f1b7a4e21',
  agent: {
    name: 'Parcel clerk',
    goal: 'Tell where a parcel is.',
    model: { provider: 'openai', preferred: 'gpt-4o-mini' },
    tools: [
      {
        name: 'find_parcel',
        description: 'Looks a parcel up by its number.',
        protocol: 'function',
        parameters_schema: {
          type: 'object',
          properties: { number: { type: 'string' } },
          required: ['number'],
        },
      },
    ],
  },
}
