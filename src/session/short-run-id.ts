import type { Records } from '../run/record/records.ts'

type Runs = { readonly runs: Pick<Records['runs'], 'find'> }

/** Returns the short form of a run's id. */
export type ShortRunId = (runId: string) => string

/** The fewest characters of a short form. */
export const SHORTEST = 6

/** How many ids are looked up one by one: to read all ids of a home with many runs takes longer. */
const FEW = 3

/** More ids than a store is expected to have. */
const ALL = 10_000_000

/**
 * Returns the short form of a run's id for people: its ending, which is random, of at least 6 characters, and of more if
 * another run begins or ends with them. `findRun` finds the run by it.
 */
export async function shortRunId({ runs }: Runs, runId: string): Promise<string> {
  for (const ending of endings(runId)) {
    const found = await runs.find(ending, 2)
    if (found.every((id) => id === runId)) return ending
  }
  return runId
}

/** Returns the short forms of these ids: a query for each of a few, or one query for many. */
export async function shortRunIds(home: Runs, ids: readonly string[]): Promise<ShortRunId> {
  if (ids.length > FEW) return shortRunIdsAmong([...new Set([...(await allRunIds(home)), ...ids])])
  const forms = await Promise.all(
    [...new Set(ids)].map(async (id) => [id, await shortRunId(home, id)] as const),
  )
  const known = new Map(forms)
  return (runId) => known.get(runId) ?? runId
}

/** Returns the ids of all runs. */
export async function allRunIds({ runs }: Runs): Promise<readonly string[]> {
  return runs.find('', ALL)
}

/**
 * Returns short forms that are unique among these ids.
 * @param least the fewest characters
 */
export function shortRunIdsAmong(all: readonly string[], least: number = SHORTEST): ShortRunId {
  const known = new Map<number, ReadonlyMap<string, number>>()
  const uses = (part: string) => {
    const amounts = known.get(part.length) ?? partsOf(all, part.length)
    known.set(part.length, amounts)
    return amounts.get(part) ?? 0
  }
  return (runId) => endings(runId, least).find((ending) => uses(ending) <= 1) ?? runId
}

/** Returns how many ids begin or end with each text of this length. */
function partsOf(all: readonly string[], length: number): ReadonlyMap<string, number> {
  const amounts = new Map<string, number>()
  for (const id of all)
    for (const part of new Set([id.slice(0, length), id.slice(-length)]))
      amounts.set(part, (amounts.get(part) ?? 0) + 1)
  return amounts
}

/** A form that begins with a hyphen would be an option of the command line. */
function endings(runId: string, least: number = SHORTEST): readonly string[] {
  const lengths = Array.from({ length: Math.max(0, runId.length - least) }, (_, more) => least + more)
  return lengths.map((length) => runId.slice(-length)).filter((ending) => !ending.startsWith('-'))
}
