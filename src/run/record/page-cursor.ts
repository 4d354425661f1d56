import { WaybillError } from '../../document/issue.ts'

/** Length of a page if the caller names no limit. */
export const PAGE_LIMIT = 100

/** The place after which the next page begins. Lists are sorted by both members, newest first. */
export interface PagePlace {
  /** Milliseconds since the epoch; a bigint when a damaged row holds a number beyond 2^53. */
  readonly created_at: number | bigint
  readonly run_id: string
}

/**
 * Encodes a place as a cursor. It names a run and not a number of runs, so runs that are added or removed meanwhile
 * do not shift the pages.
 */
export function writeCursor({ created_at, run_id }: PagePlace): string {
  return Buffer.from(`${created_at} ${run_id}`, 'utf8').toString('base64url')
}

/** Decodes a cursor. @throws CURSOR_INVALID */
export function readCursor(cursor: string): PagePlace {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const [, time, run_id] = /^(-?\d{1,19}) (.+)$/s.exec(text) ?? []
  const exact = BigInt(time ?? 0)
  // A store holds 64-bit integers.
  if (run_id !== undefined && exact === BigInt.asIntN(64, exact)) {
    const created_at = Number(exact)
    return { created_at: Number.isSafeInteger(created_at) ? created_at : exact, run_id }
  }
  throw new WaybillError('CURSOR_INVALID', {
    fault: 'usage',
    message: `"${cursor}" is not a valid cursor`,
    hint: 'pass `next` of the previous page, or no cursor for the first page',
  })
}

/** Compares two places of a list that begins with the newest run. */
export function comparePlaces(a: PagePlace, b: PagePlace): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  return a.run_id < b.run_id ? 1 : a.run_id > b.run_id ? -1 : 0
}
