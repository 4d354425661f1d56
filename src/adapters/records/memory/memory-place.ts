import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Plan } from '../../../plan/plan.ts'
import type { RouteHistory } from '../../../run/decide/route-history.ts'
import type { RunEvent } from '../../../run/event.ts'
import type { Grant } from '../../../run/record/grant.ts'
import type { LeftDecision } from '../../../run/record/left-decision.ts'
import type { FirstFact, KeptItem, Question, SlotRequest } from '../../../run/record/records.ts'
import { createdAt, type RunHeader } from '../../../run/record/run-header.ts'
import { foldRun, type RunSummary, summaryOf } from '../../../run/record/run-summary.ts'
import {
  type AuditEntry,
  type AuditFact,
  BEFORE_FIRST,
  type EntryMaker,
  entryMaker,
} from '../../../trust/audit-chain.ts'

export interface PlacedRun {
  readonly header: RunHeader
  readonly plan: Plan
  readonly family: readonly Plan[]
  readonly first: FirstFact
  readonly created_at: number
  readonly imported: boolean
  readonly events: RunEvent[]
  readonly decisions: { readonly question: Question; readonly decision: LeftDecision }[]
  /** Sealed lines of it and of its sub-agents; on a root run only. */
  readonly sealed: string[]
  /** Who has asked to pause it. */
  pause: string | null
  summary: RunSummary
  epoch: number
  /** The view that holds the lease. */
  holder: object | null
}

export interface PlacedTicket extends SlotRequest {
  readonly holder: object
  granted: boolean
  readonly grantedNow: () => void
  /** Ends its waiting, because its view is closed. */
  readonly closed: () => void
}

/** State shared by several views, like a database shared by processes. */
export class MemoryPlace {
  readonly runs = new Map<string, PlacedRun>()
  /** In the order of the requests. */
  tickets: PlacedTicket[] = []
  readonly grants = new Map<string, Grant>()
  /** The number of each grant, in the order in which they were given first. */
  readonly grantNumbers = new Map<string, number>()
  lastGrant = 0
  readonly routes = new Map<string, RouteHistory>()
  readonly lines: string[] = []
  /** By owner and key. */
  readonly items = new Map<string, KeptItem & { readonly vector?: Float32Array }>()
  readonly seeds = new Set<string>()
  readonly calls = new Set<string>()
  readonly sessions = new Map<string, number>()
  /** Views that are open and alive. */
  readonly live = new Set<object>()
  head: AuditEntry | null = null
  readonly #nextEntry: EntryMaker

  /** @param signAudit returns the key that signs audit entries; default: a new key */
  constructor(signAudit: (keyId?: string) => KeyObject = () => generateKeyPairSync('ed25519').privateKey) {
    this.#nextEntry = entryMaker(signAudit)
  }

  /** Appends audit entries, all or none. Entries are written before the change that they describe. */
  append(facts: readonly AuditFact[]): void {
    let { head } = this
    const lines: string[] = []
    for (const fact of facts) {
      head = this.#nextEntry(fact, head ?? BEFORE_FIRST)
      lines.push(JSON.stringify(head))
    }
    this.head = head
    this.lines.push(...lines)
  }

  isLive(holder: object | null): boolean {
    return holder !== null && this.live.has(holder)
  }

  put(run: PlacedRun): void {
    this.runs.set(run.header.run_id, run)
  }
}

/** Builds the stored form of a run. @throws TypeError if its events are inconsistent */
export function placedRun(
  run: Pick<PlacedRun, 'header' | 'plan' | 'family' | 'first' | 'imported' | 'holder'>,
  events: readonly RunEvent[],
): PlacedRun {
  return {
    ...run,
    created_at: createdAt(run.header),
    events: [...events],
    decisions: [],
    sealed: [],
    pause: null,
    summary: summaryOf(foldRun(run.header, events)),
    epoch: run.holder === null ? 0 : 1,
  }
}
