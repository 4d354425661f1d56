import type { PlannedLimits } from './plan.ts'

/**
 * Returns how many runs of an agent may be active at a time (AAIF §4.6): a declared limit applies to all runs, the
 * default only to runs that no person starts.
 * @param unattended whether a batch, a trigger or a queue starts the run
 * @returns undefined: not limited
 */
export function concurrencyOf(
  { concurrency, unattended_concurrency }: PlannedLimits,
  unattended: boolean,
): number | undefined {
  return concurrency ?? (unattended ? unattended_concurrency : undefined)
}
