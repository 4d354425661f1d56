import type { Records } from '../run/record/records.ts'

/** Runs that have ended and can still be read or continued by the agent that ran them. */
const KEPT_IN_MEMORY = 100

/** Where runs are kept: in the home, or in memory for as long as the caller holds it. */
export async function openRecords(home: Records | undefined): Promise<Records> {
  if (home !== undefined) return home
  const { memoryRecords } = await import('../adapters/records/memory/memory-records.ts')
  return memoryRecords({ keepEnded: KEPT_IN_MEMORY })
}
