import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Program } from '../../plan/plan.ts'
import { effectsText } from '../decide/interrupt-turn.ts'
import { limitsAtStart } from '../decide/shares.ts'
import { userNamedDestinations } from '../decide/taint.ts'
import type { Fact } from '../event.ts'
import { memoryAct } from '../kept-items.ts'
import { originCallsOf } from '../origin-calls.ts'
import { concurrencyExceeded } from '../record/record-errors.ts'
import type { FirstFact, Later } from '../record/records.ts'
import { withCopied } from '../record/with-copied.ts'
import { type AgentRecord, type AgentRecords, RecordFailure } from '../record-port.ts'
import type { SlotRun, Slots } from '../slot-port.ts'
import type { AgentCall, CallEntry, Message, RunEnd, RunState } from '../state.ts'
import { isFinished } from './call-hook.ts'
import { cleanFirst } from './clean-first.ts'
import { driveBelow } from './drive.ts'
import { memoryToPass } from './drive-memory.ts'
import type { Control, DriveOptions, DrivePorts } from './drive-ports.ts'

/**
 * Adds a port that drives the runs of sub-agents, and of their sub-agents: each has its own plan, record and
 * limits, and the same adapters. Sub-agents do not stream; only the text of the called agent is shown.
 */
export function withAgents(
  program: Program,
  ports: Omit<DrivePorts, 'agents'>,
  records: AgentRecords,
  options: Pick<DriveOptions, 'onEvent' | 'drainMs'> & {
    readonly slots?: Slots
    /** Returns the ports of a sub-agent's run that differ from those of the root's. Default: none. */
    readonly portsOf?: (runId: string) => Partial<Omit<DrivePorts, 'agents' | 'sink'>>
  } = {},
): DrivePorts {
  // By run id, the chain of its callers: an agent that calls itself must not wait for itself.
  const lines = new Map<string, readonly SlotRun[]>()
  const all: DrivePorts = {
    ...ports,
    agents: async (call, parent, { cancelled, control, signal, trace_parent }) => {
      const { agent } = call
      const own = agent === undefined ? undefined : program.family.get(agent.definition)
      if (agent === undefined || own === undefined) throw new Error(`the plan of ${call.tool} is missing`)
      const above = lines.get(parent.run_id) ?? [{ agent: parent.agent_id, run_id: parent.run_id }]
      lines.set(agent.run_id, [...above, { agent: own.plan.agent_id, run_id: agent.run_id }])
      const limit = own.plan.limits.concurrency ?? Number.POSITIVE_INFINITY
      const same = above.filter((run) => run.agent === own.plan.agent_id).length
      const slot =
        !cancelled && same >= limit && !own.plan.rehearsal
          ? concurrencyExceeded({ agent_name: own.plan.agent_name, limit })
          : // A run that is driven only to be cancelled does no work that the limit is for.
            await slotFor(own, agent.run_id, cancelled ? undefined : options.slots, above, signal, control)
      if (slot === null) return null
      const refused = slot instanceof WaybillError
      // A run that had begun may have a write in flight, so it is cancelled, which settles its calls.
      if (refused && !(await hasBegun(records, agent.run_id))) return notStarted(call, slot)
      const release = refused ? () => {} : slot
      const begin = async () =>
        cleanFirst(await firstFact(agent, parent, program, all, trace_parent), own, agent.run_id, all)
      const record = await openRecord(() => records.open(agent, call, parent, own, begin), release)
      try {
        const state = isFinished(own.plan, record.state)
          ? record.state
          : await driveBelow(
              own,
              record.state,
              firstFacts(record, cancelled || refused ? stopFact(parent) : null),
              { ...all, ...options.portsOf?.(agent.run_id), sink: record.sink },
              { ...options, control, signal },
            )
        return outcomeOf(call, state)
      } finally {
        await record.close()
        await release()
      }
    },
  }
  return all
}

async function hasBegun(records: AgentRecords, runId: string): Promise<boolean> {
  try {
    return (await records.has?.(runId)) === true
  } catch (error) {
    throw new RecordFailure(error)
  }
}

async function openRecord(open: () => Later<AgentRecord>, release: () => Later<void>): Promise<AgentRecord> {
  try {
    return await open()
  } catch (error) {
    await release()
    throw new RecordFailure(error)
  }
}

/**
 * Returns the facts that start or resume a sub-agent's run; a run that was cancelled meanwhile only settles its
 * calls.
 */
function firstFacts({ state, first, copied }: AgentRecord, stop: Fact | null): readonly Fact[] {
  return withCopied(state, copied, ownFacts(state, first, stop))
}

function ownFacts({ seq }: RunState, first: FirstFact, stop: Fact | null): readonly [Fact, ...Fact[]] {
  const begun = seq > 0
  const next: Fact = begun ? { type: 'run.resumed', by: PARENT } : first
  if (stop === null) return [next]
  if (!begun) return [next, stop]
  return stop.type === 'run.cancelled' ? [stop, next] : [stop]
}

/** Returns the fact that stops the run of a sub-agent. */
function stopFact({ ending }: RunState): Fact {
  return ending?.superseded === undefined
    ? { type: 'run.cancelled', by: PARENT }
    : { type: 'turn.interrupted', by: PARENT, how: 'interrupt' }
}

const PARENT = 'its parent'

/** Returns the failure of a sub-agent whose run may not start. */
function notStarted(call: CallEntry, { code, message }: WaybillError): Fact {
  return { type: 'call.failed', call_id: call.id, code, message, outcome: 'unsent', latency_ms: 0 }
}

/**
 * @returns a function that releases the slot; the error if no slot is available; null if the caller was stopped
 * while waiting
 */
async function slotFor(
  program: Program,
  run_id: string,
  slots: Slots | undefined,
  above: readonly SlotRun[],
  signal: AbortSignal,
  control: (control: Control) => void,
): Promise<(() => Later<void>) | WaybillError | null> {
  if (slots === undefined) return () => {}
  const stopped = new AbortController()
  let cancelled = false
  const cancel = () => {
    cancelled = true
    stopped.abort()
  }
  control({
    pause: () => stopped.abort(),
    cancel,
    interrupt: cancel,
    steer: () => {},
    submit: () => {},
  })
  try {
    return await slots.take(program.plan, {
      run_id,
      above,
      signal: AbortSignal.any([signal, stopped.signal]),
    })
  } catch (error) {
    // The run may have begun before, so only the run itself knows how it ends.
    if (cancelled) return () => {}
    if (signal.aborted || stopped.signal.aborted) return null
    if (error instanceof WaybillError) return error
    throw error
  }
}

async function firstFact(
  agent: AgentCall,
  parent: RunState,
  program: Program,
  ports: DrivePorts,
  trace_parent: string,
): Promise<FirstFact> {
  const own = [...program.family.values()].find(({ hash }) => hash === parent.plan_hash)
  const memory =
    agent.memory === undefined || own === undefined
      ? undefined
      : await memoryToPass(own.plan, parent, agent.memory, ports)
  const named = userNamedDestinations(parent)
  const sent_by_origin = originCallsOf(parent, agent.alias)
  return {
    type: 'run.started',
    input: agent.input,
    limits: limitsAtStart(agent, parent),
    depth: parent.depth + 1,
    ...(named.length > 0 && { named }),
    ...(parent.withheld === true && { withheld: true as const }),
    ...defined({ copied: parent.copied }),
    ...(sent_by_origin.length > 0 && { sent_by_origin }),
    ...defined({ denied: parent.denied }),
    trace_parent,
    ...(parent.trace_state !== null && { trace_state: parent.trace_state }),
    ...(agent.pass_context && { history: contextToPass(parent.messages.toArray(), own) }),
    ...defined({ memory }),
  }
}

/**
 * Returns the conversation without memory items: items are passed to another agent only by `pass_memory` (AAIF
 * §4.3).
 */
function contextToPass(messages: readonly Message[], own: Program | undefined): readonly Message[] {
  return messages.flatMap((message): readonly Message[] => {
    if (message.role === 'user' && message.recalled !== undefined) return []
    if (message.role === 'tool' && memoryAct(own?.tool.get(message.tool)) === 'search')
      return [{ ...message, result: 'left out: memory items are not passed to another agent' }]
    return [message]
  })
}

function outcomeOf(call: CallEntry, state: RunState): Fact | null {
  const { end, totals } = state
  const denied = defined({ denied: state.denied })
  if (end === null) return state.status === 'waiting' ? { type: 'call.held', call_id: call.id } : null
  const latency_ms = totals.duration_ms
  if (end.status === 'completed') {
    return {
      type: 'call.answered',
      call_id: call.id,
      result: end.output ?? null,
      latency_ms,
      usage: totals,
      ...denied,
    }
  }
  return {
    type: 'call.failed',
    call_id: call.id,
    code: end.error?.code ?? (end.status === 'cancelled' ? 'CANCELLED' : 'SUBAGENT_FAILED'),
    message: failureText(state, end),
    outcome: 'answered',
    latency_ms,
    usage: totals,
    ...denied,
  }
}

/** The caller of an interrupted sub-agent gets its effects, because it may never get its answer. */
function failureText({ sent }: RunState, { status, error }: RunEnd): string {
  const message = error?.message ?? `it ended as ${status}`
  return error?.code === 'TURN_INTERRUPTED' && sent.length > 0 ? `${message}\n${effectsText(sent)}` : message
}
