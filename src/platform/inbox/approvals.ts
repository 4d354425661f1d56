import { canonicalize, sha256 } from '../../document/canonical.ts'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { asJson, type JsonObject } from '../../document/json.ts'
import type { ServerQuestion } from '../../run/elicitation.ts'
import type { Records } from '../../run/record/records.ts'
import { asksOf } from '../../run/unsettled.ts'
import { alreadyDecided, decidedBefore } from '../../session/decided-before.ts'
import { checkedDecision, leaveDecision, type PersonsDecision } from '../../session/leave-decision.ts'
import { questionOf } from '../../session/left-decisions.ts'
import type { Principal } from '../../session/principal.ts'
import { elicitationOf } from '../../session/waiting-approval.ts'
import { type WaitingCall, waitingCallsOf } from '../../session/waiting-calls.ts'
import type { Approvals, ApprovalView, Ballot } from './approval.ts'

/** The questions of an organisation's runs to people. */
export function approvalsOf(
  records: Pick<Records, 'runs'>,
  { user, kind }: Principal,
  ballot: Ballot,
  list: Approvals['list'],
): Approvals {
  return {
    list,

    async decide(id, { verdict, digest, ...given }) {
      if (kind === 'service') throw personRequired()
      const { run_id, asked, call_id } = parseId(id)
      const waiting = await waitingCallsOf(records, await records.runs.read(run_id))
      const one = waiting.find(({ call }) => call.id === call_id)
      const view = one && (await viewOf(records, one))
      // Absent, or the call asks again, about something else than the person has seen.
      if (one === undefined || view?.id !== idOf(run_id, asked, call_id)) throw await closed(records, id)
      const isSame = digest === undefined || digest === view.digest
      // An approval may name the digest of what others have voted for.
      const agreed = isSame || verdict !== 'approve' ? undefined : await ballot.edited(view, digest)
      if (!isSame && agreed === undefined) throw changed(view)
      if (verdict === 'edit' && digest === undefined) throw digestMissing(view)
      const decision: PersonsDecision =
        agreed === undefined
          ? { verdict, by: user, ...given }
          : { ...given, verdict: 'edit', by: user, arguments: agreed }
      const stored = one.decided === undefined ? checkedDecision(one.run, one.call, decision) : decision
      const votes = await ballot.cast(view, stored, {
        explicit: digest !== undefined,
        agrees: agreed !== undefined,
      })
      if (votes !== undefined) return { ...view, votes }
      await leaveDecision(records, run_id, call_id, decision).catch(async (error: unknown) => {
        // The run has continued since it was read: with the decision of another person.
        const isOver = error instanceof WaybillError && MOVED_ON.has(error.code)
        throw isOver ? await closed(records, id, error) : error
      })
      return view
    },
  }
}

/** What a decision meets whose question is not open any more. */
const MOVED_ON = new Set<string>(['APPROVAL_NOT_FOUND', 'APPROVAL_VERDICT_INVALID', 'APPROVAL_MOVED_ON'])

/**
 * Returns why a question cannot be decided: who has decided it, for as long as the record of its run exists.
 * @param otherwise if no person has decided it
 */
export async function closed(
  { runs }: Pick<Records, 'runs'>,
  id: string,
  otherwise: WaybillError = notFound(id),
): Promise<WaybillError> {
  const { run_id, asked, call_id } = parseId(id)
  const decided = decidedBefore(await runs.events(run_id), { call: call_id, asked })
  return decided === undefined
    ? otherwise
    : alreadyDecided(decided, 'GET /v1/approvals/ID shows the question; a call that asks again is a new one')
}

export async function viewOf(
  { runs }: Pick<Records, 'runs'>,
  { run: { header, state, plan }, call }: WaitingCall,
): Promise<ApprovalView> {
  const { asked } = questionOf(call, await runs.events(header.run_id))
  const args = asJson(call.args) as JsonObject
  const elicited = elicitationOf(call, plan)
  const asked_at = call.asked_at === undefined ? undefined : new Date(call.asked_at).toISOString()
  return {
    id: idOf(header.run_id, asked, call.id),
    kind: 'call',
    ...elicited,
    run_id: header.run_id,
    call_id: call.id,
    agent_id: header.agent_id,
    agent_name: header.agent_name,
    ...defined({ user: header.user, session: header.session, on_behalf_of: header.on_behalf_of }),
    tool: call.tool,
    arguments: args,
    digest: digestOf(idOf(header.run_id, asked, call.id), call.tool, args, elicited.questions),
    asks: asksOf(call),
    ...defined({ why: call.why ?? state.ending?.end.error?.message, asked_at }),
  }
}

/**
 * Returns the digest of a question, also with other arguments than the call has.
 * @param questions what the server of the call asks
 */
export function digestOf(
  id: string,
  tool: string,
  args: JsonObject,
  questions?: readonly ServerQuestion[],
): string {
  const seen = {
    ...parseId(id),
    tool,
    arguments: args,
    ...(questions !== undefined && { questions: asJson(questions) }),
  }
  return `sha256:${sha256(canonicalize(seen))}`
}

/** Names a question, not only a call: a call may ask again. */
function idOf(runId: string, asked: number, callId: string): string {
  return `${runId}~${asked}~${Buffer.from(callId).toString('base64url')}`
}

export function parseId(id: string): {
  readonly run_id: string
  readonly asked: number
  readonly call_id: string
} {
  const [run_id, asked, call] = id.split('~')
  if (run_id === undefined || asked === undefined || call === undefined || !/^\d{1,9}$/.test(asked))
    throw notFound(id)
  return { run_id, asked: Number(asked), call_id: Buffer.from(call, 'base64url').toString() }
}

function personRequired(): WaybillError {
  return new WaybillError('PERSON_REQUIRED', {
    fault: 'refused',
    message: 'a service account cannot decide what a person must decide',
    hint: 'decide with a token or session of a person who has the role approver; a standing rule decides without a person',
  })
}

function changed({ digest }: ApprovalView): WaybillError {
  return new WaybillError('APPROVAL_CHANGED', {
    fault: 'refused',
    message: `the decision is about another question; the open one has the digest ${digest}`,
    at: '/digest',
    hint: 'read the approval again, and decide about what it asks now',
  })
}

function digestMissing({ digest }: ApprovalView): WaybillError {
  return new WaybillError('APPROVAL_VERDICT_INVALID', {
    fault: 'usage',
    message: 'a decision to edit a call must name the digest of the question',
    at: '/digest',
    hint: `add "digest": "${digest}" after you have compared the arguments`,
  })
}

export function notFound(id: string): WaybillError {
  return new WaybillError('APPROVAL_NOT_FOUND', {
    fault: 'usage',
    message: `no question ${JSON.stringify(id.slice(0, 200))} is open`,
    hint: 'list the open questions with GET /v1/approvals; a call that asks again is a new question',
  })
}
