import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import { eachRun } from '../run/record/each-run.ts'
import type { LeftDecision } from '../run/record/left-decision.ts'
import type { Records, StoredRun } from '../run/record/records.ts'
import type { CallEntry } from '../run/state.ts'
import { asksPerson } from '../run/unsettled.ts'
import { leftDecisions } from './left-decisions.ts'

type Runs = Pick<Records, 'runs'>

/** A call that needs a person's decision. */
export interface WaitingCall {
  readonly run: StoredRun
  readonly call: CallEntry
  /** A decision that was already made; it takes effect when the run is resumed. */
  readonly decided?: LeftDecision
}

/** Returns the waiting calls of one run, in the order in which the model made them. */
export async function waitingCallsOf(records: Runs, run: StoredRun): Promise<readonly WaitingCall[]> {
  if (run.state.end !== null) return []
  const asking = run.state.calls.filter(asksPerson)
  if (asking.length === 0) return []
  const find = await leftDecisions(records, run.header.run_id)
  return Promise.all(asking.map(async (call) => ({ run, call, ...defined({ decided: await find(call) }) })))
}

export interface AllWaitingCalls {
  readonly calls: readonly WaitingCall[]
  /** Runs whose records cannot be read, so that it is unknown whether they wait for a person. */
  readonly damaged: readonly string[]
}

/** Returns the waiting calls of all runs, newest run first. A record that cannot be read does not hide others. */
export async function allWaitingCalls(records: Runs): Promise<AllWaitingCalls> {
  const calls: WaitingCall[] = []
  const damaged: string[] = []
  for await (const { run_id, imported, moved, damaged: why } of eachRun(records, { questions: true })) {
    if (imported || moved !== undefined) continue
    try {
      if (why === undefined) calls.push(...(await waitingCallsOf(records, await records.runs.read(run_id))))
      else damaged.push(run_id)
    } catch {
      damaged.push(run_id)
    }
  }
  return { calls, damaged }
}

/**
 * Returns the one call that a command line names.
 * @param callId a call's id or a prefix of it; may be absent if only one call waits
 * @throws APPROVAL_NOT_FOUND, APPROVAL_AMBIGUOUS
 */
export function findWaitingCall(
  calls: readonly WaitingCall[],
  runId: string,
  callId: string | undefined,
): WaitingCall {
  const exact = calls.filter(({ call }) => call.id === callId)
  const found =
    exact.length > 0 ? exact : calls.filter(({ call }) => callId === undefined || call.id.startsWith(callId))
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  if (only === undefined) {
    throw new WaybillError('APPROVAL_NOT_FOUND', {
      fault: 'usage',
      message:
        callId === undefined
          ? `no call of run ${runId} waits for a person`
          : `no waiting call of run ${runId} is named ${callId}`,
      hint: '`waybill approvals list` shows the waiting calls',
    })
  }
  throw new WaybillError('APPROVAL_AMBIGUOUS', {
    fault: 'usage',
    message: `${found.length} calls wait: ${found.map(({ call }) => `${call.id} (${call.tool})`).join(', ')}`,
    hint: 'name the call after the run',
  })
}
