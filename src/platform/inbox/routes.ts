import { defined } from '../../document/defined.ts'
import type { Finding } from '../../document/finding.ts'
import { WaybillError } from '../../document/issue.ts'
import { lastStep } from '../../document/json-pointer.ts'
import { problemOf } from '../../http/problem.ts'
import { ADMINS, APPROVERS, READERS, routesOf } from '../../http/route.ts'
import { id, PAGE, pageOf, removed, text } from '../../http/schema.ts'
import { newPolicy, policyView } from '../policies/policy.ts'
import { type Approvals, type ApprovalView, approvalView, type Inbox, questionView } from './approval.ts'
import {
  approvedCall,
  type Decision,
  decision,
  decisions,
  type ListedDecision,
  type Outcome,
  outcomes,
  type RuleMaking,
} from './decision.ts'

/** @public It is named by the declarations of the package. */
export interface Uses {
  readonly approvals: Approvals
  readonly inbox: Inbox
  readonly rules: RuleMaking
}

const route = routesOf<Uses>()

const listApprovals = route({
  method: 'GET',
  path: '/v1/approvals',
  name: 'listApprovals',
  summary: 'Lists the calls that wait for a person.',
  tag: 'approvals',
  access: READERS,
  query: {
    ...PAGE,
    run_id: id('Only the calls of this run.'),
    agent_id: id('Only the calls of this agent.'),
    user: id('Only the calls of runs that serve this user.'),
    tool: text('Only the calls of this tool.', { maxLength: 256 }),
  },
  answers: { 200: { description: 'A page of approvals.', schema: pageOf(approvalView) } },
  handle: async ({ tenant, query }) => ({
    status: 200,
    json: await tenant.approvals.list(query),
  }),
})

const decideOne = route({
  method: 'POST',
  path: '/v1/approvals/{approval}',
  name: 'decide',
  summary: 'Decides about a call. Only the first decision counts.',
  tag: 'approvals',
  access: APPROVERS,
  body: { kind: 'json', schema: decision, refusedAs },
  answers: {
    200: { description: 'The call that was decided.', schema: approvedCall },
    202: { description: 'A vote: more people must agree.', schema: approvedCall },
  },
  async handle({ tenant, params, body, resourceId }) {
    const approval = await decide(tenant, params.approval, body, resourceId)
    return { status: statusOf(approval), json: approval }
  },
})

const decideSeveral = route({
  method: 'POST',
  path: '/v1/approvals',
  name: 'decideSeveral',
  summary: 'Decides about several calls, one after the other. Each has an outcome of its own.',
  tag: 'approvals',
  access: APPROVERS,
  body: { kind: 'json', schema: decisions, refusedAs },
  answers: { 200: { description: 'The outcomes.', schema: outcomes } },
  async handle({ tenant, body }) {
    const items: Outcome[] = []
    for (const item of body.items) items.push(await outcomeOf(tenant, item))
    return { status: 200, json: { items } }
  },
})

const readApproval = route({
  method: 'GET',
  path: '/v1/approvals/{approval}',
  name: 'readApproval',
  summary: 'Returns a question with its votes, its times and who was notified; also after a decision.',
  tag: 'approvals',
  access: READERS,
  answers: { 200: { description: 'The question.', schema: questionView } },
  handle: async ({ tenant, params }) => ({
    status: 200,
    json: await tenant.inbox.question(params.approval),
  }),
})

export const listApprovalPolicies = route({
  method: 'GET',
  path: '/v1/approval-policies',
  name: 'listApprovalPolicies',
  summary: 'Lists the approval policies, in the order in which they are tried.',
  tag: 'approvals',
  access: READERS,
  query: PAGE,
  answers: { 200: { description: 'A page of policies.', schema: pageOf(policyView) } },
  handle: async ({ tenant, query }) => ({ status: 200, json: await tenant.inbox.policies(query) }),
})

export const setApprovalPolicy = route({
  method: 'PUT',
  path: '/v1/approval-policies/{policy}',
  name: 'setApprovalPolicy',
  summary: 'Adds an approval policy, or replaces it. Open questions keep the one that they opened with.',
  tag: 'approvals',
  access: ADMINS,
  body: { kind: 'json', schema: newPolicy },
  failures: [409],
  answers: { 200: { description: 'The policy.', schema: policyView } },
  handle: async ({ tenant, params, body }) => ({
    status: 200,
    json: await tenant.inbox.setPolicy(params.policy, body),
  }),
})

export const removeApprovalPolicy = route({
  method: 'DELETE',
  path: '/v1/approval-policies/{policy}',
  name: 'removeApprovalPolicy',
  summary: 'Removes an approval policy. Open questions keep it.',
  tag: 'approvals',
  access: ADMINS,
  answers: { 200: { description: 'How many were removed.', schema: removed } },
  async handle({ tenant, params }) {
    await tenant.inbox.removePolicy(params.policy)
    return { status: 200, json: { removed: 1 } }
  },
})

/** Calls that wait for a person, policies for these questions, and their history. */
export const INBOX_ROUTES = [
  listApprovals,
  decideOne,
  decideSeveral,
  readApproval,
  listApprovalPolicies,
  setApprovalPolicy,
  removeApprovalPolicy,
]

/** A member of another verdict has the code of other decisions that do not fit. */
function refusedAs({ code, pointer }: Finding): 'APPROVAL_VERDICT_INVALID' | undefined {
  const isOfVerdict = ['rule', 'arguments', 'digest', 'result', 'answers', 'content'].includes(
    lastStep(pointer),
  )
  const isMember = code === 'UNKNOWN_MEMBER' || code === 'REQUIRED_MISSING'
  return isOfVerdict && isMember ? 'APPROVAL_VERDICT_INVALID' : undefined
}

function decide(
  { approvals, rules }: Uses,
  approval: string,
  chosen: Decision,
  ruleId?: string,
): Promise<ApprovalView> {
  const { verdict, note, digest } = chosen
  const given = { verdict, ...defined({ why: note, digest }) }
  switch (chosen.verdict) {
    case 'approve':
      return chosen.rule === undefined
        ? approvals.decide(approval, given)
        : rules.approve(approval, given, chosen.rule, ruleId)
    case 'edit':
      return approvals.decide(approval, { ...given, arguments: chosen.arguments })
    case 'answer': {
      const { answers, content } = chosen
      return approvals.decide(approval, { ...given, ...defined({ answers, content }) })
    }
    case 'assume':
      return approvals.decide(approval, { ...given, ...defined({ result: chosen.result }) })
    case 'deny':
    case 'resend':
      return approvals.decide(approval, given)
  }
}

/** A vote is accepted, and decides nothing yet. */
function statusOf({ votes }: ApprovalView): number {
  return votes === undefined ? 200 : 202
}

async function outcomeOf(tenant: Uses, item: ListedDecision): Promise<Outcome> {
  try {
    const approval = await decide(tenant, item.id, item)
    return { id: item.id, status: statusOf(approval), approval }
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    const problem = problemOf(error)
    return { id: item.id, status: problem.status, problem }
  }
}
