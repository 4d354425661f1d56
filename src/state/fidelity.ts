/** How one part of a run came through a capture or a restore. */
export interface FidelityEntry {
  /** The part, as a path in the Agent State, such as `conversation` or `memory_snapshot[2]`. */
  readonly part: string
  /**
   * `kept`: unchanged, in a place that the format has. `carried`: unchanged, in `x-waybill`, which only Waybill reads.
   * `approximated`: changed, but usable. `left_behind`: lost.
   */
  readonly status: FidelityStatus
  readonly note?: string
}

export const FIDELITY_STATUSES = ['kept', 'carried', 'approximated', 'left_behind'] as const
export type FidelityStatus = (typeof FIDELITY_STATUSES)[number]

/** What a capture or a restore has kept, in the order of the work. */
export interface FidelityReport {
  readonly entries: readonly FidelityEntry[]
  readonly summary: Readonly<Record<FidelityStatus, number>>
}

/** Returns one report of several steps. */
export function joinedReports(...reports: readonly FidelityReport[]): FidelityReport {
  return new Fidelity(reports.flatMap(({ entries }) => entries)).report()
}

/** Collects the entries of one report. */
export class Fidelity {
  readonly #entries: FidelityEntry[]
  readonly #prefix: string

  constructor(entries: FidelityEntry[] = [], prefix = '') {
    this.#entries = entries
    this.#prefix = prefix
  }

  /** Returns a collector for a part of the whole, such as a sub-agent, whose entries belong to this report. */
  below(prefix: string): Fidelity {
    return new Fidelity(this.#entries, prefix)
  }

  kept(part: string, note?: string): void {
    this.#add(part, 'kept', note)
  }

  carried(part: string, note?: string): void {
    this.#add(part, 'carried', note)
  }

  approximated(part: string, note: string): void {
    this.#add(part, 'approximated', note)
  }

  leftBehind(part: string, note: string): void {
    this.#add(part, 'left_behind', note)
  }

  /** Returns whether an entry is about a member of the root, or about a part of it. */
  speaksOf(member: string): boolean {
    const name = `${this.#prefix}${member}`
    return this.#entries.some(({ part }) => part === name || /^[[ .]/.test(afterName(part, name)))
  }

  report(): FidelityReport {
    const summary = { kept: 0, carried: 0, approximated: 0, left_behind: 0 }
    for (const { status } of this.#entries) summary[status]++
    return { entries: [...this.#entries], summary }
  }

  #add(part: string, status: FidelityStatus, note: string | undefined): void {
    this.#entries.push({ part: `${this.#prefix}${part}`, status, ...(note !== undefined && { note }) })
  }
}

function afterName(part: string, name: string): string {
  return part.startsWith(name) ? part.slice(name.length) : ''
}
