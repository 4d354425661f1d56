import { merged, type RouteHistory } from '../../../run/decide/route-history.ts'
import type { AuditRecords, Records, RouteRecords } from '../../../run/record/records.ts'
import type { AuditFact } from '../../../trust/audit-chain.ts'
import { MemoryGrants } from './grant-records.ts'
import { MemoryItems } from './kept-items.ts'
import { MemoryPlace } from './memory-place.ts'
import { MemoryRuns } from './run-records.ts'
import { MemorySlots, sweepDead } from './slot-records.ts'

export interface MemoryRecordsOptions {
  /** Shares the store with another view, like two processes that share a database. */
  readonly place?: MemoryPlace
  /** Maximum number of ended runs to keep. Default: all. */
  readonly keepEnded?: number
}

export interface InMemoryRecords extends Records {
  readonly runs: MemoryRuns
  readonly slots: MemorySlots
  readonly grants: MemoryGrants
  readonly memory: MemoryItems
  readonly place: MemoryPlace
  close(): void
  /** Closes without releasing anything, like a crashed process: for tests. */
  abandon(): void
}

/** Opens records in memory, for runs without a home and for tests. Results are returned synchronously. */
export function memoryRecords({
  place = new MemoryPlace(),
  keepEnded,
}: MemoryRecordsOptions = {}): InMemoryRecords {
  const view = {}
  place.live.add(view)
  const runs = new MemoryRuns(place, view, keepEnded)
  const slots = new MemorySlots(place, view)
  return {
    runs,
    slots,
    grants: new MemoryGrants(place),
    memory: new MemoryItems(place),
    audit: auditOf(place),
    routes: routesOf(place),
    place,
    close() {
      runs.releaseAll()
      slots.releaseAll()
      place.live.delete(view)
    },
    abandon() {
      place.live.delete(view)
      sweepDead(place)
    },
  }
}

function auditOf(place: MemoryPlace): AuditRecords {
  return {
    append: (facts: readonly AuditFact[]) => place.append(facts),
    lines: (after = 0, limit = Number.POSITIVE_INFINITY) => place.lines.slice(after, after + limit),
    head: () => place.head,
  }
}

function routesOf(place: MemoryPlace): RouteRecords {
  return {
    read: () => new Map(place.routes),
    merge(seen: ReadonlyMap<string, RouteHistory>) {
      for (const [name, history] of seen) {
        const known = place.routes.get(name)
        place.routes.set(name, known === undefined ? history : merged(known, history))
      }
    },
  }
}
