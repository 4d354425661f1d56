import type { Holder } from './process-lock.ts'

/** A run of an agent, as one that waits below it names it. */
export interface RunAbove {
  /** The folder of its agent's slots. */
  readonly folder: string
  readonly run_id: string
}

/** Somebody who waits for a slot, while the runs above it keep theirs. */
export interface Waiting {
  /** Sorts by when it was drawn. */
  readonly ticket: string
  /** The folder of the slots that it waits for. */
  readonly folder: string
  readonly holder: Holder
  /** The name of the agent that it waits for. */
  readonly agent: string
  readonly limit: number
  readonly above: readonly RunAbove[]
}

/** Who holds the slots of a folder, one entry for each slot. */
export type HoldersOf = (folder: string) => readonly Holder[]

/**
 * Those who have to give way: they wait for slots whose holders wait, in the end, for them, so that none would ever
 * end. Of each such circle it is the one that came last.
 * @returns them, each with one that waits for it
 */
export function standstills(waiting: readonly Waiting[], holders: HoldersOf): ReadonlyMap<Waiting, Waiting> {
  const stuck = stuckAmong(waiting, holders)
  const found = new Map<Waiting, Waiting>()
  for (const one of stuck) {
    const circle = reach(one, stuck, holders).filter((other) => reach(other, stuck, holders).includes(one))
    const last = circle.every(({ ticket }) => ticket <= one.ticket)
    const [holding] = next(one, circle, holders)
    if (last && holding !== undefined) found.set(one, holding)
  }
  return found
}

/** Those for whom every slot is held by a run that is stuck as well: what is left when all others are taken away. */
function stuckAmong(waiting: readonly Waiting[], holders: HoldersOf): readonly Waiting[] {
  const folders = new Map<string, number>()
  for (const { folder } of waiting)
    if (!folders.has(folder)) folders.set(folder, stuckSlots(folder, waiting, holders))
  const stuck = waiting.filter(({ folder, limit }) => (folders.get(folder) ?? 0) >= limit)
  return stuck.length === waiting.length ? stuck : stuckAmong(stuck, holders)
}

/** How many slots of a folder are held by runs that wait for something below them; 0 when one of them is not. */
function stuckSlots(folder: string, waiting: readonly Waiting[], holders: HoldersOf): number {
  const held = holders(folder)
  const waits = held.every((holder) => {
    const slots = held.filter((other) => isSame(other, holder)).length
    return runsAbove(folder, holder, waiting).size >= slots
  })
  return waits ? held.length : 0
}

/** The runs of an agent in a process that wait for something below them. */
function runsAbove(folder: string, process: Holder, waiting: readonly Waiting[]): ReadonlySet<string> {
  return new Set(
    waiting
      .filter(({ holder }) => isSame(holder, process))
      .flatMap(({ above }) => above.filter((run) => run.folder === folder).map(({ run_id }) => run_id)),
  )
}

/** Those that keep a slot that this one waits for. */
function next({ folder }: Waiting, among: readonly Waiting[], holders: HoldersOf): readonly Waiting[] {
  const held = holders(folder)
  return among.filter(
    ({ above, holder }) =>
      above.some((run) => run.folder === folder) && held.some((other) => isSame(other, holder)),
  )
}

function reach(from: Waiting, among: readonly Waiting[], holders: HoldersOf): readonly Waiting[] {
  const found = new Set<Waiting>()
  const open = [from]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const each of next(one, among, holders)) {
      if (found.has(each)) continue
      found.add(each)
      open.push(each)
    }
  }
  return [...found]
}

function isSame(a: Holder, b: Holder): boolean {
  return a.pid === b.pid && a.started === b.started
}
