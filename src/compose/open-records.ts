import type { Records } from '../run/record/records.ts'

/** The number of finished runs that remain readable in memory. */
const KEPT_IN_MEMORY = 100

/** Opens the records of runs: those of the home, or records in memory. */
export async function openRecords(home: Records | undefined): Promise<Records> {
  if (home !== undefined) return home
  const { memoryRecords } = await import('../adapters/records/memory/memory-records.ts')
  return memoryRecords({ keepEnded: KEPT_IN_MEMORY })
}
