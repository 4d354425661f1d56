import type { Program } from '../../plan/plan.ts'
import { namedByUser } from '../decide/taint.ts'
import type { Fact } from '../event.ts'
import { memoryAct } from '../kept-items.ts'
import { toArray } from '../log.ts'
import { exceeded, type RunSlots, type TakeSlot } from '../record/run-slots.ts'
import type { AgentRecords } from '../record-port.ts'
import { type AgentCall, type CallEntry, initialState, type Message, type RunState } from '../state.ts'
import { endHookDue } from './call-hook.ts'
import { type Control, type DriveOptions, type DrivePorts, drive } from './drive.ts'
import { memoryToPass } from './drive-memory.ts'

/**
 * Lets a run drive the runs of its sub-agents, and those theirs: each has its own plan, record and limits, and the
 * same world. Sub-agents do not stream: what a person reads is what the agent that was asked says.
 */
export function withAgents(
  program: Program,
  ports: Omit<DrivePorts, 'agents'>,
  records: AgentRecords,
  options: Pick<DriveOptions, 'onEvent' | 'drainMs'> & { readonly slots?: RunSlots } = {},
): DrivePorts {
  // Who called whom, by run: an agent that calls itself must not wait for itself.
  const lines = new Map<string, readonly RunOf[]>()
  const all: DrivePorts = {
    ...ports,
    agents: async (call, parent, { control, signal, trace_parent }) => {
      const { agent } = call
      const own = agent === undefined ? undefined : program.family.get(agent.definition)
      if (agent === undefined || own === undefined) throw new Error(`the plan of ${call.tool} is missing`)
      const above = lines.get(parent.run_id) ?? [{ agent_id: parent.agent_id, run_id: parent.run_id }]
      lines.set(agent.run_id, [...above, { agent_id: own.plan.agent_id, run_id: agent.run_id }])
      const limit = own.plan.limits.concurrency ?? Number.POSITIVE_INFINITY
      const same = above.filter(({ agent_id }) => agent_id === own.plan.agent_id).length
      if (same >= limit && !own.plan.rehearsal) throw exceeded(own.plan, limit)
      const release = await slotFor(own, options.slots, above, signal, control)
      if (release === null) return null
      const record = records.open(agent, call, parent, own)
      try {
        const state =
          record.state.end === null || endHookDue(own.plan, record.state) !== null
            ? await drive(
                own,
                record.state,
                await firstFact(agent, parent, record.state, program, all, trace_parent),
                { ...all, sink: record.sink },
                { ...options, control },
              )
            : record.state
        return outcomeOf(call, state)
      } finally {
        record.close()
        release()
      }
    },
  }
  return all
}

type RunOf = NonNullable<TakeSlot['above']>[number]

/** @returns null when the caller was stopped while this waited */
async function slotFor(
  program: Program,
  slots: RunSlots | undefined,
  above: readonly RunOf[],
  signal: AbortSignal,
  control: (control: Control) => void,
): Promise<(() => void) | null> {
  if (slots === undefined) return () => {}
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  control({ pause: stop, cancel: stop, tell: () => {} })
  try {
    return await slots.take(program.plan, { above, signal: AbortSignal.any([signal, stopped.signal]) })
  } catch (error) {
    if (signal.aborted || stopped.signal.aborted) return null
    throw error
  }
}

async function firstFact(
  agent: AgentCall,
  parent: RunState,
  state: RunState,
  program: Program,
  ports: DrivePorts,
  trace_parent: string,
): Promise<Fact> {
  if (state.seq > 0) return { type: 'run.resumed', by: 'its parent' }
  const own = [program, ...program.family.values()].find(({ hash }) => hash === parent.plan_hash)
  const memory =
    agent.memory === undefined || own === undefined
      ? undefined
      : await memoryToPass(own.plan, parent, agent.memory, ports)
  const named = namedByUser(parent)
  return {
    type: 'run.started',
    input: agent.input,
    limits: agent.limits,
    depth: parent.depth + 1,
    ...(named.length > 0 && { named }),
    trace_parent,
    ...(parent.trace_state !== null && { trace_state: parent.trace_state }),
    ...(agent.pass_context && { history: contextToPass(toArray(parent.messages), own) }),
    ...(memory !== undefined && { memory }),
  }
}

/**
 * The conversation without what it was told from memory: with the context alone no item may cross to another agent
 * (AAIF §4.3: `pass_memory` decides that).
 */
function contextToPass(messages: readonly Message[], own: Program | undefined): readonly Message[] {
  return messages.flatMap((message): readonly Message[] => {
    if (message.role === 'user' && message.recalled !== undefined) return []
    if (message.role === 'tool' && memoryAct(own?.tool.get(message.tool)) === 'search')
      return [{ ...message, result: 'left out: what was remembered stays with the agent that looked for it' }]
    return [message]
  })
}

function outcomeOf(call: CallEntry, state: RunState): Fact | null {
  const { end, totals } = state
  if (end === null) return state.status === 'waiting' ? { type: 'call.held', call_id: call.id } : null
  const latency_ms = totals.duration_ms
  if (end.status === 'completed') {
    return { type: 'call.answered', call_id: call.id, result: end.output ?? null, latency_ms, usage: totals }
  }
  return {
    type: 'call.failed',
    call_id: call.id,
    code: end.error?.code ?? end.status.toUpperCase(),
    message: end.error?.message ?? `it ended as ${end.status}`,
    outcome: 'answered',
    latency_ms,
    usage: totals,
  }
}

/** Records that live as long as the process: for runs that nobody asked to keep. */
export function recordsInMemory(): AgentRecords {
  return {
    open: (agent, _call, _parent, program) => ({
      state: initialState(agent.run_id, program.plan.agent_id, program.hash),
      sink: { append: () => {} },
      close: () => {},
    }),
  }
}
