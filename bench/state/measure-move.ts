import { setTimeout as sleep } from 'node:timers/promises'
import type { MoveMethod } from '../../src/platform/moves/move.ts'
import { type LongConversation, storeLongRun } from './long-run.ts'
import { forgetPeak, residentMb } from './peak-memory.ts'
import type { TwoPlatforms } from './two-platforms.ts'

export interface MoveCost {
  /** From the request of the move to its end. */
  readonly whole_ms: number
  /** From the freeze until the state is captured and its token is issued. */
  readonly capture_ms: number
  /** From then until the sender has given the run away. */
  readonly send_ms: number
  /** Highest resident size during the move, minus that before it, of each process. */
  readonly sender_mb: number
  readonly receiver_mb: number
}

/** How long a move may take that the request does not wait for, in milliseconds. */
const WITHIN_MS = 100_000

/** Moves a paused run with a long conversation. */
export async function measureMove(
  { a, b }: TwoPlatforms,
  conversation: LongConversation,
  move: { readonly method: MoveMethod; readonly wss?: true },
): Promise<MoveCost> {
  const run = await storeLongRun(a, conversation)
  await sleep(1500)
  const before = [a, b].map((one) => residentMb(one.pid()).now)
  for (const one of [a, b]) forgetPeak(one.pid())
  const { json } = await a.send('POST', `/v1/runs/${run}/migrate`, { to: 'other', ...move })
  for (const until = performance.now() + WITHIN_MS; ; await sleep(100)) {
    const { state } = (await a.send('GET', `/v1/migrations/${json.jti}`)).json
    if (state === 'moved') break
    if (state !== 'pending' || performance.now() > until) throw new Error(JSON.stringify(json))
  }
  const [sender_mb = Number.NaN, receiver_mb = Number.NaN] = [a, b].map(
    (one, n) => residentMb(one.pid()).peak - (before[n] ?? 0),
  )
  const [times] = await a.sql(
    `SELECT 1000 * extract(epoch FROM ended_at - created_at)::float AS whole_ms,
       1000 * extract(epoch FROM captured_at - frozen_at)::float AS capture_ms,
       1000 * extract(epoch FROM ended_at - captured_at)::float AS send_ms
     FROM waybill.moves WHERE jti = $1`,
    [json.jti],
  )
  return { ...(times as unknown as Omit<MoveCost, 'sender_mb' | 'receiver_mb'>), sender_mb, receiver_mb }
}
