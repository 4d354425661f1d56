// The library: load an agent, look at the plan, rehearse it, then run it with a scripted model.
import assert from 'node:assert/strict'
import { loadAgent, planRun, run, tool } from 'waybill'
import { scriptedModel } from 'waybill/testing'

const clerk = await loadAgent(new URL('../parcel-clerk/clerk.yaml', import.meta.url))

const booked: string[] = []
const tools = {
  find_parcel: tool({
    readOnly: true,
    parameters: {
      type: 'object',
      properties: { number: { type: 'string' } },
      required: ['number'],
    },
    execute: async ({ number }) => ({ place: `depot of ${number}` }),
  }),
  book_pickup: tool({
    parameters: {
      type: 'object',
      properties: { number: { type: 'string' }, day: { type: 'string' } },
      required: ['number', 'day'],
    },
    execute: async ({ number }) => {
      booked.push(number)
      return { booked: true }
    },
  }),
}

// A plan is data: print it, compare it, refuse it.
const plan = await planRun(clerk, { tools, env: {} })
assert.deepEqual(
  plan.tools.map(({ name, effect, gate }) => [name, effect, gate]),
  [
    ['find_parcel', 'read', 'allow'],
    ['book_pickup', 'write', 'allow'],
  ],
)
assert.equal(plan.models[0]?.reason, 'OPENAI_API_KEY is not set')

// A rehearsal needs no key and no network; doubles answer, and the result says so.
const rehearsed = await run(clerk, { input: 'Where is 1Z999AA1?', rehearse: true })
assert.equal(rehearsed.status, 'completed')
assert.equal(rehearsed.rehearsal, true)
assert.equal(booked.length, 0)

// A run with your own functions; here a script stands in for the provider.
const result = await run(clerk, {
  input: 'Where is 1Z999AA1? Please fetch it on 1 December.',
  tools,
  env: { OPENAI_API_KEY: 'not used by the script' },
  budget: { calls: 10, seconds: 30 },
  modelPort: scriptedModel([
    { calls: [{ tool: 'find_parcel', args: { number: '1Z999AA1' } }] },
    { calls: [{ tool: 'book_pickup', args: { number: '1Z999AA1', day: '2026-12-01' } }] },
    { text: '{"answer":"It is in the depot; we fetch it on 1 December.","booked":true}' },
  ]),
})
assert.equal(result.status, 'completed')
assert.deepEqual(result.output, { answer: 'It is in the depot; we fetch it on 1 December.', booked: true })
assert.deepEqual(booked, ['1Z999AA1'])
assert.equal(result.usage.tool_calls, 2)

process.stdout.write(`planned, rehearsed and ran: ${JSON.stringify(result.output)}\n`)
