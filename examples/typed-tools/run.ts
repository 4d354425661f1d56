// Tools whose arguments are described once: typed for the compiler, checked before the call, and shown to the model.
import assert from 'node:assert/strict'
import { type AgentDefinition, parseAgentDefinition, planRun, run, tool } from 'waybill'
import { scriptedModel } from 'waybill/testing'
import { z } from 'zod'

// The definition describes no arguments, so those of the functions apply.
const waiter: AgentDefinition = parseAgentDefinition(`
sc_standard: SC-006
agent:
  name: Waiter
  goal: Reserve tables.
  model: { provider: openai, preferred: gpt-4o-mini }
  tools:
    - { name: free_tables, description: Lists the free tables of a day. }
    - { name: reserve, description: Reserves a table. }
`)

const reserved: string[] = []
const tools = {
  // With JSON Schema: `day` is a string, and `seats` may be absent.
  free_tables: tool({
    readOnly: true,
    parameters: {
      type: 'object',
      properties: { day: { type: 'string' }, seats: { type: 'integer', minimum: 1 } },
      required: ['day'],
    },
    execute: ({ day, seats = 2 }) => [{ table: 4, day, seats }],
  }),
  // With Zod: its defaults and conversions apply.
  reserve: tool({
    parameters: z.object({ table: z.int(), day: z.iso.date(), guests: z.int().min(1).max(12).default(2) }),
    execute: async ({ table, day, guests }, { idempotencyKey }) => {
      reserved.push(`table ${table} on ${day} for ${guests}`)
      return { reserved: true, reference: idempotencyKey }
    },
  }),
}

const env = { OPENAI_API_KEY: 'not used by the script' }
const plan = await planRun(waiter, { tools, env })
assert.deepEqual(
  plan.tools.map(({ name, parameters_schema }) => [name, parameters_schema?.required]),
  [
    ['free_tables', ['day']],
    ['reserve', ['table', 'day']],
  ],
)

// Arguments that do not fit are not sent; the model gets the reason and corrects them.
const result = await run(waiter, {
  input: 'A table for two on Friday, please.',
  tools,
  env,
  modelPort: scriptedModel([
    { calls: [{ tool: 'reserve', args: { table: 4, day: 'Friday' } }] },
    {
      expect: { tool: 'reserve', error: true, contains: 'day' },
      calls: [{ tool: 'reserve', args: { table: 4, day: '2026-12-04' } }],
    },
    'Table 4 is yours.',
  ]),
})
assert.equal(result.output, 'Table 4 is yours.')
assert.deepEqual(reserved, ['table 4 on 2026-12-04 for 2'])

// A function and a definition that do not fit together are refused before the run.
const other: AgentDefinition = {
  ...waiter,
  agent: {
    ...waiter.agent,
    tools: [
      {
        name: 'reserve',
        description: 'Reserves a table.',
        parameters_schema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
      },
    ],
  },
}
const refused = await run(other, { tools: { reserve: tools.reserve }, env, modelPort: scriptedModel([]) })
assert.equal(refused.error?.code, 'TOOL_PARAMETERS_DIFFER')

process.stdout.write(`${reserved.join()}; refused: ${refused.error?.message}\n`)
