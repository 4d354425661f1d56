import { listed } from '../session/listed-runs.ts'
import { shortRunIds } from '../session/short-run-id.ts'
import { withHome } from './home.ts'
import type { Io } from './io.ts'
import { listFor } from './list-for.ts'
import { plainLine } from './terminal/plain-text.ts'

/** How many runs a hint names. */
const NAMED = 3

/**
 * Returns which runs wait for a person, for a command that was given no run.
 * @param name of the command, such as `runs show`
 */
export async function waitingRunsHint(name: string, io: Io): Promise<string> {
  const newest = `name a run by its id or its ending, or use \`last\` for the newest; ${listFor(name)}`
  try {
    const { runs, more, short } = await withHome(io, async (home) => {
      const waiting = await listed(home, { status: 'awaiting_approval', limit: NAMED })
      const ids = waiting.runs.map(({ run_id }) => run_id)
      return { ...waiting, short: await shortRunIds(home, ids) }
    })
    if (runs.length === 0) return newest
    const names = runs.map(
      ({ run_id, agent_name }) => `${short(run_id)} (${plainLine(agent_name ?? 'unknown', 40)})`,
    )
    return `waiting for a person: ${names.join(', ')}${more ? ', …' : ''}; ${newest}`
  } catch {
    // The missing argument is the error to report, not the home.
    return newest
  }
}
