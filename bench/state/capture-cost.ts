import type { RunEvent } from '../../src/run/event.ts'
import type { Message } from '../../src/run/state.ts'
import { ConversationOutline } from '../../src/state/conversation-outline.ts'
import { median } from '../table.ts'
import { messageText } from './long-run.ts'

/** Milliseconds of captures of one conversation, without the database. */
export interface CaptureCost {
  readonly messages: number
  /** Reads all events into an outline. */
  readonly first_ms: number
  /** Adds the two events of one more turn to it. */
  readonly next_ms: number
}

const ROUNDS = 9
const SIZE = 1000

/** Measures what a move reads of a run before its freeze, and after it. */
export function measureCapture(messages: number): CaptureCost {
  const header = { run_id: 'r', agent_id: 'a', plan_hash: 'p', rehearsal: false }
  const first: number[] = []
  const next: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // New ones each time: the tokens of a message are counted once.
    const events = Array.from({ length: messages + 2 }, (_, n) => eventOf(n))
    const outline = new ConversationOutline(header)
    first.push(timed(outline, events.slice(0, messages)))
    next.push(timed(outline, events.slice(messages)))
    if (outline.sent.tokens.length !== messages + 2) throw new Error('messages are missing')
  }
  return { messages, first_ms: median(first), next_ms: median(next) }
}

function timed(outline: ConversationOutline, events: readonly RunEvent[]): number {
  const started = performance.now()
  for (const event of events) outline.add(event)
  return performance.now() - started
}

function eventOf(n: number): RunEvent {
  const message: Message = { role: 'user', text: messageText(n, SIZE) }
  return {
    seq: n + 1,
    at: n,
    fact: { type: 'messages.restored', messages: [message], times: [n] },
    decision: {},
  }
}
