import type { Missed } from './trigger.ts'

/** Returns the first slot after a time; null if there is none. */
type Next = (after: Date) => Date | null

export interface DueSlots {
  /** The slots that start a run, oldest first. */
  readonly fire: readonly Date[]
  /** The newest slot that starts no run because it was missed; null if none was. */
  readonly missed: Date | null
  /** How many these are; undefined: more than were counted. */
  readonly missedCount: number | undefined
  /** The slot after `now`; null if there is none. */
  readonly next: Date | null
}

export interface SlotRules {
  readonly missed: Missed
  /** Older slots are never caught up on, in milliseconds. */
  readonly catchUpMs: number
}

/** A slot that a worker looks at within this time is on time: it starts a run in any case. In milliseconds. */
export const ON_TIME_MS = 60_000

/** Slots that one look catches up on. */
export const MOST = 100

/** Searched from the end, so that neither a year without workers nor a slot in every second takes long. */
const WINDOWS_MS = [ON_TIME_MS, 3_600_000, 86_400_000, 31 * 86_400_000, 366 * 86_400_000]

/**
 * Returns what the slots of a schedule lead to that passed since `from`.
 * @param from the first slot that was not looked at
 */
export function dueSlots(next: Next, from: Date, now: Date, { missed, catchUpMs }: SlotRules): DueSlots {
  const passed = lastSlots(next, from, now)
  const within = passed.slots.filter(
    (slot) => now.getTime() - slot.getTime() <= Math.max(catchUpMs, ON_TIME_MS),
  )
  const onTime = within.filter((slot) => now.getTime() - slot.getTime() <= ON_TIME_MS)
  const late = missed === 'all' ? within : missed === 'latest' ? within.slice(-1) : []
  const fire = late.length > onTime.length ? late : onTime
  const left = passed.slots.filter((slot) => !fire.includes(slot))
  return {
    fire,
    missed: left.at(-1) ?? null,
    missedCount: passed.complete ? left.length : undefined,
    next: next(now),
  }
}

/** Returns the last slots until now, at most {@link MOST}, oldest first, and whether these are all. */
function lastSlots(
  next: Next,
  from: Date,
  now: Date,
): { readonly slots: readonly Date[]; readonly complete: boolean } {
  let slots: readonly Date[] = []
  for (const windowMs of WINDOWS_MS) {
    const start = new Date(Math.max(from.getTime(), now.getTime() - windowMs))
    const found = slotsIn(next, start, now)
    slots = found.slice(-MOST)
    if (start <= from) return { slots, complete: found.length <= MOST }
    if (found.length >= MOST) break
  }
  return { slots, complete: false }
}

function slotsIn(next: Next, from: Date, until: Date): readonly Date[] {
  const slots: Date[] = []
  // The first one may be at `from` itself.
  let at = next(new Date(from.getTime() - 1))
  for (; at !== null && at <= until; at = next(at)) slots.push(at)
  return slots
}
