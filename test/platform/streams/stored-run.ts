import type pg from 'pg'
import type { RunView } from '../../../src/platform/records/run-view.ts'
import type { StreamItem } from '../../../src/platform/streams/stream-item.ts'
import type { Fact, RunEvent } from '../../../src/run/event.ts'
import { encodeEvent } from '../../../src/run/record/event-line.ts'
import type { ModelAttempt, RunState } from '../../../src/run/state.ts'

export const VIEW: RunView = {
  run_id: 'r',
  status: 'completed',
  agent_id: 'a',
  agent_name: 'A',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}

/** Stores a run without events. */
export async function storeRun(engine: pg.Pool, org: string, runId: string): Promise<void> {
  await engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ($1, $1) ON CONFLICT DO NOTHING`, [
    org,
  ])
  await engine.query(
    `INSERT INTO waybill.runs (org, run_id, v, header, first, imported, created_at, agent_id, plans)
     VALUES ($1, $2, 1, '{}', '{}', false, 0, 'a', '{}')`,
    [org, runId],
  )
  await engine.query(
    `INSERT INTO waybill.progress (org, run_id, epoch, seq, status, questions, updated_at, phase)
     VALUES ($1, $2, 1, 0, 'running', 0, 0, 'queued')`,
    [org, runId],
  )
}

/** Appends an event as a worker does: the event and the progress in one transaction. */
export async function append(
  engine: pg.Pool,
  org: string,
  runId: string,
  event: RunEvent,
  phase = 'queued',
): Promise<void> {
  await engine.query(
    `WITH p AS (UPDATE waybill.progress SET seq = $3, phase = $5 WHERE org = $1 AND run_id = $2)
     INSERT INTO waybill.events (org, run_id, seq, line) VALUES ($1, $2, $3, $4)`,
    [org, runId, event.seq, encodeEvent(event), phase],
  )
}

export function asked(seq: number, n: number, fact?: Fact): RunEvent {
  const first: Fact = { type: 'run.started', input: 'hello' }
  return { seq, at: 1000 + seq, fact: fact ?? first, decision: { attempt: attemptOf(n) } }
}

export function attemptOf(n: number): ModelAttempt {
  return { n, route: 0, retry: 0, delay_ms: 0, failed: [] }
}

export function answered(seq: number, attempt: number, text: string): RunEvent {
  return {
    seq,
    at: 1000 + seq,
    fact: {
      type: 'model.answered',
      attempt,
      message: { role: 'assistant', text, calls: [] },
      finish: 'stop',
      usage: { input_tokens: 1, output_tokens: 2 },
      latency_ms: 1,
    },
    decision: {},
  }
}

export function failed(seq: number, attempt: number, next: number): RunEvent {
  return {
    seq,
    at: 1000 + seq,
    fact: {
      type: 'model.failed',
      attempt,
      kind: 'unavailable',
      code: 'MODEL_ERROR',
      message: 'gone',
      latency_ms: 1,
    },
    decision: { attempt: attemptOf(next) },
  }
}

/** An event in mid-text that does not end the text. */
export function hookRan(seq: number): RunEvent {
  return {
    seq,
    at: 1000 + seq,
    fact: { type: 'hook.ran', hook: 'on_start', ok: true, latency_ms: 1 },
    decision: {},
  }
}

/** The state after an event, as far as a writer of texts needs it. */
export function stateAt(seq: number, attempt: number | null): RunState {
  return { seq, attempt: attempt === null ? null : attemptOf(attempt) } as unknown as RunState
}

/** Waits for a condition; throws after 20 s. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 20_000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`timeout: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Collects a stream and checks its shape: a continuation follows only a snapshot of the same attempt. */
export class Collected {
  readonly events: RunEvent[] = []
  /** The texts in the order of their snapshots. */
  readonly texts: { readonly after: number; readonly attempt: number; text: string }[] = []
  ended = false
  error: unknown

  async read(stream: AsyncIterable<StreamItem>): Promise<this> {
    try {
      for await (const item of stream) this.#add(item)
    } catch (error) {
      this.error = error
    }
    return this
  }

  #add(item: StreamItem): void {
    if (this.ended) throw new Error('an item after the end')
    switch (item.type) {
      case 'event':
        this.events.push(item.event)
        return
      case 'text.snapshot':
        this.texts.push({ after: this.events.at(-1)?.seq ?? -1, attempt: item.attempt, text: item.text })
        return
      case 'text': {
        const last = this.texts.at(-1)
        if (last === undefined || last.attempt !== item.attempt)
          throw new Error('a text without its snapshot')
        last.text += item.text
        return
      }
      case 'end':
        this.ended = true
    }
  }
}
