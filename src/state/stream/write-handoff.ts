import { WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import {
  INIT_MEMBERS,
  OTHER_SUBAGENTS,
  streamedChecksum,
  streamedState,
  subagentsOf,
} from './streamed-state.ts'

/** The longest line, in bytes, of both ends. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024

/** Messages of one chunk, and roughly its characters: a chunk is a unit of back-pressure. */
const CHUNK_MESSAGES = 100
const CHUNK_CHARACTERS = 256 * 1024

export interface WriteHandoffOptions {
  readonly token: string
  /** Messages of one chunk at most; default 100. */
  readonly chunkMessages?: number
}

/**
 * Yields the lines of a streaming handoff (AAIF §8.3), each with its line break.
 * @throws STATE_NOT_STREAMABLE if a line would be longer than receivers accept
 */
export function* writeHandoff(
  document: AgentState,
  { token, chunkMessages = CHUNK_MESSAGES }: WriteHandoffOptions,
): Generator<string> {
  const state = streamedState(document)
  const { withState, others } = subagentsOf(state)
  const { state_id, agent_id, run_id, provenance, pipeline_position, variables, iteration } = state
  yield line({
    type: 'handoff_init',
    state_id,
    agent_id,
    run_id: run_id as Json,
    source_platform: provenance?.source_platform ?? '',
    migration_token: token,
    ...Object.fromEntries(
      INIT_MEMBERS.flatMap((name) => (state[name] === undefined ? [] : [[name, state[name] as Json]])),
    ),
    ...(others.length > 0 && { [OTHER_SUBAGENTS]: others as unknown as Json }),
  })
  let index = 0
  for (const messages of chunks(state.conversation ?? [], chunkMessages))
    yield line({ type: 'context_chunk', index: index++, messages: messages as unknown as Json })
  for (const item of state.memory_snapshot ?? []) yield line({ type: 'memory_item', ...asObject(item) })
  yield line({
    type: 'pipeline_state',
    pipeline_position: asObject(pipeline_position),
    variables: asObject(variables),
    iteration: iteration ?? 0,
  })
  for (const call of state.pending_tool_calls ?? []) yield line({ type: 'pending_tool', ...asObject(call) })
  for (const agent of withState) yield line({ type: 'subagent_ref', ...asObject(agent) })
  yield line({ type: 'handoff_complete', checksum: streamedChecksum(state) })
}

/** Returns the line that ends a stream that cannot be completed: the receiver discards everything. */
export function handoffError(code: string, message: string): string {
  return line({ type: 'handoff_error', code, message })
}

function* chunks<T>(messages: readonly T[], most: number): Generator<readonly T[]> {
  let chunk: T[] = []
  let size = 0
  for (const message of messages) {
    const length = JSON.stringify(message).length
    if (chunk.length > 0 && (chunk.length >= most || size + length > CHUNK_CHARACTERS)) {
      yield chunk
      chunk = []
      size = 0
    }
    chunk.push(message)
    size += length
  }
  if (chunk.length > 0) yield chunk
}

function asObject(value: unknown): JsonObject {
  return value as JsonObject
}

function line(message: JsonObject): string {
  const text = JSON.stringify(message)
  if (Buffer.byteLength(text) <= MAX_LINE_BYTES) return `${text}\n`
  throw new WaybillError('STATE_NOT_STREAMABLE', {
    message: `a message of type ${String(message.type)} has more than ${MAX_LINE_BYTES} bytes`,
    hint: 'move the run as a document: --method document',
    rule: 'AAIF-8.3-02',
  })
}
