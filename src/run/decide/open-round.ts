import type { PlannedTool, Program } from '../../plan/plan.ts'
import type { Decision, JudgedBreach } from '../event.ts'
import { answeredByOrigin, originCallOf } from '../origin-calls.ts'
import type { CallEffect, CallEntry, OriginCall, RunState, RunWarning, ToolCall } from '../state.ts'
import { callSubagent, subagentNamed } from './agent-call.ts'
import { budgetOf, budgetReached, exceeded, spent } from './budget.ts'
import { deniedBefore } from './denied-before.ts'
import { sendOrRequestApproval } from './gate-approval.ts'
import { breachOfToolCall, mustBeJudged } from './gate-call.ts'
import { rejectsPii } from './gate-pii.ts'
import { lacksValues } from './lacks-values.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { settleIfDone } from './settle-round.ts'
import { withShares } from './shares.ts'

/** Checks each call of a model's answer before any of them is sent. */
export function openRound(
  program: Program,
  state: RunState,
  calls: readonly ToolCall[],
  at: number,
): Decision {
  const entries: CallEntry[] = []
  const breaches: JudgedBreach[] = []
  const reused: number[] = []
  for (const call of calls) {
    const entry = judgeCall(program, state, call)
    const leaving = entries.filter((other) => other.status !== 'done')
    const breach = entry.status === 'done' ? null : breachOfToolCall(program, state, call, leaving, at)
    const origin = breach === null && entry.status === 'sent' ? originCallOf(state, entry, reused) : null
    if (origin !== null) {
      reused.push(origin)
      const answered = answeredByOrigin(entry, state.sent_by_origin[origin] as OriginCall)
      entries.push(answered.status === 'sent' ? passed(program, state, answered, at) : answered)
    } else if (breach === null) entries.push(passed(program, state, entry, at))
    else {
      breaches.push(breach)
      entries.push(refusedCall(entry, breach))
    }
  }
  const waits = entries.some((entry) => entry.status === 'judging')
  // The calls of tools, and the request to the judge that comes before them.
  const others = entries.filter(({ agent, status }) => agent === undefined && status !== 'done').length
  const judged = withShares(program, state, [], entries, others + (waits ? 1 : 0))
  const { calls: budget } = budgetOf(program, state)
  const { calls: used } = spent(state.totals)
  const leaving = judged.filter((entry) => entry.status !== 'done').length + (waits ? 1 : 0)
  if (budget !== undefined && used + leaving > budget) {
    const message = `the budget of calls does not cover this answer: ${used} of ${budget} used, ${leaving} more needed`
    return { end: exceeded('calls', message) }
  }
  const over = waits ? budgetReached(program, state) : null
  if (over !== null) return { end: over }
  const warnings = assumedApprovals(program, judged)
  const round: Decision = {
    calls: judged,
    ...(waits && { review: { n: state.reviews + 1, subject: 'calls' } }),
    ...(breaches.length > 0 && { breaches }),
    ...(warnings.length > 0 && { warnings }),
    ...(reused.length > 0 && { reused }),
  }
  return mergeDecisions(round, settleIfDone(program, state, judged, at))
}

function judgeCall(program: Program, state: RunState, call: ToolCall): CallEntry {
  const tool = program.tool.get(call.tool)
  const entry = {
    id: call.id,
    tool: call.tool,
    args: call.args,
    key: `${state.run_id}:${state.turn}.${state.iteration}:${call.id}`,
    effect: tool === undefined ? ('none' as const) : effectOf(tool),
    ...(program.plan.hooks?.some(({ hook }) => hook === 'on_tool_call') === true && {
      unasked: true as const,
    }),
  }
  const refuse = (result: string): CallEntry => ({ ...entry, status: 'done', result, error: true })
  if (tool === undefined) {
    return refuse(`there is no tool named ${call.tool}; the tools are: ${namesOf(program)}`)
  }
  if (tool.gate === 'deny')
    return refuse(`the tool ${tool.name} may not be used: ${tool.reason ?? 'not granted'}`)
  if (call.malformed !== undefined)
    return refuse('the arguments are not a JSON object; send them again as one')
  if (call.personal === true && rejectsPii(program))
    return refuse('PII_REJECTED: the arguments hold personal data, so the tool was not called')
  // A person gives the missing values.
  const unchecked = call.fits === true || lacksValues(state, call.args)
  const breach = unchecked ? null : (program.checkArguments.get(call.tool)?.(call.args) ?? null)
  if (breach !== null) {
    return refuse(`the arguments do not match the tool's schema, so the tool was not called: ${breach}`)
  }
  const denied = deniedBefore(state, call)
  if (denied !== null) return refuse(denied)
  if (tool.agent !== undefined) return delegate(program, state, call, tool.agent)
  return { ...entry, status: 'sent' }
}

/** Returns the names of the tools that every request contains, and how to find the others. */
function namesOf({ tool }: Program): string {
  const all = [...tool.values()]
  const names = all.filter(({ found_by }) => found_by === undefined).map(({ name }) => name)
  const search = all.find(({ found_by }) => found_by !== undefined)?.found_by
  return `${names.join(', ') || 'none'}${search === undefined ? '' : `; ${search} finds others`}`
}

/** Returns the entry of a call that no rule stops: reviewed by the judge, waiting for approval, or sent. */
export function passed(program: Program, state: RunState, entry: CallEntry, at: number): CallEntry {
  if (entry.status === 'done' || entry.agent !== undefined) return entry
  return mustBeJudged(program, entry.tool)
    ? { ...entry, status: 'judging' }
    : sendOrRequestApproval(program, state, entry, at)
}

/** Returns the entry of a sub-agent that the model calls like a tool. */
function delegate(program: Program, state: RunState, call: ToolCall, alias: string): CallEntry {
  const subagent = subagentNamed(program, alias)
  if (subagent === undefined) throw new Error(`the plan offers ${alias}, which it does not list`)
  const entry = callSubagent(program, state, call.id, subagent, call.args.task ?? null)
  return { ...entry, tool: call.tool, args: call.args }
}

/** Returns the effect of repeating a call of a tool. */
export function effectOf(tool: PlannedTool): CallEffect {
  if (tool.effect === 'read') return 'none'
  return tool.idempotent ? 'idempotent' : 'once'
}

/** Returns a warning for each approval that a rehearsal assumes as granted. */
function assumedApprovals(program: Program, calls: readonly CallEntry[]): readonly RunWarning[] {
  if (!program.plan.rehearsal || program.plan.rehearsal_asks === true) return []
  return calls
    .filter((call) => call.status === 'sent' && program.tool.get(call.tool)?.gate === 'ask')
    .map((call) => ({
      code: 'APPROVAL_ASSUMED',
      message: `${call.tool} needs a person's approval; the rehearsal assumed that it is granted`,
    }))
}

export function refusedCall(entry: CallEntry, { constraint, why }: JudgedBreach): CallEntry {
  return {
    ...entry,
    status: 'done',
    error: true,
    result: `the tool was not called, because the call breaks the rule ${JSON.stringify(constraint)}: ${why}`,
  }
}
