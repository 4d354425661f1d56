import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AgentDefinition, openAgent, type PlanFile, reviewPlan, run, WaybillError } from 'waybill'
import { scriptedModel } from '../../src/testing/index.ts'

const definition = (agent: object = {}) =>
  ({
    sc_standard: 'SC-006',
    agent_id: '1f0e7c52-9d6b-4a41-8d3f-2b7c9e0a5d11',
    agent: {
      name: 'Clerk',
      goal: 'Answer.',
      model: { provider: 'openai', preferred: 'gpt-4o' },
      tools: [{ name: 'refund', description: 'Refunds.', protocol: 'function' }],
      ...agent,
    },
  }) as unknown as AgentDefinition

const options = () => ({
  env: { OPENAI_API_KEY: 'any-key' },
  tools: { refund: async () => 'done' },
  modelPort: scriptedModel(['Done.']),
})

const code = (expected: string) => (error: unknown) => {
  assert.ok(error instanceof WaybillError, String(error))
  assert.equal(error.code, expected)
  return true
}

describe('the option plan of the library', () => {
  test('a run of what was reviewed starts, also from the JSON text of the plan', async () => {
    const plan = await reviewPlan(definition(), options())
    assert.equal((await run(definition(), { ...options(), plan })).status, 'completed')
    const read = JSON.parse(JSON.stringify(plan)) as PlanFile
    assert.equal((await run(definition(), { ...options(), plan: read })).status, 'completed')
  })

  test('a changed definition or option is refused with each difference', async () => {
    const plan = await reviewPlan(definition(), options())
    await assert.rejects(
      run(definition({ goal: 'Answer quickly.' }), { ...options(), plan }),
      code('PLAN_CHANGED'),
    )
    await assert.rejects(
      openAgent(definition(), { ...options(), plan, allowHosts: ['evil.example'], allowCalls: ['refund'] }),
      (error) => {
        assert.ok(code('PLAN_CHANGED')(error))
        assert.deepEqual((error as WaybillError).details.changes, [
          'host evil.example (private addresses too) added',
          'calls without approval: refund added',
        ])
        return true
      },
    )
  })

  test('a plan that was edited is refused, and so is a file that does not exist', async () => {
    const plan = await reviewPlan(definition(), options())
    const edited = { ...plan, operator: { ...plan.operator, hosts: ['evil.example'] } }
    await assert.rejects(run(definition(), { ...options(), plan: edited }), code('PLAN_FILE_INVALID'))
    await assert.rejects(
      run(definition(), { ...options(), plan: '/no/such/plan.json' }),
      code('PLAN_FILE_UNREADABLE'),
    )
  })
})
