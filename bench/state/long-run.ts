import { randomUUID } from 'node:crypto'
import { withStateChecksum } from '../../src/trust/checksum.ts'
import type { MovingPlatform } from '../../test/platform/moving-site.ts'
import { AGENT } from '../../test/platform/organisation.ts'

export interface LongConversation {
  readonly messages: number
  /** Characters of each. */
  readonly size: number
}

/** Messages of one event, as a restore stores those of 1 KB. */
const PER_EVENT = 64

/** Returns a text like that of a conversation: a number, words, quotes, line breaks. */
export function messageText(n: number, size: number): string {
  const first = `message ${n}: the parcel "P-${n * 7919}" was seen at the depot, `
  const words =
    'where a clerk has read "fragile" on it, and it is on its way\nto the customer, who waits for it; '
  return (first + words.repeat(Math.ceil(size / words.length))).slice(0, size)
}

/**
 * Stores a paused run with a long conversation. A request holds at most 64 MiB, so a short state is continued, and the
 * events of its conversation are added to its record.
 */
export async function storeLongRun(
  platform: MovingPlatform,
  { messages, size }: LongConversation,
): Promise<string> {
  const { run_id } = await platform.ok(
    'POST',
    '/v1/states',
    withStateChecksum({
      sc_standard: 'SC-006',
      state_id: randomUUID(),
      agent_id: AGENT,
      checkpoint_at: new Date().toISOString(),
      status: 'paused',
      conversation: [{ role: 'user', content: messageText(0, size) }],
    }),
  )
  const rows = await platform.sql('SELECT seq, line FROM waybill.events WHERE run_id = $1 ORDER BY seq', [
    run_id,
  ])
  const [first, last] = rows.map(({ line }) => JSON.parse(String(line)))
  const events = Math.ceil(messages / PER_EVENT)
  await platform.sql('DELETE FROM waybill.events WHERE run_id = $1', [run_id])
  for (let seq = 1; seq <= events; seq++) {
    const from = (seq - 1) * PER_EVENT
    const length = Math.min(PER_EVENT, messages - from)
    const line = {
      ...first,
      seq,
      messages: Array.from({ length }, (_, n) => messageOf(from + n, size)),
      times: Array.from({ length }, () => first.times[0]),
    }
    await insert(platform, run_id, seq, line)
  }
  await insert(platform, run_id, events + 1, { ...last, seq: events + 1 })
  await platform.sql('UPDATE waybill.progress SET seq = $2 WHERE run_id = $1', [run_id, events + 1])
  return run_id
}

function messageOf(n: number, size: number): object {
  const text = messageText(n, size)
  return n % 2 === 0 ? { role: 'user', text } : { role: 'assistant', text, calls: [] }
}

async function insert(platform: MovingPlatform, runId: string, seq: number, line: object): Promise<void> {
  await platform.sql(`INSERT INTO waybill.events (org, run_id, seq, line) VALUES ('default', $1, $2, $3)`, [
    runId,
    seq,
    JSON.stringify(line),
  ])
}
