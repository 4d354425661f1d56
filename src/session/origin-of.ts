import { apply } from '../run/apply.ts'
import { initialState } from '../run/initial-state.ts'
import type { Records } from '../run/record/records.ts'
import type { CallEntry, OriginCall, RunState } from '../run/state.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import { readWaybillMember } from '../state/read-waybill-member.ts'
import type { OriginAnswer } from '../state/restore-calls.ts'
import type { Origin } from '../state/restore-options.ts'

/**
 * Reads what happened in the captured run and its sub-agents after a capture, if their records are here: a fork must not
 * send again what they have sent.
 */
export async function originOf(
  records: Pick<Records, 'runs'>,
  document: AgentState,
): Promise<Origin | undefined> {
  const { member } = readWaybillMember(document)
  const { run_id } = document
  if (member === undefined || run_id === undefined || !(await records.runs.has(run_id))) return undefined
  const ledger = await ledgerOf(records, run_id, member.seq)
  const children = new Map<string, Origin>()
  for (const child of member.documents ?? []) {
    const origin = await originOf(records, child)
    if (origin !== undefined && child.run_id !== undefined) children.set(child.run_id, origin)
  }
  const sentLater: OriginCall[] = []
  for (const call of ledger.calls.values()) {
    const { agent } = call
    if (agent !== undefined) {
      // A sub-agent that is in the state has an origin of its own; another one starts from the beginning.
      if (ledger.before.get(call.key) !== 'done' && !children.has(agent.run_id))
        sentLater.push(...below(agent.alias, await sentBy(records, agent.run_id)))
    } else if (isWrite(call) && ledger.sent.has(call.key) && !ledger.before.has(call.key))
      sentLater.push(originCall([], call))
  }
  return {
    answer: (key) => answerOf(ledger, key),
    sentLater,
    child: (runId) => children.get(runId),
  }
}

/** Returns all writes that a run and its sub-agents have sent. */
async function sentBy(records: Pick<Records, 'runs'>, runId: string): Promise<readonly OriginCall[]> {
  if (!(await records.runs.has(runId))) return []
  const { calls, sent } = await ledgerOf(records, runId, 0)
  const all: OriginCall[] = []
  for (const call of calls.values()) {
    if (call.agent !== undefined)
      all.push(...below(call.agent.alias, await sentBy(records, call.agent.run_id)))
    else if (isWrite(call) && sent.has(call.key)) all.push(originCall([], call))
  }
  return all
}

/**
 * Returns the idempotent writes that a run and its sub-agents have sent, without their answers: a new run with the same
 * input sends them again, with the same keys.
 */
export async function repeatableWrites(
  records: Pick<Records, 'runs'>,
  runId: string,
): Promise<readonly OriginCall[]> {
  const sent = await sentBy(records, runId)
  return sent
    .filter(({ idempotent }) => idempotent === true)
    .map(({ result: _result, error: _error, ...call }) => call)
}

function below(alias: string, calls: readonly OriginCall[]): readonly OriginCall[] {
  return calls.map((call) => ({ ...call, path: [alias, ...call.path] }))
}

interface Ledger {
  /** By key, each call as it was last seen. */
  readonly calls: ReadonlyMap<string, CallEntry>
  /** The keys of the calls that were sent. */
  readonly sent: ReadonlySet<string>
  /** By key, the status of the calls that the captured state knows. */
  readonly before: ReadonlyMap<string, CallEntry['status']>
}

async function ledgerOf({ runs }: Pick<Records, 'runs'>, runId: string, seq: number): Promise<Ledger> {
  const { header } = await runs.listed(runId)
  const calls = new Map<string, CallEntry>()
  const sent = new Set<string>()
  const before = new Map<string, CallEntry['status']>()
  let state: RunState = initialState(runId, header?.agent_id ?? '', header?.plan_hash ?? '')
  for (const event of await runs.events(runId)) {
    const next = apply(state, event)
    const seen = [
      ...(next.calls === state.calls ? [] : next.calls),
      ...(next.sent === state.sent ? [] : next.sent),
    ]
    for (const call of seen) {
      calls.set(call.key, call)
      if (event.seq <= seq) before.set(call.key, call.status)
    }
    if (next.sent !== state.sent) for (const { key } of next.sent) sent.add(key)
    state = next
  }
  return { calls, sent, before }
}

/** An idempotent write counts as well: sent again under another key, it would be made twice. */
function isWrite({ effect, by_origin }: CallEntry): boolean {
  return effect !== 'none' && by_origin !== true
}

function answerOf({ calls, sent }: Ledger, key: string): OriginAnswer | undefined {
  const call = calls.get(key)
  if (call === undefined) return undefined
  // The server has not made a call that it asks about.
  if (call.status === 'input_required') return { sent: false }
  return { sent: sent.has(key), ...(sent.has(key) && resultOf(call)) }
}

function originCall(path: readonly string[], call: CallEntry): OriginCall {
  const { tool, args, key, effect } = call
  return {
    ...{ path, tool, args, key },
    ...(effect === 'idempotent' && { idempotent: true as const }),
    ...resultOf(call),
  }
}

/** A call that was closed without an answer may have taken effect. */
function resultOf({ status, result, error, unsettled }: CallEntry): Pick<OriginCall, 'result' | 'error'> {
  if (status !== 'done' || unsettled === true) return {}
  return { result: result ?? null, ...(error === true && { error }) }
}
