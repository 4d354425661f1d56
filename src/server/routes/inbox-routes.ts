import { ADMINS, param, READERS, type Route } from '../../http/route.ts'
import { PAGE, pageOf, removed } from '../../http/schema.ts'
import type { Tenant } from '../../platform/platform.ts'
import type { NewPolicy } from '../../platform/policies/policy.ts'
import { newPolicy, policyView, questionView } from '../schemas/inbox-schemas.ts'

/** Policies for questions to people, and the history of questions. */
export const INBOX_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'GET',
    path: '/v1/approvals/{approval}',
    name: 'readApproval',
    summary: 'Returns a question with its votes, its times and who was notified; also after a decision.',
    tag: 'approvals',
    access: READERS,
    answers: { 200: { description: 'The question.', schema: questionView } },
    handle: async (call) => ({
      status: 200,
      json: await call.tenant.inbox.question(param(call, 'approval')),
    }),
  },
  {
    method: 'GET',
    path: '/v1/approval-policies',
    name: 'listApprovalPolicies',
    summary: 'Lists the approval policies, in the order in which they are tried.',
    tag: 'approvals',
    access: READERS,
    query: PAGE,
    answers: { 200: { description: 'A page of policies.', schema: pageOf(policyView) } },
    handle: async ({ tenant, query }) => ({ status: 200, json: await tenant.inbox.policies(query) }),
  },
  {
    method: 'PUT',
    path: '/v1/approval-policies/{policy}',
    name: 'setApprovalPolicy',
    summary: 'Adds an approval policy, or replaces it. Open questions keep the one that they opened with.',
    tag: 'approvals',
    access: ADMINS,
    body: { kind: 'json', schema: newPolicy },
    failures: [409],
    answers: { 200: { description: 'The policy.', schema: policyView } },
    async handle(call) {
      const policy = call.body as unknown as NewPolicy
      return { status: 200, json: await call.tenant.inbox.setPolicy(param(call, 'policy'), policy) }
    },
  },
  {
    method: 'DELETE',
    path: '/v1/approval-policies/{policy}',
    name: 'removeApprovalPolicy',
    summary: 'Removes an approval policy. Open questions keep it.',
    tag: 'approvals',
    access: ADMINS,
    answers: { 200: { description: 'How many were removed.', schema: removed } },
    async handle(call) {
      await call.tenant.inbox.removePolicy(param(call, 'policy'))
      return { status: 200, json: { removed: 1 } }
    },
  },
]
