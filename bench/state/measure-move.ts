import { setTimeout as sleep } from 'node:timers/promises'
import type { MoveMethod } from '../../src/platform/moves/move.ts'
import { type LongConversation, storeLongRun } from './long-run.ts'
import { forgetPeak, residentMb } from './peak-memory.ts'
import type { TwoPlatforms } from './two-platforms.ts'

export interface MoveCost {
  readonly method: MoveMethod
  readonly mb: number
  /** From the request of the move to its answer. */
  readonly whole_ms: number
  /** Highest resident size during the move, minus that before it, of each process. */
  readonly sender_mb: number
  readonly receiver_mb: number
}

/** Moves a paused run with a long conversation. */
export async function measureMove(
  { a, b }: TwoPlatforms,
  conversation: LongConversation,
  method: MoveMethod,
): Promise<MoveCost> {
  const run = await storeLongRun(a, conversation)
  await sleep(2000)
  const before = [a, b].map((one) => residentMb(one.pid()).now)
  for (const one of [a, b]) forgetPeak(one.pid())
  const started = performance.now()
  const { json } = await a.send('POST', `/v1/runs/${run}/migrate`, { to: 'other', method })
  if (json.state !== 'moved') throw new Error(JSON.stringify(json))
  const whole_ms = performance.now() - started
  const [sender_mb = Number.NaN, receiver_mb = Number.NaN] = [a, b].map(
    (one, n) => residentMb(one.pid()).peak - (before[n] ?? 0),
  )
  const mb = (conversation.messages * conversation.size) / 1e6
  return { method, mb, whole_ms, sender_mb, receiver_mb }
}
