import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { type AgentDefinition, planRun, run } from 'waybill'

const clerk = (model: object): AgentDefinition =>
  ({ sc_standard: 'SC-006', agent: { name: 'Clerk', goal: 'Help.', model } }) as unknown as AgentDefinition

const CASES: readonly (readonly [rule: string, model: object, hint: string])[] = [
  [
    'a private address',
    { provider: 'custom', provider_id: 'mine', preferred: 'x', base_url: 'http://127.0.0.1:8099/v1' },
    "allow it: allowHosts: ['127.0.0.1:8099']",
  ],
  [
    'a custom provider without an address',
    { provider: 'custom', provider_id: 'mine', preferred: 'x' },
    "add baseUrl: 'URL', such as http://localhost:8080/v1, or set model.base_url in the definition",
  ],
  [
    'a missing key',
    { provider: 'openai', preferred: 'gpt-4o' },
    "set the environment variable OPENAI_API_KEY, or pass it with the option env: { OPENAI_API_KEY: 'YOUR_KEY' }",
  ],
]

describe('a hint of the library names options, not flags', () => {
  for (const [rule, model, hint] of CASES) {
    test(`${rule}: in the result and in the plan`, async () => {
      const { error } = await run(clerk(model), { env: {}, input: 'Go' })
      assert.equal(error?.hint, hint)
      const plan = await planRun(clerk(model), { env: {} })
      assert.equal(plan.models[0]?.hint, hint)
      assert.doesNotMatch(JSON.stringify([error, plan.models]), /--[a-z]/)
    })
  }

  test('a plan file that does not exist', async () => {
    await assert.rejects(run(clerk({}), { plan: 'gone.json', env: {}, input: 'Go' }), {
      code: 'PLAN_FILE_UNREADABLE',
      hint: 'check the path; or pass the result of reviewPlan()',
    })
  })

  test('a failure of the server too', async (t) => {
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    await new Promise((done) => server.close(done))
    t.diagnostic(`closed port ${port}`)
    const baseUrl = `http://127.0.0.1:${port}/v1`
    const { error } = await run(clerk({}), { model: 'custom/x', baseUrl, env: {}, input: 'Go' })
    assert.equal(error?.code, 'MODEL_UNAVAILABLE')
    assert.equal(
      error?.hint,
      `is the server running at ${baseUrl}? start it, or give its address with baseUrl`,
    )
  })
})
