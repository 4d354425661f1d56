/** A ticket for a slot, waiting or granted. */
export interface SlotTicket {
  readonly agent: string
  readonly agent_name: string
  readonly limit: number
  readonly run_id: string
  /** The runs that wait for this one and keep their own slots meanwhile, the root first. */
  readonly above: readonly { readonly agent: string; readonly run_id: string }[]
  readonly granted: boolean
}

/**
 * Decides whether waiting of a new ticket would close a circle: every slot that it requests is held by a run that
 * waits, directly or indirectly, for a slot held by the runs above it. Only a new ticket can close a circle,
 * because a ticket that has just been granted does not wait yet.
 * @param tickets all others whose process is alive
 * @returns a run of the circle that holds a requested slot; undefined if the ticket may wait
 */
export function closesCircle(
  newcomer: SlotTicket,
  tickets: readonly SlotTicket[],
): Pick<SlotTicket, 'agent_name'> | undefined {
  if (newcomer.above.length === 0) return undefined
  const held = heldBy(tickets)
  const stuck = stuckAmong([...tickets.filter(({ granted }) => !granted), newcomer], held)
  if (!stuck.includes(newcomer)) return undefined
  const found = new Set<SlotTicket>()
  const open = [newcomer]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const next of stuck) {
      if (found.has(next) || !keepsSlotOf(next, one.agent, held)) continue
      found.add(next)
      open.push(next)
    }
  }
  if (!found.has(newcomer)) return undefined
  return stuck.find((other) => keepsSlotOf(other, newcomer.agent, held))
}

/** By agent: the runs that hold its slots, one entry for each slot. */
type Held = ReadonlyMap<string, readonly string[]>

function heldBy(tickets: readonly SlotTicket[]): Held {
  const held = new Map<string, string[]>()
  for (const { agent, run_id, granted } of tickets) {
    if (!granted) continue
    const runs = held.get(agent) ?? []
    runs.push(run_id)
    held.set(agent, runs)
  }
  return held
}

/**
 * Returns the tickets that can never be granted: all slots that they request are held by runs that wait for a stuck
 * ticket.
 */
function stuckAmong(waiting: readonly SlotTicket[], held: Held): readonly SlotTicket[] {
  const runs = new Set(waiting.flatMap(({ above }) => above.map(({ run_id }) => run_id)))
  const stuck = waiting.filter(
    ({ agent, limit }) => (held.get(agent) ?? []).filter((run_id) => runs.has(run_id)).length >= limit,
  )
  return stuck.length === waiting.length ? stuck : stuckAmong(stuck, held)
}

function keepsSlotOf({ above }: SlotTicket, agent: string, held: Held): boolean {
  const runs = held.get(agent) ?? []
  return above.some((run) => run.agent === agent && runs.includes(run.run_id))
}
