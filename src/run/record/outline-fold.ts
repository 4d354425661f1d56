import { apply } from '../apply.ts'
import type { FactOf, RunEvent } from '../event.ts'
import { initialState } from '../initial-state.ts'
import { Log } from '../log.ts'
import type { Message, RunState } from '../state.ts'
import type { RunHeader } from './run-header.ts'

/** An event that has removed the end of the conversation. */
export interface Cut {
  readonly seq: number
  /** How many messages it has left. */
  readonly length: number
}

/** The messages that an event has added. */
export interface AddedMessages {
  readonly seq: number
  /** Index of the first one. */
  readonly from: number
  readonly messages: readonly Message[]
  /** When they were added, milliseconds since the epoch. */
  readonly times: readonly number[]
}

/** What the state has in place of each message: they are counted, and their texts are not kept. */
const IN_PLACE: Readonly<Record<Message['role'], Message>> = {
  user: { role: 'user', text: '' },
  assistant: { role: 'assistant', text: '', calls: [] },
  tool: { role: 'tool', call_id: '', tool: '', result: null },
}

/** Folds the events of a run as `foldRun` does, except for the conversation: each message is returned once. */
export class OutlineFold {
  #state: RunState
  #fresh: Message[] = []
  #paused: FactOf<'run.paused'> | undefined
  readonly #cuts: Cut[] = []

  constructor({ run_id, agent_id, plan_hash }: Pick<RunHeader, 'run_id' | 'agent_id' | 'plan_hash'>) {
    const messages = Log.keeping<Message>((message) => {
      this.#fresh.push(message)
      return IN_PLACE[message.role]
    })
    this.#state = { ...initialState(run_id, agent_id, plan_hash), messages }
  }

  /** The state after the last event; its messages have their roles only. */
  get state(): RunState {
    return this.#state
  }

  /** The last pause of the run. */
  get paused(): FactOf<'run.paused'> | undefined {
    return this.#paused
  }

  get cuts(): readonly Cut[] {
    return this.#cuts
  }

  add(event: RunEvent): AddedMessages {
    const before = this.#state.messages.length
    this.#fresh = []
    this.#state = apply(this.#state, event)
    const { seq, fact } = event
    if (fact.type === 'run.paused') this.#paused = fact
    const messages = this.#fresh
    const from = this.#state.messages.length - messages.length
    if (from < before) this.#cuts.push({ seq, length: from })
    const times = messages.map((_, index) => this.#state.message_times.at(from + index) ?? event.at)
    return { seq, from, messages, times }
  }
}

/** Returns whether a message that an event has added is still in the conversation after these cuts. */
export function survives({ seq }: Pick<AddedMessages, 'seq'>, index: number, cuts: readonly Cut[]): boolean {
  return !cuts.some((cut) => cut.seq > seq && cut.length <= index)
}
