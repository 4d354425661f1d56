import { v7 as uuidv7 } from 'uuid'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { compileAssertion } from '../../http/schema-check.ts'
import { type CallRule, parseCallRule, ruleLike, whyNotCovered } from '../../policy/approval/call-rule.ts'
import { withoutPlaceholders } from '../../policy/pii/placeholder.ts'
import { type Grant, isInForce } from '../../run/record/grant.ts'
import type { Records } from '../../run/record/records.ts'
import type { CallEntry } from '../../run/state.ts'
import type { PlannedAgent } from '../../session/agent-sessions.ts'
import { toolsOfRule } from '../../session/check-rule.ts'
import { previewRule } from '../../session/preview-rule.ts'
import type { Principal } from '../../session/principal.ts'
import { type WaitingCall, waitingCallsOf } from '../../session/waiting-calls.ts'
import { giveGrant, revokeGrants } from '../../settings/remembered-grants.ts'
import type { Approvals } from '../inbox/approval.ts'
import { closed } from '../inbox/approvals.ts'
import { type CreatedRule, type RuleOfDecision, ruleOfDecision } from '../inbox/decision.ts'
import { type RulePolicies, ruleHeld } from '../policies/held-by-policy.ts'
import { openQuestions } from './open-questions.ts'
import { type NewRule, newRule, previewedRule, type Rules } from './rule.ts'
import {
  ambiguousTool,
  onlyWithApprove,
  otherCall,
  ruleGrant,
  ruleView,
  serviceAccount,
  tooManyRules,
} from './rule-terms.ts'

export interface RulesParts {
  readonly records: Pick<Records, 'runs' | 'grants'>
  readonly principal: Principal
  readonly approvals: Approvals
  readonly policies: RulePolicies
  /** Plans an agent of the organisation, as for a new run. */
  readonly agent: (
    wanted: Pick<NewRule, 'agent_id' | 'version'>,
  ) => Promise<Pick<PlannedAgent, 'plans' | 'definitions'>>
  /** Lets a run that waits look for decisions again. */
  readonly wake: (rootRunId: string) => Promise<void>
}

/** Rules of an organisation that are in force at one time: all are read for each question. */
const MOST = 500

const SHOWN = 20
/** How many runs a preview reads at most. */
const SEARCHED = 500
const CALLS = 100

const assertNew = compileAssertion(newRule)
const assertPreview = compileAssertion(previewedRule)
const assertTerms = compileAssertion(ruleOfDecision)

/** The standing rules of an organisation. */
export function rulesOf(parts: RulesParts): Rules {
  const { records, principal, approvals, policies } = parts
  const { user: by, kind, token } = principal

  const planned = async (request: NewRule, id = uuidv7()) => {
    const rule = parseCallRule(request.what)
    const { plans, definitions } = await parts.agent(request)
    const [ruled, ...others] = toolsOfRule(rule, plans)
    if (others.length > 0)
      throw ambiguousTool(
        rule,
        [ruled, ...others].map(({ plan }) => plan.agent_name),
      )
    const made = { id, by, now: Date.now(), at: '', ...defined({ token }) }
    const grant = ruleGrant(rule, ruled, definitions, request, made)
    await policies.assertDecides({ agent_id: grant.agent_id, tool: rule.tool })
    return { rule, tool: ruled.tool, grant }
  }
  const assertMayRule = async () => {
    if (kind === 'service') throw serviceAccount()
    const now = Date.now()
    const grants = await records.grants.list()
    if (grants.filter((one) => one.kind === 'call' && isInForce(one, now)).length >= MOST)
      throw tooManyRules(MOST)
  }
  const give = async (grant: Grant): Promise<CreatedRule> => {
    await giveGrant(records.grants, grant)
    // Runs read the rules when they ask: those that wait already must ask again.
    const { covered } = await openQuestions(grant, parts)
    for (const root of new Set(covered.map((one) => one.root))) await parts.wake(root)
    return { ...ruleView(grant), covers: covered.length }
  }

  return {
    async list(page) {
      const { items, next } = await records.grants.page(page)
      return { items: items.map(ruleView), next }
    },

    async create(request, id) {
      assertNew(request)
      await assertMayRule()
      return give((await planned(request, id)).grant)
    },

    async preview(wanted) {
      assertPreview(wanted)
      const { calls = CALLS, ...request } = wanted
      const { rule, tool, grant } = await planned(request)
      const { what, agent_id, agent_name, until } = grant
      const { questions, covered } = await openQuestions(grant, parts)
      return {
        what,
        agent_id,
        agent_name,
        until,
        gate: tool.gate,
        open: {
          questions,
          covered: covered.length,
          covered_questions: covered.slice(0, SHOWN).map(({ root: _root, ...shown }) => shown),
        },
        past: await previewRule(rule, agent_id, records, { runs: SEARCHED, decided: calls }),
      }
    },

    async approve(approval, decision, wanted, id = uuidv7()) {
      assertTerms(wanted)
      await assertMayRule()
      if (decision.verdict !== 'approve') throw onlyWithApprove(decision.verdict)
      const { run, call } = await waitingCall(records, approval)
      const rule = ruleFor(call, wanted)
      const [ruled] = toolsOfRule(rule, [run.plan])
      const why = rule.tool === call.tool ? whyNotCovered(rule, call.args) : `it calls ${call.tool}`
      if (why !== null) throw otherCall(rule, why)
      const terms = { ...(decision.why !== undefined && { why: decision.why }), ...wanted }
      const made = { id, by, now: Date.now(), at: '/rule', ...defined({ token, user: run.header.user }) }
      const grant = ruleGrant(rule, ruled, run.header.definitions ?? {}, terms, made)
      const asked = { agent_id: grant.agent_id, tool: rule.tool }
      await policies.assertDecides(asked)
      const held = await policies.held(grant, { ...asked, run_id: run.header.run_id, key: call.key })
      if (held !== undefined) throw ruleHeld(held)
      // Refuses a question that is decided or has changed, before the rule is stored.
      const decided = await approvals.decide(approval, decision)
      // A policy was set at this moment: the approval is a vote.
      if (decided.votes !== undefined) throw ruleHeld('the approval was recorded as a vote')
      return { ...decided, rule: await give(grant) }
    },

    async revoke(id) {
      const at = new Date().toISOString()
      const found = await revokeGrants(records.grants, new Set([id]), { by, at })
      if (found.length === 0) throw ruleNotFound(id)
    },
  }
}

/** Returns a waiting call and its run, also if it is decided already. @throws APPROVAL_NOT_FOUND */
async function waitingCall(records: Pick<Records, 'runs'>, approval: string): Promise<WaitingCall> {
  const [runId = '', , call = ''] = approval.split('~')
  if (!(await records.runs.has(runId))) throw questionNotFound(approval)
  const waiting = await waitingCallsOf(records, await records.runs.read(runId))
  const callId = Buffer.from(call, 'base64url').toString()
  const found = waiting.find((one) => one.call.id === callId)
  if (found === undefined) throw await closed(records, approval)
  return found
}

function ruleFor({ tool, args }: CallEntry, { what }: RuleOfDecision): CallRule {
  if (what !== undefined) return parseCallRule(what)
  const { where } = ruleLike(tool, args)
  // A placeholder of personal data is another one in each run.
  return { tool, where: where.filter(({ value }) => withoutPlaceholders(value) === value) }
}

function questionNotFound(approval: string): WaybillError {
  return new WaybillError('APPROVAL_NOT_FOUND', {
    fault: 'usage',
    message: `no question ${JSON.stringify(approval.slice(0, 200))} is open`,
    hint: 'list the open questions with GET /v1/approvals',
  })
}

function ruleNotFound(id: string): WaybillError {
  return new WaybillError('GRANT_NOT_FOUND', {
    fault: 'usage',
    message: `no grant has the id ${id}`,
    hint: 'GET /v1/rules lists the grants',
  })
}
