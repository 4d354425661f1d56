import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialState } from '../../src/run/initial-state.ts'
import { captureState } from '../../src/state/capture-state.ts'
import { readWaybillMember } from '../../src/state/read-waybill-member.ts'
import { ROOT } from '../run/family-world.ts'
import { newStateId } from './captured.ts'
import { worldOf } from './captured-worlds.ts'

test('a run that is moved takes the whole budget of its plan along; a fork does not', async (t) => {
  const { program } = await worldOf(t, 'calls of tools')
  const state = initialState(ROOT, program.plan.agent_id, program.hash)
  const budgetIn = (limits: object, options: { readonly migrating?: true }) => {
    const plan = { ...program.plan, limits: { ...program.plan.limits, ...limits } }
    const run = { state, plan, family: new Map(), children: new Map(), memory: [] }
    const platform = { name: 'test', version: '1' }
    const read = readWaybillMember(captureState(run, { stateId: newStateId(), at: 0, platform, ...options }))
    assert.ok(read.member, JSON.stringify(read))
    return read.member.budget
  }
  const all = { budget_tokens: 1000, budget_usd: 0.5, budget_calls: 7, budget_ms: 2500 }
  assert.deepEqual(budgetIn(all, { migrating: true }), { tokens: 1000, usd: 0.5, calls: 7, seconds: 2.5 })
  for (const [limits, expected] of [
    [{ budget_tokens: 1 }, { tokens: 1 }],
    [{ budget_usd: 1 }, { usd: 1 }],
    [{ budget_calls: 1 }, { calls: 1 }],
    [{ budget_ms: 1000 }, { seconds: 1 }],
  ] as const)
    assert.deepEqual(budgetIn(limits, { migrating: true }), expected)
  assert.equal(budgetIn({}, { migrating: true }), undefined)
  assert.equal(budgetIn(all, {}), undefined)
})
