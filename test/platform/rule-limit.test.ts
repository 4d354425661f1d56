import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Approvals } from '../../src/platform/inbox/approval.ts'
import { rulesOf } from '../../src/platform/rules/rules.ts'
import type { Grant } from '../../src/run/record/grant.ts'
import { memoryHome } from '../server/memory-home.ts'

const PRINCIPAL = { organisation: 'a', user: 'ann', roles: ['approver' as const] }

describe('the rules of an organisation', () => {
  test('are at most 500 in force at one time; other grants and expired rules do not count', async () => {
    const { runs, grants } = memoryHome(PRINCIPAL)
    const rules = rulesOf({
      principal: PRINCIPAL,
      records: { runs, grants },
      approvals: { list: async () => ({ items: [], next: null }) } as unknown as Approvals,
      agent: async () => ({ plans: [], definitions: {} }),
      policies: { held: async () => undefined, assertDecides: async () => {} },
      wake: async () => {},
    })
    const give = (id: string, more: Partial<Grant> = {}) =>
      grants.give({ id, kind: 'call', what: 'send', by: 'ann', at: '2026-01-01T00:00:00.000Z', ...more }, [])
    for (let n = 0; n < 499; n++) await give(`g-${n}`)
    await give('expired', { until: '2026-01-01T01:00:00.000Z' })
    await give('spent', { uses_left: 0 })
    await give('host', { kind: 'host', what: 'api.parcels.example' })
    const codeOf = () => rules.create({ agent_id: 'x', what: 'send' }).catch(({ code }) => code)
    assert.equal(await codeOf(), 'CALL_RULE_UNKNOWN_TOOL')
    await give('last')
    assert.equal(await codeOf(), 'RULE_LIMIT')
    await rules.revoke('last')
    assert.equal(await codeOf(), 'CALL_RULE_UNKNOWN_TOOL')
  })
})
