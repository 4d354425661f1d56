import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { planWithSecrets, SecretAnswers } from '../../src/compose/plan-with-secrets.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { slowSecrets } from '../contract/slow-secrets.ts'

/** Plans with a planner that asks for these names in this order, each only when the one before it is set. */
async function planned(answers: SecretAnswers, names: readonly string[]) {
  let passes = 0
  const plan = await planWithSecrets(answers, () => {
    passes++
    const secrets: string[] = []
    for (const name of names) {
      if (!answers.has(name)) break
      secrets.push(name)
    }
    return { secrets } as unknown as Plan
  })
  return { passes, found: plan.secrets }
}

const SET = { A: 'a', B: 'b', C: 'c' }

describe('planning and secrets', () => {
  test('synchronous answers need no second round', async () => {
    const answers = new SecretAnswers({ has: (name) => name in SET })
    assert.deepEqual(await planned(answers, ['A', 'B', 'D', 'C']), { passes: 1, found: ['A', 'B'] })
  })

  test('each name is requested once, and planning repeats until all answers are known', async () => {
    const { secrets, asked } = slowSecrets(SET)
    const answers = new SecretAnswers(secrets)
    assert.deepEqual(await planned(answers, ['A', 'B', 'D', 'C']), { passes: 4, found: ['A', 'B'] })
    assert.deepEqual(asked, ['has A', 'has B', 'has D'])
    assert.deepEqual(await planned(answers, ['B', 'A']), { passes: 1, found: ['B', 'A'] })
  })

  test('a planner that requests new names without end is stopped', async () => {
    const answers = new SecretAnswers({ has: async () => true })
    let n = 0
    const plan = () => ({ secrets: [answers.has(`N${n++}`)] }) as unknown as Plan
    await assert.rejects(planWithSecrets(answers, plan), /more than 16 rounds/)
    assert.equal(n, 16)
  })

  test('a failing store ends planning, also if planning throws first', async () => {
    const answers = new SecretAnswers({ has: () => Promise.reject(new Error('sealed')) })
    await assert.rejects(planned(answers, ['A']), /sealed/)
    const throwing = () => {
      answers.has('B')
      throw new Error('no plan')
    }
    await assert.rejects(planWithSecrets(answers, throwing), /no plan/)
  })
})
