import { messageTokens } from '../run/decide/prompt-tokens.ts'
import type { RunEvent } from '../run/event.ts'
import { type Cut, OutlineFold, survives } from '../run/record/outline-fold.ts'
import type { RunHeader } from '../run/record/run-header.ts'
import type { RunState } from '../run/state.ts'
import type { StateMessage } from '../spec/aaif/generated/state.ts'
import { type CapturedMessages, capturedLength, capturedMessage, carriedMessage } from './capture-messages.ts'
import { openResults } from './open-results.ts'
import { type OutlinedHeader, type RecordedWrites, WritesFold } from './recorded-writes.ts'
import type { SentOutline } from './sent-outline.ts'
import type { CarriedMessage } from './waybill-member.ts'

/** The role of a message in an outline, as one letter. */
const LETTER = { user: 'u', assistant: 'a', tool: 't' } as const

/**
 * A run whose conversation stays in its record: its state, and of each message its role and its tokens. Events that are
 * added later are folded into it, so a capture reads only what has changed.
 */
export class ConversationOutline {
  readonly #fold: WritesFold
  readonly #tokens: number[] = []
  readonly #carried: CarriedMessage[] = []
  /** Where the messages of a state that stand for each message begin. */
  readonly #starts: number[] = []
  /** How many messages the state has. */
  #length = 0
  #roles: string[] = []

  constructor(header: OutlinedHeader) {
    this.#fold = new WritesFold(header)
  }

  get state(): RunState {
    return this.#fold.outline.state
  }

  get paused(): OutlineFold['paused'] {
    return this.#fold.outline.paused
  }

  get cuts(): readonly Cut[] {
    return this.#fold.outline.cuts
  }

  /** The tokens of each message. */
  get tokens(): readonly number[] {
    return this.#tokens
  }

  /** What a state says of messages that are sent apart from it. */
  get captured(): CapturedMessages {
    return { conversation: [], carried: [...this.#carried, ...this.#open.carried] }
  }

  /** The messages that follow those of the record in a state. */
  get openResults(): readonly StateMessage[] {
    return this.#open.conversation
  }

  get #open(): CapturedMessages {
    return openResults(this.state, this.#length)
  }

  /** What the record says about the writes of the run. */
  get recorded(): RecordedWrites {
    return this.#fold.recorded
  }

  /** For a receiver that only compares: which messages there are. */
  get sent(): SentOutline {
    return { roles: this.#roles.join(''), tokens: [...this.#tokens] }
  }

  add(event: RunEvent): void {
    const { from, messages } = this.#fold.add(event)
    if (from < this.#tokens.length) {
      this.#tokens.length = from
      this.#roles.length = from
      this.#length = this.#starts[from] ?? this.#length
      this.#starts.length = from
      while ((this.#carried.at(-1)?.at ?? -1) >= this.#length) this.#carried.pop()
    }
    for (const message of messages) {
      this.#tokens.push(messageTokens(message))
      this.#roles.push(LETTER[message.role])
      this.#carried.push(...carriedMessage(message, this.#length))
      this.#starts.push(this.#length)
      this.#length += capturedLength(message)
    }
  }
}

/**
 * Yields the conversation of a run from its events, as `captureMessages` returns it.
 * @param cuts of the whole run: what was rolled back is left out
 * @param tokens of each message; absent: they are counted
 * @param open the results of the open round, which follow
 */
export async function* conversationOf(
  header: Pick<RunHeader, 'run_id' | 'agent_id' | 'plan_hash'>,
  events: AsyncIterable<readonly RunEvent[]>,
  cuts: readonly Cut[],
  tokens: readonly number[] = [],
  open: readonly StateMessage[] = [],
): AsyncGenerator<readonly StateMessage[]> {
  const fold = new OutlineFold(header)
  for await (const batch of events) {
    const messages: StateMessage[] = []
    for (const event of batch) {
      const added = fold.add(event)
      for (const [n, message] of added.messages.entries()) {
        const index = added.from + n
        if (survives(added, index, cuts))
          messages.push(...capturedMessage(message, added.times[n], tokens[index] ?? messageTokens(message)))
      }
    }
    if (messages.length > 0) yield messages
  }
  if (open.length > 0) yield open
}
