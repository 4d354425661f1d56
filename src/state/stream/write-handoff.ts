import { WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import type { AgentState, StateMessage } from '../../spec/aaif/generated/state.ts'
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
const CHUNK_CHARACTERS = 64 * 1024

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
  { token, chunkMessages }: WriteHandoffOptions,
): Generator<string> {
  const state = streamedState(document)
  const chunks = new ChunkLines(chunkMessages)
  yield firstLine(state, token)
  yield* chunks.add(state.conversation ?? [])
  yield* chunks.end()
  yield* lastLines(state, streamedChecksum(state))
}

/**
 * Yields the same lines for a state whose conversation is read while it is sent.
 * @param state as {@link streamedState} returns it, without messages
 * @param checksum of the state with its conversation
 */
export async function* sendHandoff(
  state: AgentState,
  conversation: AsyncIterable<readonly StateMessage[]>,
  { token, checksum }: { readonly token: string; readonly checksum: string },
): AsyncGenerator<string> {
  const chunks = new ChunkLines()
  yield firstLine(state, token)
  for await (const messages of conversation) yield* chunks.add(messages)
  yield* chunks.end()
  yield* lastLines(state, checksum)
}

/** Returns the line that ends a stream that cannot be completed: the receiver discards everything. */
export function handoffError(code: string, message: string): string {
  return line({ type: 'handoff_error', code, message })
}

function firstLine(state: AgentState, token: string): string {
  const { state_id, agent_id, run_id, provenance } = state
  const { others } = subagentsOf(state)
  return line({
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
}

function* lastLines(state: AgentState, checksum: string): Generator<string> {
  const { pipeline_position, variables, iteration } = state
  for (const item of state.memory_snapshot ?? []) yield line({ type: 'memory_item', ...asObject(item) })
  yield line({
    type: 'pipeline_state',
    pipeline_position: asObject(pipeline_position),
    variables: asObject(variables),
    iteration: iteration ?? 0,
  })
  for (const call of state.pending_tool_calls ?? []) yield line({ type: 'pending_tool', ...asObject(call) })
  for (const agent of subagentsOf(state).withState) yield line({ type: 'subagent_ref', ...asObject(agent) })
  yield line({ type: 'handoff_complete', checksum })
}

/** Gathers messages to lines of a similar size. */
class ChunkLines {
  readonly #most: number
  /** The messages of the next line, as JSON. */
  #texts: string[] = []
  #size = 0
  #index = 0

  constructor(most = CHUNK_MESSAGES) {
    this.#most = most
  }

  *add(messages: readonly StateMessage[]): Generator<string> {
    for (const message of messages) {
      const text = JSON.stringify(message)
      const isFull = this.#texts.length >= this.#most || this.#size + text.length > CHUNK_CHARACTERS
      if (this.#texts.length > 0 && isFull) yield this.#next()
      this.#texts.push(text)
      this.#size += text.length
    }
  }

  *end(): Generator<string> {
    if (this.#texts.length > 0) yield this.#next()
  }

  #next(): string {
    const text = `{"type":"context_chunk","index":${this.#index++},"messages":[${this.#texts.join(',')}]}`
    this.#texts = []
    this.#size = 0
    return withBreak(text, 'context_chunk')
  }
}

function asObject(value: unknown): JsonObject {
  return value as JsonObject
}

function line(message: JsonObject): string {
  return withBreak(JSON.stringify(message), String(message.type))
}

function withBreak(text: string, type: string): string {
  if (text.length * 3 <= MAX_LINE_BYTES || Buffer.byteLength(text) <= MAX_LINE_BYTES) return `${text}\n`
  throw new WaybillError('STATE_NOT_STREAMABLE', {
    message: `a message of type ${type} has more than ${MAX_LINE_BYTES} bytes`,
    hint: 'move the run as a document: --method document',
    rule: 'AAIF-8.3-02',
  })
}
