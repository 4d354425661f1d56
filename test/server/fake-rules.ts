import { WaybillError } from '../../src/document/issue.ts'
import type { Tenant } from '../../src/platform/platform.ts'
import { rulesOf } from '../../src/platform/rules/rules.ts'

/** The rules of one organisation that has no agents to make rules for. */
export function fakeRules({ principal, home, approvals }: Pick<Tenant, 'principal' | 'home' | 'approvals'>) {
  return rulesOf({
    principal,
    records: home,
    approvals,
    agent: async () => {
      throw new WaybillError('AGENT_NOT_FOUND', { fault: 'usage', message: 'the agent is not known' })
    },
    policies: { held: async () => undefined, assertDecides: async () => {} },
    wake: async () => {},
  })
}
