import type { Planner } from '../agents/planner.ts'
import type { Feature, Opened } from '../feature.ts'
import type { Approvals } from '../inbox/approval.ts'
import { rulePoliciesOf } from '../policies/held-by-policy.ts'
import { RULE_ROUTES } from './routes.ts'
import type { Rules } from './rule.ts'
import { rulesOf } from './rules.ts'

/** @public It is named by the declarations of the package. */
export interface Parts {
  readonly planner: Pick<Planner, 'agent'>
  /** Notifies the worker of this process that something has arrived for a run. */
  readonly notify: (org: string, runId: string) => void
}

/** @public It is named by the declarations of the package. */
export interface Uses {
  readonly approvals: Approvals
  readonly rules: Rules
}

export const RULES = {
  name: 'rules',
  members: {
    rules: ({ org, principal, home, app }: Opened, { planner, notify }: Parts, { approvals }: Uses): Rules =>
      rulesOf({
        records: home,
        principal,
        approvals,
        policies: rulePoliciesOf({ app, org }),
        agent: (wanted) => planner.agent({ ...wanted, org, by: principal.user }),
        async wake(runId) {
          await home.runs.wake(runId)
          notify(org, runId)
        },
      }),
  },
  tags: { rules: 'Standing rules, which allow calls without a question, and other standing grants.' },
  routes: RULE_ROUTES,
} satisfies Feature<Parts, Uses>
