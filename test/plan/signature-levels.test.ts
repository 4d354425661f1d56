import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePlan } from '../../src/plan/make-plan.ts'
import { definition, ENV, SETTINGS } from '../run/fixture.ts'
import { withSecrets } from './with-secrets.ts'

describe('AAIF-12-13: a signature that cannot be checked', () => {
  const levels: readonly (readonly [level: string, refused: boolean])[] = [
    ['minimal', false],
    ['standard', false],
    ['strict', true],
    ['regulated', true],
  ]
  for (const [level, refused] of levels) {
    test(`${level}: the plan ${refused ? 'is refused' : 'notes it'}`, () => {
      const plan = makePlan(
        {
          definition: definition({ tools: [], compliance: { safety_level: level } }),
          definition_hash: 'a'.repeat(64),
          signature: { policy: 'prefer', status: 'unknown_signer', reason: 'the signer is not known' },
          context: [],
          subagents: [],
          discovered: {},
          functions: {},
        },
        SETTINGS,
        { ...withSecrets(...Object.keys(ENV)), priceOf: () => undefined },
      )
      assert.equal(
        plan.refusals.some(({ code }) => code === 'SIGNATURE_REFUSED'),
        refused,
      )
      assert.equal(
        plan.degradations.some(({ path }) => path === '/provenance/signature'),
        !refused,
      )
    })
  }
})
