import { defined } from '../document/defined.ts'
import type { Json, JsonObject } from '../document/json.ts'
import type { Budget } from '../plan/operator-settings.ts'
import type { Plan } from '../plan/plan.ts'
import { approvalTimeoutAt } from '../run/decide/gate-approval.ts'
import { restoredMembers } from '../run/restored.ts'
import type { CallEntry, MemoryItem as RunMemoryItem, RunState } from '../run/state.ts'
import type {
  AgentState,
  ApprovalRequest,
  MemoryItem,
  PendingToolCall,
  PipelinePosition,
  RunError,
  SubagentState,
} from '../spec/aaif/generated/state.ts'
import { SC_STANDARD } from '../spec/aaif/vocabulary.ts'
import { withStateChecksum } from '../trust/checksum.ts'
import { type CapturedMessages, captureMessages } from './capture-messages.ts'
import { openResults } from './open-results.ts'
import { WAYBILL_MEMBER, type WaybillMember } from './waybill-member.ts'
import { withoutStackTraces } from './without-stack-traces.ts'

/** A run at one moment, with what a capture needs besides its state. */
export interface CapturedRun {
  readonly state: RunState
  readonly plan: Plan
  readonly user?: string
  readonly session?: string
  /** By definition hash, the plans of the agents that may take part. */
  readonly family: ReadonlyMap<string, Plan>
  /** By run id, the sub-agents whose runs are on record. */
  readonly children: ReadonlyMap<string, CapturedChild>
  /** Instead of those of the state, whose conversation is sent apart. */
  readonly messages?: CapturedMessages
  /** The memory items in scope that are stored outside the record of the run, without personal data. */
  readonly memory: readonly StoredItem[]
}

export interface CapturedChild {
  /** Its answer, if it has completed. */
  readonly output?: Json
  /** Its own Agent State, if its run has not ended. */
  readonly document?: AgentState
}

export interface StoredItem extends RunMemoryItem {
  readonly backend: string
}

export interface CaptureOptions {
  /** A new UUID: unique for each checkpoint (AAIF §8.1). */
  readonly stateId: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly platform: { readonly name: string; readonly version: string }
  /** Who asked for the capture. */
  readonly by?: string
  /** The run is being moved: the status is `migrating`, and the run's own status is carried. */
  readonly migrating?: true
  readonly targetPlatform?: string
  /** The signed receipts up to this state. They are not redacted: a changed line would be worthless. */
  readonly receipts?: readonly JsonObject[]
  /** Removes secrets that were not known when the run was recorded. */
  readonly redact?: (value: JsonObject) => JsonObject
}

/**
 * Returns the Agent State of a run (AAIF §8.1): a projection of its state, complete and with its checksum. The parts that
 * the format has no place for are in `x-waybill`.
 */
export function captureState(run: CapturedRun, options: CaptureOptions): AgentState {
  const { state, plan } = run
  const { at, stateId, platform, by, targetPlatform } = options
  const { conversation, carried } = run.messages ?? capturedConversation(state)
  const status = options.migrating === true ? 'migrating' : statusOf(state)
  const request = status === 'awaiting_approval' ? approvalRequest(run) : undefined
  // An item with no seconds left would never expire (AAIF §4.5).
  const lasts = ({ expires_at }: RunMemoryItem) => expires_at === null || expires_at > at
  const document: AgentState = {
    sc_standard: SC_STANDARD,
    sc_version: '3.4.0',
    state_id: stateId,
    agent_id: state.agent_id,
    run_id: state.run_id,
    ...defined({ agent_version: plan.agent_version }),
    checkpoint_at: new Date(at).toISOString(),
    status,
    iteration: state.iteration,
    ...defined({ pipeline_position: positionOf(run) }),
    conversation,
    memory_snapshot: [
      ...state.memory.filter(lasts).map((item) => memoryItem({ ...item, backend: 'in_memory' }, at)),
      ...run.memory.filter(lasts).map((item) => memoryItem(item, at)),
    ],
    pending_tool_calls: state.calls.filter(isPending).map(pendingCall),
    subagent_states: subagentStates(run),
    variables: state.variables,
    ...defined({ approval_request: request, error: errorOf(run) }),
    provenance: {
      source_platform: platform.name,
      source_runtime_version: platform.version,
      ...defined({ captured_by: by, target_platform: targetPlatform }),
    },
    [WAYBILL_MEMBER]: waybillMember(run, carried, options.migrating === true) as unknown as Json,
  }
  const { redact = (value) => value, receipts } = options
  const clean = redact(document as unknown as JsonObject)
  return withStateChecksum(withReceipts(clean, receipts)) as unknown as AgentState
}

function capturedConversation(state: RunState): CapturedMessages {
  const { conversation, carried } = captureMessages(state.messages, state.message_times)
  const open = openResults(state, conversation.length)
  return {
    conversation: [...conversation, ...open.conversation],
    carried: [...carried, ...open.carried],
  }
}

function withReceipts(document: JsonObject, receipts: CaptureOptions['receipts']): JsonObject {
  if (receipts === undefined) return document
  const member = document[WAYBILL_MEMBER] as JsonObject
  return { ...document, [WAYBILL_MEMBER]: { ...member, receipts } }
}

function waybillMember(
  run: CapturedRun,
  messages: WaybillMember['messages'],
  isMoved: boolean,
): WaybillMember {
  const { state, plan, user, session, children } = run
  const {
    iteration: _iteration,
    memory,
    variables: _variables,
    deadline_at,
    end,
    ...members
  } = restoredMembers(state)
  const documents = [...children.values()].flatMap(({ document }) =>
    document === undefined ? [] : [document],
  )
  return {
    v: 1,
    plan_hash: state.plan_hash,
    definition_hash: plan.definition_hash,
    seq: state.seq,
    ...defined({ user, session }),
    // The time since the last event was spent without a process, and does not count.
    deadline_in_ms: deadline_at === null ? null : deadline_at - state.at,
    // A fork is another run, whose budget its starter sets.
    ...(isMoved && defined({ budget: budgetOfPlan(plan) })),
    routes: plan.models.map(({ provider, provider_id, model }) => ({
      provider: provider_id ?? provider,
      model,
    })),
    messages,
    record_items: memory.map(({ scope, key, passed }) => ({ scope, key, ...defined({ passed }) })),
    run: { ...members, end: withoutEndTraces(end) },
    ...(documents.length > 0 && { documents }),
  }
}

/** The output is that of the agent, and stays as it is. */
function withoutEndTraces(end: RunState['end']): RunState['end'] {
  return end?.error === undefined ? end : { ...end, error: withoutStackTraces(end.error) }
}

function budgetOfPlan({ limits }: Plan): Budget | undefined {
  const { budget_tokens: tokens, budget_usd: usd, budget_calls: calls, budget_ms } = limits
  const seconds = budget_ms === undefined ? undefined : budget_ms / 1000
  const budget = defined({ tokens, usd, calls, seconds })
  return Object.keys(budget).length === 0 ? undefined : budget
}

function statusOf({ status, calls, attempt }: RunState): AgentState['status'] {
  switch (status) {
    case 'waiting':
      return calls.some((call) => call.status === 'asking' || call.status === 'held')
        ? 'awaiting_approval'
        : 'awaiting_tool_result'
    case 'running':
      return attempt === null && calls.some((call) => call.status === 'sent' && call.agent === undefined)
        ? 'awaiting_tool_result'
        : 'running'
    case 'paused':
    case 'completed':
      return status
    case 'failed':
    case 'refused':
    case 'cancelled':
      return 'failed'
  }
}

function isPending(call: CallEntry): boolean {
  // The topology, and not the model, calls this sub-agent: `subagent_states` has it.
  return call.status !== 'done' && (call.agent === undefined || call.tool !== call.agent.alias)
}

function pendingCall({ id, tool, args, status, asked_at }: CallEntry): PendingToolCall {
  return {
    id,
    tool_name: tool,
    arguments: args,
    status: PENDING[status as keyof typeof PENDING],
    ...(asked_at !== undefined && { submitted_at: new Date(asked_at).toISOString() }),
  }
}

const PENDING = {
  queued: 'pending',
  judging: 'pending',
  asking: 'pending',
  // The server has not made it: another host makes it, and is asked by the server then.
  input_required: 'pending',
  sent: 'in_flight',
  unknown: 'in_flight',
  held: 'awaiting_result',
} as const satisfies Record<Exclude<CallEntry['status'], 'done'>, PendingToolCall['status']>

function memoryItem(
  { scope, key, content, backend, saved_at, expires_at }: StoredItem,
  at: number,
): MemoryItem {
  return {
    scope,
    key,
    content,
    backend,
    captured_at: new Date(saved_at).toISOString(),
    ...(expires_at !== null && { ttl_remaining_seconds: Math.ceil((expires_at - at) / 1000) }),
  }
}

function positionOf({ state, plan }: CapturedRun): PipelinePosition | undefined {
  const { stage, calls } = state
  const { orchestration } = plan
  if (stage === null || orchestration === undefined) return undefined
  const current = calls.find((call) => call.status !== 'done')?.agent?.alias
  if (stage.type !== 'pipeline')
    return {
      current_step: stage.type === 'swarm' ? stage.phase : stage.type,
      ...defined({ current_subagent: current }),
    }
  const { steps } = orchestration
  return {
    current_step: steps[stage.step] ?? '',
    completed_steps: steps.slice(0, stage.step),
    remaining_steps: steps.slice(stage.step + 1),
    ...defined({ current_subagent: current }),
  }
}

/** Summarises every sub-agent: those that were called, and those that may still be called (AAIF §8.1). */
function subagentStates({ state, plan, family, children }: CapturedRun): readonly SubagentState[] {
  const called = new Map<string, SubagentState>()
  const agentIds = new Map(
    plan.subagents.flatMap(({ alias, agent }) => {
      const found = agent === undefined ? undefined : family.get(agent)
      return found === undefined ? [] : [[alias, found.agent_id] as const]
    }),
  )
  for (const { alias, run_id, status } of state.agents.toArray()) {
    const agent_id = agentIds.get(alias)
    if (agent_id === undefined) continue
    const { output } = children.get(run_id) ?? {}
    called.set(alias, {
      alias,
      agent_id,
      status: status === 'completed' ? 'completed' : 'failed',
      ...defined({ output }),
    })
  }
  for (const call of state.calls) {
    const { agent } = call
    if (agent === undefined) continue
    const agent_id = family.get(agent.definition)?.agent_id
    if (agent_id === undefined) continue
    const { document } = children.get(agent.run_id) ?? {}
    called.set(agent.alias, {
      alias: agent.alias,
      agent_id,
      ...(document !== undefined && { state_id: document.state_id }),
      status: subagentStatus(call, document),
      ...(call.status === 'done' && call.error !== true && { output: call.result ?? null }),
    })
  }
  for (const [alias, agent_id] of agentIds)
    if (!called.has(alias)) called.set(alias, { alias, agent_id, status: 'pending' })
  return [...called.values()]
}

function subagentStatus(
  call: CallEntry,
  document: AgentState | undefined,
): NonNullable<SubagentState['status']> {
  if (call.status === 'done') return call.error === true ? 'failed' : 'completed'
  if (call.status === 'queued' || document === undefined) return 'pending'
  return document.status === 'running' || document.status === 'awaiting_tool_result' ? 'running' : 'paused'
}

/** Returns the first question to a person; that of a sub-agent if this agent only waits for it. */
function approvalRequest({ state, plan, children }: CapturedRun): ApprovalRequest {
  const asking = state.calls.find((call) => call.status === 'asking')
  if (asking === undefined) {
    const held = state.calls.find((call) => call.status === 'held')
    const below = children.get(held?.agent?.run_id ?? '')?.document?.approval_request
    return {
      ...below,
      trigger_description: `the sub-agent ${held?.agent?.alias}: ${below?.trigger_description ?? 'waits for a person'}`,
    }
  }
  const timeout = approvalTimeoutAt({ plan }, asking)
  const reason = plan.tools.find(({ name }) => name === asking.tool)?.reason
  return {
    trigger_description: asking.why ?? reason ?? 'a person must approve this call',
    pending_action: { tool_name: asking.tool, arguments: asking.args },
    ...(asking.asked_at !== undefined && { requested_at: new Date(asking.asked_at).toISOString() }),
    ...(timeout !== null && { timeout_at: new Date(timeout).toISOString() }),
  }
}

function errorOf(run: CapturedRun): RunError | undefined {
  const { state } = run
  const { end, at } = state
  if (end === null || end.status === 'completed') return undefined
  return {
    code: end.error?.code ?? end.status.toUpperCase(),
    message: withoutStackTraces(end.error?.message ?? `the run was ${end.status}`),
    ...defined({ step: failedIn(run) }),
    occurred_at: new Date(at).toISOString(),
    retries_remaining: 0,
  }
}

/**
 * Returns the step of the pipeline, or the tool in whose round of calls the run has ended; undefined if it was neither, for
 * example a limit or a model.
 */
function failedIn(run: CapturedRun): string | undefined {
  const { stage, calls } = run.state
  if (stage !== null) return stage.type === 'pipeline' ? positionOf(run)?.current_step : undefined
  return (calls.findLast(({ status }) => status !== 'done') ?? calls.at(-1))?.tool
}
