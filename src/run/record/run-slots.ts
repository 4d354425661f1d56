import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WaybillError } from '../../document/issue.ts'
import type { Plan } from '../../plan/plan.ts'
import {
  type Holder,
  isAlive,
  type Locked,
  linkLock,
  lockPath,
  readHolder,
  unlinkQuietly,
  writeHolder,
} from './process-lock.ts'
import type { Waiting } from './slot-standstill.ts'
import { SlotWatch } from './slot-watch.ts'

/** How often somebody who waits looks again, in milliseconds. */
const LOOK_MS = 100

export interface TakeSlot {
  /** The runs that wait for this one and keep their own slots meanwhile, the root first. */
  readonly above?: readonly { readonly agent_id: string; readonly run_id: string }[]
  readonly signal?: AbortSignal
  /** False: refuse instead of waiting. */
  readonly wait?: boolean
  /** Told once, when it has to wait. */
  readonly onWait?: (holders: readonly Holder[]) => void
}

/** Those who wait here for slots of one agent, and what this process holds there. */
interface Line {
  /** Settles when the last of them has a slot, or has stopped waiting. */
  last: Promise<void>
  /** Lets the first of them look again at once. */
  wake: () => void
  readonly files: Set<string>
}

/** One who waits: its ticket, and whoever drew one here before it. */
interface Place {
  readonly folder: string
  readonly ticket: string
  readonly line: Line
  readonly before: Promise<void>
}

type Slot = Extract<Locked, { taken: true }>

/**
 * Who may run: no more than `runtime.concurrency` runs of one agent at a time on this machine, in whatever process
 * (AAIF §4.6). Each run takes one of N locks, which die with their process; those who wait draw a ticket, and the
 * oldest ticket is served first.
 */
export class RunSlots {
  readonly #folder: string
  readonly #lines = new Map<string, Line>()
  readonly #watch: SlotWatch

  /** @param folder the folder of all agents' slots; made (0700) when the first is taken */
  constructor(folder: string) {
    this.#folder = folder
    this.#watch = new SlotWatch(folder, (name) => [...holdersOf(join(folder, name)).values()])
  }

  /**
   * @returns what gives the slot back
   * @throws CONCURRENCY_EXCEEDED when it may not wait; CONCURRENCY_DEADLOCK when those who hold what it waits for wait
   * for it; the signal's reason
   */
  async take(plan: Plan, options: TakeSlot = {}): Promise<() => void> {
    const limit = plan.limits.concurrency
    // A rehearsal touches nothing that could be too much.
    if (limit === undefined || plan.rehearsal) return () => {}
    const folder = join(this.#folder, folderOf(plan))
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const line = this.#lineOf(folder)
    const ticket = drawTicket(folder, line.files)
    line.files.add(ticket)
    const before = line.last
    let leave = () => {}
    line.last = new Promise((resolve) => {
      leave = resolve
    })
    const { ends, unwatch } = this.#watched(plan, limit, ticket, options)
    try {
      const place = { folder, ticket, line, before }
      const { path, release } = await waitFor(plan, limit, place, { ...options, ...ends })
      line.files.add(path)
      return () => {
        line.files.delete(path)
        release()
        line.wake()
      }
    } finally {
      unwatch()
      line.files.delete(ticket)
      unlinkQuietly(ticket)
      leave()
    }
  }

  /** Who keeps slots while it waits may have to give way. */
  #watched(
    plan: Plan,
    limit: number,
    ticket: string,
    { above = [], signal }: TakeSlot,
  ): { readonly ends: Pick<TakeSlot, 'signal'>; unwatch(): void } {
    if (above.length === 0) return { ends: {}, unwatch: () => {} }
    const given = new AbortController()
    const unwatch = this.#watch.add(
      {
        ticket: basename(ticket),
        folder: folderOf(plan),
        agent: plan.agent_name,
        limit,
        above: above.map((run) => ({ folder: folderOf(run), run_id: run.run_id })),
      },
      (holding) => given.abort(deadlock(plan, limit, holding)),
    )
    return {
      ends: { signal: signal === undefined ? given.signal : AbortSignal.any([signal, given.signal]) },
      unwatch,
    }
  }

  #lineOf(folder: string): Line {
    const line = this.#lines.get(folder) ?? { last: Promise.resolve(), wake: () => {}, files: new Set() }
    this.#lines.set(folder, line)
    return line
  }
}

async function waitFor(
  plan: Plan,
  limit: number,
  { folder, ticket, line, before }: Place,
  { signal, wait = true, onWait }: TakeSlot,
): Promise<Slot> {
  for (let told = false; ; told = true) {
    signal?.throwIfAborted()
    const slot = isNext(folder, ticket) ? takeFree(folder, limit, ticket) : null
    if (slot !== null) return slot
    if (!wait) throw exceeded(plan, limit, [...holdersOf(folder).values()])
    if (!told) {
      onWait?.([...holdersOf(folder).values()])
      // Who came before is served before, so until then there is nothing to look for.
      await orAborted(before, signal)
      continue
    }
    const soon = new AbortController()
    line.wake = () => soon.abort()
    const ends = signal === undefined ? soon.signal : AbortSignal.any([signal, soon.signal])
    await sleep(LOOK_MS, undefined, { signal: ends }).catch(() => {})
  }
}

/** Settles when either does. */
async function orAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return promise
  if (signal.aborted) return
  let stop = () => {}
  const aborted = new Promise<void>((resolve) => {
    stop = resolve
    signal.addEventListener('abort', stop, { once: true })
  })
  await Promise.race([promise, aborted])
  signal.removeEventListener('abort', stop)
}

function folderOf({ agent_id }: { readonly agent_id: string }): string {
  return createHash('sha256').update(agent_id).digest('hex').slice(0, 32)
}

function deadlock(plan: Plan, limit: number, { agent, holder }: Waiting): WaybillError {
  return new WaybillError('CONCURRENCY_DEADLOCK', {
    at: '/agent/runtime/concurrency',
    message: `${plan.agent_name} may run ${limit} at a time, and what is under way (process ${holder.pid}) waits for ${agent}, which waits for this run: neither would ever end`,
    hint: 'raise runtime.concurrency of one of the agents that call one another, or run them one after the other',
    rule: 'AAIF-4.6-03',
  })
}

export function exceeded(plan: Plan, limit: number, holders: readonly Holder[] = []): WaybillError {
  const by = holders.length === 0 ? '' : ` (process ${holders.map(({ pid }) => pid).join(', ')})`
  return new WaybillError('CONCURRENCY_EXCEEDED', {
    at: '/agent/runtime/concurrency',
    message: `${plan.agent_name} may run ${limit} at a time, and ${limit === 1 ? 'one is' : 'as many are'} under way${by}`,
    hint: 'wait until one has ended, start it without --no-wait, or raise runtime.concurrency',
    rule: 'AAIF-4.6-03',
  })
}

function takeFree(folder: string, limit: number, ticket: string): Slot | null {
  const held = holdersOf(folder)
  if (held.size >= limit) return null
  for (let slot = 0; slot < limit; slot++) {
    if (held.has(slotName(slot))) continue
    const locked = linkLock(folder, slotName(slot), ticket)
    if (locked.taken) return locked
  }
  return null
}

function slotName(slot: number): string {
  return `slot-${slot}`
}

/** By slot; also those beyond the limit, taken while it was higher. */
function holdersOf(folder: string): ReadonlyMap<string, Holder> {
  const numbers = new Map<string, number>()
  for (const file of readdirSync(folder)) {
    const [, name, number] = /^(slot-\d+)\.(\d+)$/.exec(file) ?? []
    if (name !== undefined) numbers.set(name, Math.max(Number(number), numbers.get(name) ?? 0))
  }
  const held = new Map<string, Holder>()
  for (const [name, number] of numbers) {
    const holder = readHolder(lockPath(folder, name, number))
    if (holder !== null && isAlive(holder)) held.set(name, holder)
  }
  return held
}

/** Tickets sort by when they were drawn. @returns its path */
function drawTicket(folder: string, own: Iterable<string>): string {
  const time = (performance.timeOrigin + performance.now()).toFixed(3).padStart(20, '0')
  const ticket = `ticket-${time}-${randomBytes(4).toString('hex')}`
  const beside = join(folder, `drawing.${ticket}`)
  writeHolder(beside, own)
  // It appears whole: an empty one would be taken for a dead process's.
  renameSync(beside, join(folder, ticket))
  return join(folder, ticket)
}

function isNext(folder: string, ticket: string): boolean {
  for (const other of readdirSync(folder)
    .filter((file) => file.startsWith('ticket-'))
    .sort()) {
    const path = join(folder, other)
    if (path === ticket) return true
    if (isAlive(readHolder(path))) return false
    unlinkQuietly(path)
  }
  return true
}
