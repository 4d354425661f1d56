import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { readLines } from '../../document/read-lines.ts'
import type { HandoffMessage } from '../../spec/aaif/generated/handoff-message.ts'
import type { AgentState, StateMessage } from '../../spec/aaif/generated/state.ts'
import { judgeLine } from '../../spec/aaif/validate-handoff-stream.ts'
import { SC_STANDARD } from '../../spec/aaif/vocabulary.ts'
import { StreamedHash } from './streamed-hash.ts'
import { INIT_MEMBERS, OTHER_SUBAGENTS, streamedChecksum } from './streamed-state.ts'
import { MAX_LINE_BYTES } from './write-handoff.ts'

export type HandoffInit = Extract<HandoffMessage, { readonly type: 'handoff_init' }>

/** Takes the messages of a conversation as they arrive. Awaited before the next line is read. */
export type TakeMessages = (messages: readonly StateMessage[]) => Promise<void>

export interface ReadHandoffOptions {
  /**
   * Verifies the token. Awaited before any later line is read; what it throws ends the handoff.
   * @returns what takes the conversation, which is then not a part of the returned state; absent: it is gathered
   */
  readonly verifyInit: (init: HandoffInit, about: Partial<AgentState>) => Promise<TakeMessages | undefined>
  readonly maxLineBytes?: number
  /** Of all lines; default 256 MiB. */
  readonly maxBytes?: number
  /** Of the lines that are gathered; default 256 MiB, and 64 MiB beside a conversation that is taken. */
  readonly maxHeldBytes?: number
}

export interface ReadHandoff {
  readonly state: AgentState
  /** Of the state with its conversation, as `handoff_complete` says it. */
  readonly checksum: string
}

const MAX_BYTES = 256 * 1024 * 1024
const MAX_HELD_BYTES = 64 * 1024 * 1024
/** Nesting of one line: `handoff_init` carries the states of sub-agents. */
const MAX_DEPTH = 72

/**
 * Reads a streaming handoff (AAIF §8.3) as it arrives, and returns the state that its lines form: only after
 * `handoff_complete`, with the right checksum, and at the end of the input.
 * @throws HANDOFF_FAILED for each other stream; what was gathered is discarded. STATE_CHECKSUM_MISMATCH
 */
export async function readHandoff(
  input: AsyncIterable<Uint8Array>,
  options: ReadHandoffOptions,
): Promise<ReadHandoff> {
  const gathered = new Gathered(options)
  let n = 0
  for await (const text of linesOf(input, options)) {
    n++
    await gathered.add(messageIn(text, n), n, text.length)
  }
  return gathered.result(n)
}

/** What the lines so far have brought. */
class Gathered {
  readonly #options: ReadHandoffOptions
  #init: HandoffInit | undefined
  #hash: StreamedHash | undefined
  #take: TakeMessages | undefined
  #held = 0
  #chunks = 0
  #position: Extract<HandoffMessage, { readonly type: 'pipeline_state' }> | undefined
  #complete: ReadHandoff | undefined
  readonly #conversation: unknown[] = []
  readonly #memory: unknown[] = []
  readonly #pending: unknown[] = []
  readonly #subagents: unknown[] = []

  constructor(options: ReadHandoffOptions) {
    this.#options = options
  }

  /** @param size characters of the line */
  async add(message: HandoffMessage, n: number, size: number): Promise<void> {
    if (this.#complete !== undefined) throw failed(n, 'a line follows handoff_complete', 'AAIF-8.3-13')
    if (this.#init === undefined) {
      if (message.type === 'handoff_error') throw reported(n, message)
      if (message.type !== 'handoff_init')
        throw failed(n, 'the stream does not begin with handoff_init', 'AAIF-8.3-07')
      const about = aboutOf(message)
      this.#take = await this.#options.verifyInit(message, about)
      this.#init = message
      this.#hash = new StreamedHash(about)
      return
    }
    if (message.type !== 'context_chunk' || this.#take === undefined) this.#hold(size, n)
    switch (message.type) {
      case 'handoff_init':
        throw failed(n, 'handoff_init is repeated', 'AAIF-8.3-07')
      case 'context_chunk':
        if (message.index !== this.#chunks)
          throw failed(
            n,
            `this is chunk ${message.index}, and chunk ${this.#chunks} is expected`,
            'SPEC-S-04',
          )
        this.#chunks++
        this.#hash?.add(message.messages)
        if (this.#take !== undefined) return this.#take(message.messages)
        for (const one of message.messages) this.#conversation.push(one)
        return
      case 'memory_item':
        this.#memory.push(withoutType(message))
        return
      case 'pipeline_state':
        if (this.#position !== undefined) throw failed(n, 'pipeline_state is repeated', 'AAIF-8.3-12')
        this.#position = message
        return
      case 'pending_tool':
        this.#pending.push(withoutType(message))
        return
      case 'subagent_ref':
        this.#subagents.push(withoutType(message))
        return
      case 'handoff_error':
        throw reported(n, message)
      case 'handoff_complete':
        this.#complete = this.#completed(message.checksum, n)
        return
    }
  }

  /**
   * Returns the checksums that a sender may have computed: over the state as this end builds it, or without the members
   * that no message has filled, which the sender need not have; and with the status of its run, which no message carries.
   * The first one is that of most senders; the others are computed only when they are asked for.
   */
  *#digests(state: AgentState): Generator<string> {
    const { conversation, ...filled } = withoutUnfilled(state, this.#position !== undefined)
    for (const form of [state, { ...filled, conversation }])
      for (const status of SENT_STATUSES) yield this.#hash?.digest({ ...form, status } as AgentState) ?? ''
    if (this.#chunks > 0) return
    for (const status of SENT_STATUSES) yield streamedChecksum({ ...filled, status })
  }

  #hold(size: number, n: number): void {
    const { maxHeldBytes = this.#take === undefined ? MAX_BYTES : MAX_HELD_BYTES } = this.#options
    this.#held += size
    if (this.#held > maxHeldBytes)
      throw failed(
        n,
        `its parts without the conversation have more than ${maxHeldBytes} bytes`,
        'AAIF-8.3-02',
      )
  }

  result(n: number): ReadHandoff {
    if (this.#complete !== undefined) return this.#complete
    throw failed(n, 'the stream ends without handoff_complete', 'AAIF-8.3-11')
  }

  #completed(checksum: string, n: number): ReadHandoff {
    const init = this.#init as HandoffInit & JsonObject
    const { pipeline_position = {}, variables = {}, iteration = 0 } = this.#position ?? {}
    const others = init[OTHER_SUBAGENTS]
    const state = {
      ...aboutOf(init),
      conversation: this.#conversation,
      memory_snapshot: this.#memory,
      pipeline_position,
      variables,
      iteration,
      pending_tool_calls: this.#pending,
      subagent_states: [...this.#subagents, ...(Array.isArray(others) ? others : [])],
    } as unknown as AgentState
    const said = checksum.toLowerCase()
    for (const digest of this.#digests(state)) if (digest === said) return { state, checksum: said }
    throw new WaybillError('STATE_CHECKSUM_MISMATCH', {
      at: `/${n - 1}/checksum`,
      message: 'the state that the lines form does not match the checksum of handoff_complete',
      hint: 'send the state again',
      rule: 'AAIF-8.3-10',
    })
  }
}

/** The status of a run that is handed over (AAIF §8.2 step 1); that of a stream is read as the first one. */
const SENT_STATUSES = ['migrating', 'paused'] as const

/** @param placed whether a message named the position of the run */
function withoutUnfilled(state: AgentState, placed: boolean): AgentState {
  const { pipeline_position, variables, iteration, ...others } = state
  const { memory_snapshot = [], pending_tool_calls = [], subagent_states = [], ...always } = others
  return {
    ...always,
    ...(placed && defined({ pipeline_position, variables, iteration })),
    ...(memory_snapshot.length > 0 && { memory_snapshot }),
    ...(pending_tool_calls.length > 0 && { pending_tool_calls }),
    ...(subagent_states.length > 0 && { subagent_states }),
  }
}

/** Returns the members of the state that the first line has. */
function aboutOf(given: HandoffInit): Partial<AgentState> {
  const init = given as HandoffInit & JsonObject
  const extra = Object.fromEntries(
    INIT_MEMBERS.flatMap((name) => (init[name] === undefined ? [] : [[name, init[name]]])),
  )
  return {
    ...extra,
    sc_standard: SC_STANDARD,
    state_id: init.state_id,
    agent_id: init.agent_id,
    run_id: init.run_id,
    status: 'migrating',
    provenance: { source_platform: init.source_platform },
  } as Partial<AgentState>
}

function withoutType({ type: _, ...members }: HandoffMessage): object {
  return members
}

/** Splits bytes into lines. A line that is too long is refused before all of it has arrived. */
async function* linesOf(
  input: AsyncIterable<Uint8Array>,
  { maxLineBytes = MAX_LINE_BYTES, maxBytes = MAX_BYTES }: ReadHandoffOptions,
): AsyncGenerator<string> {
  let parts: Uint8Array[] = []
  let size = 0
  let all = 0
  let n = 1
  const take = (): string => {
    const text = decoded(Buffer.concat(parts), n++)
    parts = []
    size = 0
    return text
  }
  for await (const chunk of input) {
    all += chunk.byteLength
    if (all > maxBytes) throw failed(n, `the stream has more than ${maxBytes} bytes`, 'AAIF-8.3-02')
    let from = 0
    for (let at = chunk.indexOf(LINE_FEED); ; at = chunk.indexOf(LINE_FEED, from)) {
      const to = at < 0 ? chunk.byteLength : at
      size += to - from
      if (size > maxLineBytes) throw failed(n, `the line has more than ${maxLineBytes} bytes`, 'AAIF-8.3-02')
      if (to > from) parts.push(chunk.subarray(from, to))
      if (at < 0) break
      from = at + 1
      yield take()
    }
  }
  if (size > 0) yield take()
}

const LINE_FEED = 10

function decoded(bytes: Uint8Array, n: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw failed(n, 'the line is not valid UTF-8', 'AAIF-8.3-01')
  }
}

function messageIn(text: string, n: number): HandoffMessage {
  // A line break that the splitter does not know would make two lines of one.
  const read =
    text === ''
      ? undefined
      : readLines(text, { maxDepth: MAX_DEPTH, maxLineBytes: Number.POSITIVE_INFINITY, exactNumbers: true })
  const [problem] = read?.issues?.filter(({ severity }) => severity === 'error') ?? []
  const values = read?.document?.value as readonly Json[] | undefined
  const [value] = values ?? []
  if (values === undefined || values.length !== 1 || value === undefined || !isObject(value))
    throw failed(n, problem?.message ?? 'the line is not one JSON object', 'AAIF-8.3-02')
  const [finding] = judgeLine(value).filter(({ severity }) => severity === 'error')
  if (finding !== undefined) throw failed(n, finding.message, finding.rule ?? 'AAIF-8.3-02')
  return value as unknown as HandoffMessage
}

/** The sender has given up. */
function reported(
  n: number,
  { code, message }: { readonly code: string; readonly message: string },
): WaybillError {
  return failed(n, `the sender reports ${code.slice(0, 100)}: ${message.slice(0, 300)}`, 'AAIF-8.3-08')
}

function failed(n: number, why: string, rule: string): WaybillError {
  return handoffFailed(`line ${n} of the stream: ${why}`, rule, `/${Math.max(0, n - 1)}`)
}

/** Returns the error of a stream that is refused. */
export function handoffFailed(why: string, rule: string, at?: string): WaybillError {
  return new WaybillError('HANDOFF_FAILED', {
    ...defined({ at }),
    message: `${why}; everything was discarded`,
    hint: 'begin a new stream with a new token',
    rule,
  })
}
