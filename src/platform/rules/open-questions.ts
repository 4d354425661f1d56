import { asJson, type JsonObject } from '../../document/json.ts'
import { type CallRule, parseCallRule } from '../../policy/approval/call-rule.ts'
import type { Grant } from '../../run/record/grant.ts'
import type { Records, StoredRun } from '../../run/record/records.ts'
import { rootRunId } from '../../run/record/run-header.ts'
import { isCovered } from '../../session/standing-decision.ts'
import { standingRules } from '../../session/standing-rules.ts'
import type { Approvals, ApprovalView } from '../inbox/approval.ts'
import type { RulePolicies } from '../policies/held-by-policy.ts'
import type { ComparedQuestion } from './rule.ts'

/** How many questions are compared. */
const MOST = 1000

export interface OpenQuestions {
  readonly questions: number
  readonly covered: readonly (ComparedQuestion & { readonly root: string })[]
}

export interface OpenQuestionsParts {
  readonly records: Pick<Records, 'runs'>
  readonly approvals: Pick<Approvals, 'list'>
  readonly policies: Pick<RulePolicies, 'held'>
}

/**
 * Compares a rule with the open questions about its tool. The driver of a run decides with the real values of personal
 * data, which this function does not have, so its answer can differ for arguments with placeholders.
 */
export async function openQuestions(
  grant: Grant,
  { records, approvals, policies }: OpenQuestionsParts,
): Promise<OpenQuestions> {
  const rule = parseCallRule(grant.what)
  const open: ApprovalView[] = []
  let cursor: string | null | undefined
  while (cursor !== null && open.length < MOST) {
    const page: Awaited<ReturnType<Approvals['list']>> = await approvals.list({
      tool: rule.tool,
      ...(grant.agent_id !== undefined && { agent_id: grant.agent_id }),
      ...(cursor !== undefined && { cursor }),
    })
    open.push(...page.items)
    cursor = page.next
  }
  const covered: OpenQuestions['covered'][number][] = []
  for (const { id, run_id, call_id } of open) {
    const run = await records.runs.read(run_id)
    const call = run.state.calls.find((one) => one.id === call_id)
    // A call of unknown outcome is never decided by a rule.
    if (call?.status !== 'asking' || !(await applies(grant, rule, run, asJson(call.args) as JsonObject)))
      continue
    const { agent_id } = run.header
    const asked = { run_id, key: call.key, agent_id, tool: call.tool }
    if ((await policies.held(grant, asked)) !== undefined) continue
    covered.push({ id, run_id, call_id, arguments: call.args, root: rootRunId(run.header) })
  }
  return { questions: open.length, covered }
}

/** Returns whether a rule allows a call, by the functions that decide when a run asks. */
async function applies(grant: Grant, rule: CallRule, run: StoredRun, args: JsonObject): Promise<boolean> {
  const only = { list: async () => [grant], spend: async () => true }
  const inForce = await standingRules(only, run.header.definitions).of(run.plan)
  return inForce.length > 0 && isCovered(rule, args, run.plan, run.state)
}
