import { WaybillError } from '../../document/issue.ts'

/** The last run of a page of a list, which is sorted by both, newest first. */
export interface PagePlace {
  readonly created_at: number
  readonly run_id: string
}

/** A cursor names a place and not a number of runs, so runs that come or go meanwhile move nothing. */
export function writeCursor({ created_at, run_id }: PagePlace): string {
  return Buffer.from(`${created_at} ${run_id}`, 'utf8').toString('base64url')
}

/** @throws CURSOR_INVALID */
export function readCursor(cursor: string): PagePlace {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const [, time, run_id] = /^(-?\d{1,16}) (.+)$/s.exec(text) ?? []
  if (time !== undefined && run_id !== undefined) return { created_at: Number(time), run_id }
  throw new WaybillError('CURSOR_INVALID', {
    fault: 'usage',
    message: `"${cursor}" is not a valid cursor`,
    hint: 'pass `next` of the previous page, or no cursor for the first page',
  })
}

/** Compares two places of a list that begins with the newest. */
export function comparePlaces(a: PagePlace, b: PagePlace): number {
  if (a.created_at !== b.created_at) return b.created_at - a.created_at
  return a.run_id < b.run_id ? 1 : a.run_id > b.run_id ? -1 : 0
}
