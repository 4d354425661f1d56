import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WaybillError } from '../document/issue.ts'
import type { Plan } from '../plan/plan.ts'
import {
  type Holder,
  holderOf,
  isAlive,
  ownHolder,
  readHolder,
  takeLock,
  unlinkQuietly,
} from './process-lock.ts'

/** How often somebody who waits looks again, in milliseconds. */
const LOOK_MS = 100

export interface TakeSlot {
  readonly signal?: AbortSignal
  /** False: refuse instead of waiting. */
  readonly wait?: boolean
  /** Told once, when it has to wait. */
  readonly onWait?: (holders: readonly Holder[]) => void
}

/**
 * Who may run: no more than `runtime.concurrency` runs of one agent at a time on this machine, in whatever process
 * (AAIF §4.6). Each run takes one of N locks, which die with their process; those who wait draw a ticket, and the
 * oldest ticket is served first.
 */
export class RunSlots {
  readonly #folder: string

  /** @param folder the folder of all agents' slots; made (0700) when the first is taken */
  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * @returns what gives the slot back
   * @throws CONCURRENCY_EXCEEDED when it may not wait; the signal's reason
   */
  async take(plan: Plan, { signal, wait = true, onWait }: TakeSlot = {}): Promise<() => void> {
    const limit = plan.limits.concurrency
    // A rehearsal touches nothing that could be too much.
    if (limit === undefined || plan.rehearsal) return () => {}
    const folder = join(this.#folder, createHash('sha256').update(plan.agent_id).digest('hex').slice(0, 32))
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const ticket = drawTicket(folder)
    try {
      for (let told = false; ; told = true) {
        signal?.throwIfAborted()
        const release = isNext(folder, ticket) ? takeFree(folder, limit) : null
        if (release !== null) return release
        const holders = holdersOf(folder).map(({ holder }) => holder)
        if (!wait) throw exceeded(plan, limit, holders)
        if (!told) onWait?.(holders)
        await sleep(LOOK_MS, undefined, signal === undefined ? {} : { signal })
      }
    } finally {
      unlinkQuietly(join(folder, ticket))
    }
  }
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

function takeFree(folder: string, limit: number): (() => void) | null {
  const held = holdersOf(folder)
  if (held.length >= limit) return null
  for (let slot = 0; slot < limit; slot++) {
    if (held.some(({ name }) => name === slotName(slot))) continue
    const locked = takeLock(folder, slotName(slot))
    if (locked.taken) return locked.release
  }
  return null
}

function slotName(slot: number): string {
  return `slot-${slot}`
}

/** Also those beyond the limit, taken while it was higher. */
function holdersOf(folder: string): readonly { readonly name: string; readonly holder: Holder }[] {
  const names = new Set(readdirSync(folder).flatMap((file) => /^(slot-\d+)\.\d+$/.exec(file)?.[1] ?? []))
  return [...names].flatMap((name) => {
    const holder = holderOf(folder, name)
    return holder === null ? [] : [{ name, holder }]
  })
}

/** Tickets sort by when they were drawn. */
function drawTicket(folder: string): string {
  const time = (performance.timeOrigin + performance.now()).toFixed(3).padStart(20, '0')
  const ticket = `ticket-${time}-${randomBytes(4).toString('hex')}`
  const beside = join(folder, `drawing.${ticket}`)
  writeFileSync(beside, `${ownHolder()}\n`, { mode: 0o600, flag: 'wx' })
  // It appears whole: an empty one would be taken for a dead process's.
  renameSync(beside, join(folder, ticket))
  return ticket
}

function isNext(folder: string, ticket: string): boolean {
  for (const other of readdirSync(folder)
    .filter((file) => file.startsWith('ticket-'))
    .sort()) {
    if (other === ticket) return true
    if (isAlive(readHolder(join(folder, other)))) return false
    unlinkQuietly(join(folder, other))
  }
  return true
}
