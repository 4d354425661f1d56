import { setTimeout as sleep } from 'node:timers/promises'
import type { RunEvent } from '../../src/run/event.ts'
import { decodeEvent } from '../../src/run/record/event-line.ts'
import type { MovingPlatform } from '../../test/platform/moving-site.ts'
import { AGENT } from '../../test/platform/organisation.ts'
import type { TwoPlatforms } from './two-platforms.ts'

/** The times of one move of a run under way, in milliseconds. */
export interface OwnerGap {
  /** From the last event at the sender, the answer of the call, to the first event that the receiver adds. */
  readonly all: number
  /** Of it: until the run is frozen; until its state is captured; until the receiver has verified its token; until it continues. */
  readonly frozen: number
  readonly captured: number
  readonly received: number
  readonly continued: number
}

/** Moves a run under way, whose call of a tool ends after the move was asked for. */
export async function measureOwnerGap({ a, b, effects }: TwoPlatforms): Promise<OwnerGap> {
  const seen = effects().length
  const input = JSON.stringify({ tool: 'look', n: 800 })
  const { run_id } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, { input })
  while (effects().length === seen) await sleep(5)
  const { json } = await a.send('POST', `/v1/runs/${run_id}/migrate`, { to: 'other', method: 'stream' })
  if (json.state !== 'moved') throw new Error(JSON.stringify(json))
  await b.reaches(json.target_run_id, 'completed')
  const last = (await eventsOf(a, run_id)).at(-1)
  const there = await eventsOf(b, json.target_run_id)
  const restored = there.findIndex(({ fact }) => fact.type === 'run.restored')
  const [row] = await a.sql(
    `SELECT 1000 * extract(epoch FROM frozen_at)::float AS frozen, 1000 * extract(epoch FROM captured_at)::float AS captured
     FROM waybill.moves WHERE jti = $1`,
    [json.jti],
  )
  const from = last?.at ?? Number.NaN
  const [frozen, captured] = [Number(row?.frozen), Number(row?.captured)]
  const received = there[restored]?.at ?? Number.NaN
  const continued = there[restored + 1]?.at ?? Number.NaN
  return {
    all: continued - from,
    frozen: frozen - from,
    captured: captured - frozen,
    received: received - captured,
    continued: continued - received,
  }
}

async function eventsOf(platform: MovingPlatform, runId: string): Promise<readonly RunEvent[]> {
  const rows = await platform.sql('SELECT line FROM waybill.events WHERE run_id = $1 ORDER BY seq', [runId])
  return rows.map(({ line }) => decodeEvent(String(line)))
}
