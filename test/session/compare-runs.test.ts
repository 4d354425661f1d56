import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { apply } from '../../src/run/apply.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { compareSteps, type RunStep, stepsOf } from '../../src/session/compare-runs.ts'
import { agent } from '../run/family.ts'
import { FamilyWorld, ROOT } from '../run/family-world.ts'
import { calls } from '../run/fixture.ts'
import { captureOf, placed, restored } from '../state/captured.ts'

const answer = (text: string): RunStep => ({ type: 'answer', text, calls: [] })
const steps = (texts: string) => [...texts].map(answer)

describe('comparing what two runs did', () => {
  for (const [a, b, expected] of [
    ['', '', ''],
    ['abc', 'abc', ''],
    ['abc', 'abd', '-3c +3d'],
    ['abc', 'ab', '-3c'],
    ['ab', 'abc', '+3c'],
    ['abcd', 'xbcd', '-1a +1x'],
    ['abcd', 'axbcd', '+2x'],
    ['abcde', 'abde', '-3c'],
    ['', 'ab', '+1a +2b'],
    ['abcabc', 'acbc', '-2b -4a'],
  ] as const)
    test(`"${a}" and "${b}": ${expected === '' ? 'the same' : expected}`, () => {
      const found = compareSteps(steps(a), steps(b)).map((change) => {
        const [mark, { n, step }] = 'first' in change ? ['-', change.first] : ['+', change.second]
        return `${mark}${n}${(step as { text: string }).text}`
      })
      assert.equal(found.join(' '), expected)
    })

  test('a very long run is compared without a table', () => {
    const [a, b] = [
      steps('x'.repeat(3000)),
      [...steps('x'.repeat(1000)), answer('y'), ...steps('z'.repeat(3000))],
    ]
    assert.equal(compareSteps(a, b).length, 2000 + 3001)
  })

  test('steps have no ids and times, and a fork that does the same has the steps of its run', async (t) => {
    const tool = { name: 'send', description: 'Sends.', parameters_schema: { type: 'object' } }
    const world = await FamilyWorld.open(t, [agent('a', { tools: [tool] })], {
      reads: ['send'],
      tools: { send: () => 'sent' },
      says: { a: ({ messages }) => (messages.length === 1 ? calls(['1', 'send', { who: 'b' }]) : 'done') },
    })
    await world.start()
    const all = stepsOf(world.events())
    assert.deepEqual(all, [
      { type: 'input', input: 'go' },
      { type: 'answer', text: '', calls: [{ tool: 'send', args: { who: 'b' } }] },
      { type: 'call', tool: 'send', args: { who: 'b' }, result: 'sent' },
      { type: 'answer', text: 'done', calls: [] },
      { type: 'end', status: 'completed', output: 'done' },
    ])
    for (const { seq } of world.events().slice(0, -1)) {
      const state = world
        .events()
        .slice(0, seq)
        .reduce(apply, initialState(ROOT, world.program.plan.agent_id, world.program.hash))
      const next = placed(world, restored(captureOf(world, state), world.program, { fork: false }))
      await next.resume()
      assert.deepEqual(stepsOf(next.events(ROOT)), all, `after event ${seq}`)
    }
  })
})
