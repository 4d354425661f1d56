import { createHash } from 'node:crypto'
import { canonicalize } from '../../document/canonical.ts'
import type { Json } from '../../document/json.ts'
import type { AgentState, StateMessage } from '../../spec/aaif/generated/state.ts'

const CONVERSATION = 'conversation'

/**
 * Computes the checksum of a streamed state while its conversation arrives, so that neither end needs all of it: the
 * canonical form (RFC 8785) orders members by name, and those before `conversation` are known when it begins.
 */
export class StreamedHash {
  readonly #hash = createHash('sha256')
  readonly #head: string
  #messages = 0

  /** @param head the state as far as it is known: all members whose names come before `conversation` */
  constructor(head: Partial<AgentState>) {
    this.#head = membersOf(head, (name) => name < CONVERSATION)
    this.#hash.update(`{${this.#head}${this.#head === '' ? '' : ','}"${CONVERSATION}":[`)
  }

  /** Adds the next messages. @throws NOT_JSON */
  add(messages: readonly StateMessage[]): void {
    for (const message of messages) {
      this.#hash.update(this.#messages === 0 ? '' : ',')
      this.#hash.update(canonicalize(message as unknown as Json))
      this.#messages++
    }
  }

  /**
   * Returns SHA-256 in lower-case hex of the canonical form of the state, with the messages that were added as its
   * conversation.
   */
  digest(state: AgentState): string {
    if (membersOf(state, (name) => name < CONVERSATION) !== this.#head)
      throw new TypeError('the members before the conversation have changed')
    const tail = membersOf(state, (name) => name > CONVERSATION)
    // A copy, because the members after the conversation may be tried in several ways.
    return this.#hash
      .copy()
      .update(`]${tail === '' ? '' : ','}${tail}}`)
      .digest('hex')
  }
}

/** Returns members in canonical form, in canonical order. */
function membersOf(state: Partial<AgentState>, isWanted: (name: string) => boolean): string {
  const wanted = Object.fromEntries(Object.entries(state).filter(([name]) => isWanted(name)))
  return canonicalize(wanted as unknown as Json).slice(1, -1)
}
