/** Where a run is being moved, or was moved. */
export interface MovedTo {
  readonly phase: 'moving' | 'moved'
  /** The new owner, as the URI of its place. */
  readonly owner: string
  /** The run there, if it is known. */
  readonly run_id: string | null
  /** The new owner has reported that it does not know the run any more: it can be taken back. */
  readonly receiver?: 'unknown'
}

/** Returns what a view of a run says about it, whose status says the phase. */
export function withoutPhase({ phase: _phase, ...moved }: MovedTo): Omit<MovedTo, 'phase'> {
  return moved
}
