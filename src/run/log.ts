/**
 * An append-only list that states share: a later state's list contains an earlier one's.
 * Appending to the newest is O(1), where copying an array at each step would make a long run quadratic;
 * appending to an older one copies, so that no state ever sees what another added.
 */
export interface Log<T> {
  readonly items: readonly T[]
  readonly length: number
}

export function emptyLog<T>(): Log<T> {
  return { items: [], length: 0 }
}

export function append<T>(log: Log<T>, added: readonly T[]): Log<T> {
  if (added.length === 0) return log
  const items = (log.items.length === log.length ? log.items : log.items.slice(0, log.length)) as T[]
  for (const item of added) items.push(item)
  return { items, length: items.length }
}

export function toArray<T>(log: Log<T>): readonly T[] {
  return log.items.slice(0, log.length)
}
