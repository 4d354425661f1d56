import { WaybillError } from '../../src/document/issue.ts'
import type { ApprovalView, Inbox } from '../../src/platform/inbox/approval.ts'
import type { PolicyView } from '../../src/platform/policies/policy.ts'
import type { Principal } from '../../src/session/principal.ts'

const AT = '2026-01-01T00:00:00.000Z'

/** The inbox of one organisation, in memory. It applies no policy. */
export class FakeInbox {
  readonly #policies = new Map<string, PolicyView>()

  inbox({ user }: Principal, approvals: ReadonlyMap<string, ApprovalView>): Inbox {
    const policies = this.#policies
    return {
      policies: async () => ({ items: [...policies.values()], next: null }),
      async setPolicy(name, policy) {
        const view: PolicyView = {
          name,
          order: 100,
          match: {},
          notify: {},
          approvals_needed: 1,
          starter_may_decide: true,
          ...policy,
          changed_at: AT,
          changed_by: user,
        }
        policies.set(name, view)
        return view
      },
      async removePolicy(name) {
        if (!policies.delete(name))
          throw new WaybillError('POLICY_NOT_FOUND', { fault: 'usage', message: 'not known' })
      },
      async question(id) {
        const view = approvals.get(id)
        if (view === undefined)
          throw new WaybillError('APPROVAL_NOT_FOUND', { fault: 'usage', message: 'not known' })
        return {
          ...view,
          state: 'open',
          opened_at: AT,
          closed_at: null,
          outcome: null,
          closed_by: null,
          policy: null,
          votes: { needed: 1, given: [] },
          excluded: [],
          remind_at: null,
          escalate_at: null,
          expires_at: null,
          notified: [],
        }
      },
    }
  }
}
