import { WaybillError } from '../../document/issue.ts'
import type { KeptItem, PageOf } from './records.ts'

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
  throw cursorInvalid(cursor)
}

/** Encodes the texts by which a list is sorted, of the last item of a page. */
function writeKeyCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key), 'utf8').toString('base64url')
}

/** Decodes a cursor of {@link writeKeyCursor}. @param length how many texts it has @throws CURSOR_INVALID */
export function readKeyCursor(cursor: string, length: number): readonly string[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(key) && key.length === length && key.every((part) => typeof part === 'string'))
      return key
  } catch {
    // Not JSON.
  }
  throw cursorInvalid(cursor)
}

/** Returns a page of rows of which one more than its limit was read. */
export function pageOfRows<R, T>(
  rows: readonly R[],
  limit: number,
  itemOf: (row: R) => T,
  keyOf: (row: R) => readonly string[],
): PageOf<T> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { items: shown.map(itemOf), next: last === undefined ? null : writeKeyCursor(keyOf(last)) }
}

/** Returns what the pages of memory items are sorted by. */
export function itemKey(item: KeptItem): readonly string[] {
  return [item.definition, item.agent_id, item.scope, item.user, item.session, item.key]
}

/** Returns a page of memory items of which one more than its limit was read. */
export function pageOfItems(items: readonly KeptItem[], limit: number): PageOf<KeptItem> {
  return pageOfRows(items, limit, (item) => item, itemKey)
}

/** Decodes the cursor of a page of memory items. @throws CURSOR_INVALID */
export function readItemCursor(cursor: string): readonly string[] {
  return readKeyCursor(cursor, 6)
}

/** Decodes the cursor of a list that is sorted by a number. @returns 0 without a cursor @throws CURSOR_INVALID */
export function readNumberCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const [n = ''] = readKeyCursor(cursor, 1)
  if (!/^[1-9]\d{0,14}$/.test(n)) throw cursorInvalid(cursor)
  return Number(n)
}

function cursorInvalid(cursor: string): WaybillError {
  return new WaybillError('CURSOR_INVALID', {
    fault: 'usage',
    message: `"${cursor.slice(0, 80)}" is not a valid cursor`,
    hint: 'pass `next` of the previous page, or no cursor for the first page',
  })
}

/** Compares two places of a list that begins with the newest run. */
export function comparePlaces(a: PagePlace, b: PagePlace): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  return a.run_id < b.run_id ? 1 : a.run_id > b.run_id ? -1 : 0
}
