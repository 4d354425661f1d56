// The library: read a definition, look at the plan, rehearse it, then run it with a scripted model.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { parseAgentDefinition, planRun, run } from 'waybill'
import { scriptedModel } from 'waybill/testing'

const file = new URL('../parcel-clerk/clerk.yaml', import.meta.url)
const definition = parseAgentDefinition(readFileSync(file, 'utf8'))

const findParcel = Object.assign(
  async ({ number }: { number: string }) => ({ place: `depot of ${number}` }),
  {
    readOnly: true,
  },
)
const booked: string[] = []
const bookPickup = async ({ number }: { number: string }) => {
  booked.push(number)
  return { booked: true }
}
const tools = { find_parcel: findParcel, book_pickup: bookPickup }

// A plan is data: print it, compare it, refuse it.
const plan = await planRun(definition, { tools, env: {} })
assert.deepEqual(
  plan.tools.map((tool) => [tool.name, tool.effect, tool.gate]),
  [
    ['find_parcel', 'read', 'allow'],
    ['book_pickup', 'write', 'allow'],
  ],
)
assert.equal(plan.models[0]?.reason, 'OPENAI_API_KEY is not set')

// A rehearsal needs no key and no network; doubles answer, and the result says so.
const rehearsed = await run(definition, { input: 'Where is 1Z999AA1?', rehearse: true })
assert.equal(rehearsed.status, 'completed')
assert.equal(rehearsed.rehearsal, true)
assert.equal(booked.length, 0)

// A run with your own functions; here a script stands in for the provider.
const result = await run(definition, {
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
