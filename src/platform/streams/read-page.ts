import { decodeEvent } from '../../run/record/event-line.ts'
import { BEHIND } from '../database/flushed.ts'
import { endsText } from './ends-text.ts'
import { eventIdAhead } from './event-id-ahead.ts'
import type { StreamItem } from './stream-item.ts'

/** The place of a follower in the stream of a run. */
export interface Position {
  readonly org: string
  readonly runId: string
  /** The last event that the follower has. */
  readonly after: number
  /** The follower joined after this event and has not seen it nor those before it; 0 once they no longer matter. */
  readonly since: number
  /** The last event that is known to end a text: no text that begins before it is shown. */
  readonly ended: number
  readonly text: TextPosition
}

/** The newest text that the follower knows, and the last piece of it that it has. */
export interface TextPosition {
  readonly seq: number
  readonly epoch: number
  readonly n: number
}

/** The position of a follower that knows no text. */
export const NO_TEXT: TextPosition = { seq: -1, epoch: -1, n: 0 }
/** Larger than the number of any piece: nothing more of this text is shown. */
const HIDDEN = 2_147_483_647

/** What the database has beyond a position. */
export interface PositionRow {
  /** A crash of the database might lose what this row shows. */
  readonly behind: boolean
  /** Null: there is no such run. */
  readonly head: number | null
  /** The run has ended and no worker holds it: one that does may still record that it called the end hook. */
  readonly over: boolean
  readonly lines: readonly string[] | null
  /** The newest text of the run, if it begins at or before the last of `lines`. */
  readonly text_seq: number | null
  readonly text_epoch: number | null
  readonly attempt: number | null
  /** The numbers of the pieces in `text`. */
  readonly first: number | null
  readonly last: number | null
  readonly pieces: number | null
  readonly text: string | null
  /** Events between the beginning of the text and `since`, which this follower has not seen. */
  readonly unseen: readonly string[] | null
}

/** Items beyond a position, and the position after them. */
export interface StreamPage {
  readonly items: readonly Exclude<StreamItem, { readonly type: 'end' }>[]
  readonly next: Position
  readonly state: 'open' | 'over' | 'missing'
  /** There is more than one page. */
  readonly more: boolean
}

/** Parameters: org, run_id, after, since, ended, and seq, epoch, n of the text; one element for each position. */
export const POSITIONS_SQL = `
  SELECT p.seq AS head, e.lines, ${BEHIND} AS behind,
    p.phase = 'over' AND NOT EXISTS (SELECT 1 FROM waybill.workers AS k WHERE k.worker = p.holder AND k.until > now())
      AS over,
    g.seq AS text_seq, g.epoch AS text_epoch, g.attempt,
    x.first, x.last, x.pieces, x.text, b.lines AS unseen
  FROM unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[])
    WITH ORDINALITY AS w (org, run_id, after, since, ended, text_seq, text_epoch, n, i)
  LEFT JOIN waybill.progress AS p ON p.org = w.org AND p.run_id = w.run_id
  LEFT JOIN LATERAL (
    SELECT array_agg(line ORDER BY seq) AS lines, max(seq) AS last FROM (
      SELECT seq, line, sum(octet_length(line)) OVER (ORDER BY seq) - octet_length(line) AS before FROM (
        SELECT seq, line FROM waybill.events AS e WHERE e.org = w.org AND e.run_id = w.run_id AND e.seq > w.after
        ORDER BY seq LIMIT 200) AS page
    ) AS sized WHERE before < 262144
  ) AS e ON true
  LEFT JOIN LATERAL (
    SELECT seq, epoch, attempt, (seq, epoch) = (w.text_seq, w.text_epoch) AS known FROM waybill.texts AS t
    WHERE t.org = w.org AND t.run_id = w.run_id ORDER BY seq DESC, epoch DESC LIMIT 1
  ) AS g ON g.seq BETWEEN w.ended AND coalesce(e.last, w.after)
  LEFT JOIN LATERAL (
    SELECT min(n) AS first, max(n) AS last, count(*)::int AS pieces, string_agg(text, '' ORDER BY n) AS text FROM (
      SELECT n, text FROM waybill.texts AS t
      WHERE t.org = w.org AND t.run_id = w.run_id AND t.seq = g.seq AND t.epoch = g.epoch
        AND t.n > CASE WHEN g.known THEN w.n ELSE 0 END
      ORDER BY n LIMIT 200) AS page
  ) AS x ON true
  LEFT JOIN LATERAL (
    SELECT array_agg(line ORDER BY seq) AS lines FROM (
      SELECT seq, line FROM waybill.events AS e
      WHERE e.org = w.org AND e.run_id = w.run_id AND e.seq > g.seq AND e.seq <= w.since AND NOT g.known
      ORDER BY seq LIMIT 50) AS page
  ) AS b ON true
  ORDER BY w.i`

/**
 * Reads what the database has beyond a position. Events come first, then text: a text is shown only if no event that
 * ends it is on record, and if the follower has all events before it. Returns null if there is no news.
 * @throws EVENT_ID_AHEAD
 */
export function readPage(position: Position, row: PositionRow): StreamPage | null {
  if (row.head === null) return { items: [], next: position, state: 'missing', more: false }
  if (position.after > row.head) throw eventIdAhead(position.runId, position.after, row.head)
  const events = (row.lines ?? []).map(decodeEvent)
  const after = events.at(-1)?.seq ?? position.after
  const endedNow = [...(row.unseen ?? []).map(decodeEvent), ...events].findLast(endsText)?.seq ?? 0
  const from: Position =
    endedNow === 0
      ? { ...position, after }
      : {
          ...position,
          after,
          since: 0,
          ended: endedNow,
          text: position.text.seq < endedNow ? NO_TEXT : position.text,
        }
  const { text, shown } = textBeyond(from, row)
  const items = [...events.map((event) => ({ type: 'event' as const, event })), ...shown]
  const over = row.over && after >= row.head
  if (items.length === 0 && !over && from.ended === position.ended && text === position.text) return null
  return {
    items,
    next: { ...from, text },
    state: over ? 'over' : 'open',
    more: after < row.head || (row.pieces ?? 0) >= 200,
  }
}

type TextItem = Extract<StreamItem, { readonly text: string }>

function textBeyond(
  { ended, text: known }: Position,
  { text_seq: seq, text_epoch: epoch, attempt, first, last, pieces, text }: PositionRow,
): { readonly text: TextPosition; readonly shown: readonly TextItem[] } {
  if (seq === null || epoch === null || attempt === null || seq < ended) return { text: known, shown: [] }
  if (first === null || last === null || pieces === null || text === null) return { text: known, shown: [] }
  const n = seq === known.seq && epoch === known.epoch ? known.n : 0
  // After a crash of the database the beginning of a text may be missing: the answer on record will have it.
  const isWhole = first === n + 1 && pieces === last - first + 1
  if (!isWhole) return { text: { seq, epoch, n: HIDDEN }, shown: [] }
  return {
    text: { seq, epoch, n: last },
    shown: [{ type: n === 0 ? 'text.snapshot' : 'text', attempt, text }],
  }
}
