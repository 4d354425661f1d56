import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { asJson, type JsonObject } from '../../document/json.ts'
import type { Records } from '../../run/record/records.ts'
import { leaveDecision, type PersonsDecision } from '../../session/leave-decision.ts'
import { questionOf } from '../../session/left-decisions.ts'
import { type WaitingCall, waitingCallsOf } from '../../session/waiting-calls.ts'
import type { Ballot } from '../inbox/inbox.ts'
import type { Approvals, ApprovalView } from '../platform.ts'

/** The questions of an organisation's runs to people. */
export function approvalsOf(records: Pick<Records, 'runs'>, user: string, ballot: Ballot): Approvals {
  return {
    async list({ run_id, ...page }) {
      const { items: runs, next } = await records.runs.list(
        { questions: true, ...(run_id !== undefined && { root: run_id }) },
        page,
      )
      const items: ApprovalView[] = []
      for (const { run_id: id, imported, damaged } of runs) {
        if (imported || damaged !== undefined) continue
        const waiting = await waitingCallsOf(records, await records.runs.read(id))
        for (const one of waiting) if (one.decided === undefined) items.push(await viewOf(records, one))
      }
      return { items, next }
    },
    async decide(id, { verdict, ...given }) {
      const { run_id, asked, call_id } = parseId(id)
      const waiting = await waitingCallsOf(records, await records.runs.read(run_id))
      const one = waiting.find(({ call }) => call.id === call_id)
      if (one === undefined) throw notFound(id)
      const view = await viewOf(records, one)
      // The call asks again, about something else than the person has seen.
      if (view.id !== idOf(run_id, asked, call_id)) throw notFound(id)
      const decision: PersonsDecision = { verdict, by: user, ...given }
      const votes = await ballot(view, one.call, decision)
      if (votes !== undefined) return { ...view, votes }
      await leaveDecision(records, run_id, call_id, decision)
      return view
    },
  }
}

export async function viewOf(
  { runs }: Pick<Records, 'runs'>,
  { run: { header, state }, call }: WaitingCall,
): Promise<ApprovalView> {
  const { asked } = questionOf(call, await runs.events(header.run_id))
  const asked_at = call.asked_at === undefined ? undefined : new Date(call.asked_at).toISOString()
  return {
    id: idOf(header.run_id, asked, call.id),
    kind: 'call',
    run_id: header.run_id,
    call_id: call.id,
    agent_name: header.agent_name,
    tool: call.tool,
    arguments: asJson(call.args) as JsonObject,
    asks: call.status === 'asking' ? 'approval' : 'unknown',
    ...defined({ why: call.why ?? state.ending?.end.error?.message, asked_at }),
  }
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

export function notFound(id: string): WaybillError {
  return new WaybillError('APPROVAL_NOT_FOUND', {
    fault: 'usage',
    message: `no question ${JSON.stringify(id.slice(0, 200))} is open`,
    hint: 'list the open questions with GET /v1/approvals; a call that asks again is a new question',
  })
}
