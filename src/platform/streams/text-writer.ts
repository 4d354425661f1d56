import type pg from 'pg'
import type { DriveOptions } from '../../run/drive/drive-ports.ts'
import type { RunState } from '../../run/state.ts'
import { storedText } from '../database/stored-text.ts'
import { endsText } from './ends-text.ts'

/** Time between two writes, in milliseconds. */
const EVERY_MS = 100
/** After failures, the time between two attempts grows up to this, in milliseconds. */
const SLOWEST_MS = 2000
/** A text of which more characters than this wait to be stored is given up: its answer will be on record. */
const MOST_WAITING = 1 << 20

export interface TextWriterOptions {
  /** Time between two writes, in milliseconds. Default 100. */
  readonly everyMs?: number
  /** Called when text of a run was stored, so that followers in this process need not wait for their next query. */
  readonly onWritten?: (org: string, runId: string) => void
}

/** A run that this process drives. */
export interface WrittenRun {
  readonly org: string
  readonly runId: string
  /** The lease under which it is driven. */
  readonly epoch: number
  /** The state from which it is driven. */
  readonly state: Pick<RunState, 'seq' | 'attempt'>
}

/** The text that a model writes for a run at this moment. */
interface Text extends Pick<WrittenRun, 'org' | 'runId' | 'epoch'> {
  /** The event after which it begins. */
  readonly seq: number
  readonly attempt: number
  /** The number of its last stored piece. */
  n: number
  /** Not stored yet. */
  waiting: string
  /** Characters in pieces that are being stored. */
  storing: number
  over: boolean
}

interface Piece {
  readonly text: Text
  readonly n: number
  readonly content: string
}

/** Texts of a run to remove: all up to this one. */
type Removal = Pick<Text, 'org' | 'runId' | 'seq' | 'epoch'> & { readonly itself: boolean }

/**
 * Stores the texts that models write for all runs of a process, so that every process can show them: one statement
 * for all runs, at most every 100 ms, and only for texts that have grown. A text is stored in pieces, so the cost of
 * a delta does not depend on the length of the text. Never delays a run and never fails it: when the database does
 * not answer, texts wait, and a text that becomes too long meanwhile is given up. When the process dies, the pieces
 * of the last 100 ms are lost.
 */
export class TextWriter {
  readonly #engine: pg.Pool
  readonly #everyMs: number
  readonly #onWritten: TextWriterOptions['onWritten']
  readonly #grown = new Set<Text>()
  #pieces: readonly Piece[] = []
  #removals: readonly Removal[] = []
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null
  #wroteAt = Number.NEGATIVE_INFINITY
  #failures = 0
  #closed = false

  constructor(engine: pg.Pool, { everyMs = EVERY_MS, onWritten }: TextWriterOptions = {}) {
    this.#engine = engine
    this.#everyMs = everyMs
    this.#onWritten = onWritten
  }

  /** Returns the receivers of one run's text and events, for the driver of the run. */
  run({ org, runId, epoch, state }: WrittenRun): Required<Pick<DriveOptions, 'onEvent' | 'onText'>> {
    let { seq, attempt } = state
    let text: Text | null = null
    return {
      onText: (delta) => {
        if (this.#closed || delta === '') return
        if (text === null) {
          text = {
            org,
            runId,
            epoch,
            seq,
            attempt: attempt?.n ?? 0,
            n: 0,
            waiting: '',
            storing: 0,
            over: false,
          }
          // Texts of a process that drove the run before.
          this.#remove(text, false)
        }
        this.#add(text, delta)
      },
      onEvent: (event, after) => {
        ;({ seq, attempt } = after)
        if (text === null || !endsText(event)) return
        this.#end(text)
        text = null
      },
    }
  }

  /** Stores what waits, once, and stops. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#writing
    await this.#write()
  }

  #add(text: Text, delta: string): void {
    if (text.over) return
    text.waiting += delta
    if (text.waiting.length + text.storing > MOST_WAITING) {
      this.#end(text)
      return
    }
    this.#grown.add(text)
    this.#schedule()
  }

  #end(text: Text): void {
    if (text.over) return
    text.over = true
    text.waiting = ''
    this.#grown.delete(text)
    if (text.n > 0) this.#remove(text, true)
  }

  #remove({ org, runId, seq, epoch }: Text, itself: boolean): void {
    this.#removals = [...this.#removals, { org, runId, seq, epoch, itself }]
    this.#schedule()
  }

  #schedule(): void {
    if (this.#timer !== null || this.#writing !== null || this.#closed) return
    const gap = Math.max(this.#everyMs, Math.min(SLOWEST_MS, this.#everyMs * 2 ** this.#failures))
    this.#timer = setTimeout(
      () => {
        this.#timer = null
        this.#writing = this.#write().finally(() => {
          this.#writing = null
          if (this.#grown.size > 0 || this.#pieces.length > 0 || this.#removals.length > 0) this.#schedule()
        })
      },
      Math.max(0, this.#wroteAt + gap - performance.now()),
    )
  }

  async #write(): Promise<void> {
    const pieces = [...this.#pieces.filter(({ text }) => !text.over), ...this.#newPieces()]
    const removals = this.#removals
    this.#removals = []
    this.#pieces = []
    this.#wroteAt = performance.now()
    if (pieces.length === 0 && removals.length === 0) return
    try {
      await this.#engine.query(STORE, [...removalColumns(removals), ...pieceColumns(pieces)])
      this.#failures = 0
      for (const { text, content } of pieces) text.storing -= content.length
      for (const { org, runId } of new Set(pieces.map(({ text }) => text))) this.#onWritten?.(org, runId)
    } catch {
      // The outcome may be unknown: the same pieces are sent again under the same numbers.
      this.#failures++
      this.#pieces = pieces
      this.#removals = [...removals, ...this.#removals]
    }
  }

  #newPieces(): readonly Piece[] {
    const pieces = [...this.#grown].flatMap((text): readonly Piece[] => {
      const content = storable(text.waiting)
      text.waiting = text.waiting.slice(content.length)
      if (content === '') return []
      text.n++
      text.storing += content.length
      return [{ text, n: text.n, content }]
    })
    this.#grown.clear()
    return pieces
  }
}

/**
 * Returns the part of a text that PostgreSQL can store: without half a character at its end, the rest of which comes
 * with the next delta; NUL, which PostgreSQL does not accept, is replaced.
 */
function storable(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  const whole = last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text
  return whole.replaceAll('\0', '\uFFFD')
}

const STORE = `
  WITH gone AS (
    DELETE FROM waybill.texts AS t
    USING unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::boolean[]) AS r (org, run_id, seq, epoch, itself)
    WHERE t.org = r.org AND t.run_id = r.run_id
      AND ((t.seq, t.epoch) < (r.seq, r.epoch) OR r.itself AND (t.seq, t.epoch) = (r.seq, r.epoch))
  )
  INSERT INTO waybill.texts (org, run_id, seq, epoch, n, attempt, text)
  SELECT * FROM unnest($6::text[], $7::text[], $8::int[], $9::int[], $10::int[], $11::int[], $12::text[])
  ON CONFLICT DO NOTHING`

function removalColumns(removals: readonly Removal[]): readonly unknown[] {
  return [
    removals.map(({ org }) => org),
    removals.map(({ runId }) => storedText(runId)),
    removals.map(({ seq }) => seq),
    removals.map(({ epoch }) => epoch),
    removals.map(({ itself }) => itself),
  ]
}

function pieceColumns(pieces: readonly Piece[]): readonly unknown[] {
  return [
    pieces.map(({ text }) => text.org),
    pieces.map(({ text }) => storedText(text.runId)),
    pieces.map(({ text }) => text.seq),
    pieces.map(({ text }) => text.epoch),
    pieces.map(({ n }) => n),
    pieces.map(({ text }) => text.attempt),
    pieces.map(({ content }) => content),
  ]
}
