import type { Finding } from '../../../document/finding.ts'
import type { Schema } from '../../schema-builder.ts'
import type { AgentState } from '../generated/state.ts'
import { stateSchema } from '../state.schema.ts'
import { checkExtensionNames } from './extensions.ts'
import { checkAddress, checkTime, checkUuid, isTime } from './format-checks.ts'
import { checkScVersion } from './unusual-values.ts'

/** Warns about a state that awaits approval without a description and a time limit (§8.1); the schema demands neither. */
export function* checkApprovalRequest({ status, approval_request }: AgentState): Iterable<Finding> {
  const rule = 'AAIF-8.1-12'
  if (approval_request === undefined) {
    if (status !== 'awaiting_approval') return
    yield {
      severity: 'warning',
      code: 'APPROVAL_REQUEST_MISSING',
      pointer: '/approval_request',
      mark: 'parent',
      message: 'the run awaits approval, but approval_request is missing',
      hint: 'add "approval_request" with "trigger_description" and "timeout_at"',
      rule,
    }
    return
  }
  for (const member of ['trigger_description', 'timeout_at'] as const) {
    if (status === 'awaiting_approval' && approval_request[member] === undefined)
      yield incomplete(`/approval_request/${member}`, rule)
  }
}

/** Warns about a failed state without an error (§8.1); the schema does not demand it. */
export function* checkError({ status, error }: AgentState): Iterable<Finding> {
  const rule = 'AAIF-8.1-13'
  if (error === undefined) {
    if (status !== 'failed') return
    yield {
      severity: 'warning',
      code: 'ERROR_MISSING',
      pointer: '/error',
      mark: 'parent',
      message: 'the run failed, but error is missing',
      hint: 'add "error" with "code", "message", "step" and "retries_remaining"',
      rule,
    }
    return
  }
  // A run that a limit has ended was in no step and in no tool.
  for (const member of ['code', 'message', 'retries_remaining'] as const) {
    if (status === 'failed' && error[member] === undefined) yield incomplete(`/error/${member}`, rule)
  }
}

function incomplete(pointer: string, rule: string): Finding {
  const [, block, member] = pointer.split('/')
  return {
    severity: 'warning',
    code: 'STATUS_DETAIL_MISSING',
    pointer,
    mark: 'parent',
    message: `${block} has no ${member}`,
    hint: `add "${member}"; readers require it`,
    rule,
  }
}

export function* checkStateFormats(state: AgentState): Iterable<Finding> {
  for (const member of ['state_id', 'agent_id', 'run_id'] as const) {
    yield* checkUuid(`/${member}`, state[member])
  }
  yield* checkTime('/checkpoint_at', state.checkpoint_at)
  for (const [index, { timestamp }] of (state.conversation ?? []).entries()) {
    yield* checkTime(`/conversation/${index}/timestamp`, timestamp)
  }
  for (const [index, { captured_at }] of (state.memory_snapshot ?? []).entries()) {
    yield* checkTime(`/memory_snapshot/${index}/captured_at`, captured_at)
  }
  for (const [index, { submitted_at, callback_url }] of (state.pending_tool_calls ?? []).entries()) {
    yield* checkTime(`/pending_tool_calls/${index}/submitted_at`, submitted_at)
    yield* checkAddress(`/pending_tool_calls/${index}/callback_url`, callback_url)
  }
  for (const [index, { agent_id, state_id }] of (state.subagent_states ?? []).entries()) {
    yield* checkUuid(`/subagent_states/${index}/agent_id`, agent_id)
    yield* checkUuid(`/subagent_states/${index}/state_id`, state_id)
  }
  yield* checkTime('/approval_request/requested_at', state.approval_request?.requested_at)
  yield* checkTime('/approval_request/timeout_at', state.approval_request?.timeout_at)
  yield* checkTime('/error/occurred_at', state.error?.occurred_at)
}

/** Checks that checkpoint_at is in UTC, so that the states of a run can be sorted as text (§8.1). */
export function* checkUtc({ checkpoint_at }: AgentState): Iterable<Finding> {
  if (!isTime(checkpoint_at) || /(?:[Zz]|[+-]00:00)$/.test(checkpoint_at)) return
  yield {
    severity: 'warning',
    code: 'TIME_NOT_UTC',
    pointer: '/checkpoint_at',
    message: 'checkpoint_at is not in UTC',
    hint: `write ${new Date(checkpoint_at).toISOString()}`,
    rule: 'AAIF-8.1-03',
  }
}

/** Warns about a version of the format that this product does not know. */
export function checkStateVersion(state: AgentState): Iterable<Finding> {
  return checkScVersion(state, 'SPEC-Q-10')
}

const MEMBERS: ReadonlySet<string> = new Set(Object.keys((stateSchema as Schema).properties as object))

export function checkStateExtensions(state: AgentState): Iterable<Finding> {
  return checkExtensionNames(state, MEMBERS)
}
