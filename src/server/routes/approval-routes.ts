import { defined } from '../../document/defined.ts'
import type { Finding } from '../../document/finding.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { lastStep } from '../../document/json-pointer.ts'
import { APPROVERS, param, READERS, type Route } from '../../http/route.ts'
import { id, PAGE, pageOf } from '../../http/schema.ts'
import type { ApprovalQuery, ApprovalView } from '../../platform/inbox/approval.ts'
import type { Tenant } from '../../platform/platform.ts'
import type { RuleOfDecision } from '../../platform/rules/rule.ts'
import type { QuestionAnswers } from '../../run/elicitation.ts'
import type { PersonsDecision } from '../../session/leave-decision.ts'
import { text } from '../../spec/schema-builder.ts'
import { problemOf } from '../problem.ts'
import { approvalView, decision, decisions, outcomes } from '../schemas/approval-schemas.ts'
import { approvedCall } from '../schemas/rule-schemas.ts'

interface Decision {
  readonly verdict: PersonsDecision['verdict']
  readonly note?: string
  readonly result?: Json
  readonly arguments?: JsonObject
  readonly answers?: QuestionAnswers
  readonly content?: JsonObject
  readonly digest?: string
  readonly rule?: RuleOfDecision
}

interface Decisions {
  readonly items: readonly (Decision & { readonly id: string })[]
}

/** Calls that wait for a person. */
export const APPROVAL_ROUTES: readonly Route<Tenant>[] = [
  {
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
      json: await tenant.approvals.list(query as ApprovalQuery),
    }),
  },
  {
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
    async handle(call) {
      const chosen = call.body as unknown as Decision
      const approval = await decide(call.tenant, param(call, 'approval'), chosen, call.resourceId)
      return { status: statusOf(approval), json: approval }
    },
  },
  {
    method: 'POST',
    path: '/v1/approvals',
    name: 'decideSeveral',
    summary: 'Decides about several calls, one after the other. Each has an outcome of its own.',
    tag: 'approvals',
    access: APPROVERS,
    body: { kind: 'json', schema: decisions, refusedAs },
    answers: { 200: { description: 'The outcomes.', schema: outcomes } },
    async handle({ tenant, body }) {
      const items: Json[] = []
      for (const item of (body as unknown as Decisions).items)
        items.push((await outcome(tenant, item)) as unknown as Json)
      return { status: 200, json: { items } }
    },
  },
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
  { approvals, rules }: Tenant,
  approval: string,
  chosen: Decision,
  ruleId?: string,
): Promise<ApprovalView> {
  const { verdict, note, result, arguments: args, answers, content, digest, rule } = chosen
  const given = {
    verdict,
    ...defined({ why: note, result, arguments: args, answers, content, digest }),
  }
  return rule === undefined ? approvals.decide(approval, given) : rules.approve(approval, given, rule, ruleId)
}

/** A vote is accepted, and decides nothing yet. */
function statusOf({ votes }: ApprovalView): number {
  return votes === undefined ? 200 : 202
}

async function outcome(tenant: Tenant, item: Decisions['items'][number]) {
  try {
    const approval = await decide(tenant, item.id, item)
    return { id: item.id, status: statusOf(approval), approval }
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    const problem = problemOf(error)
    return { id: item.id, status: problem.status, problem }
  }
}
