import type { Plan } from '../../plan/plan.ts'
import type { Grants } from '../../policy/endpoint-gate.ts'
import { type Io, isInteractive } from '../io.ts'
import type { GrantedHosts } from '../run-view/ask-hosts.ts'

/**
 * Asks a person at the terminal for the hosts that tools need and that are not granted. Does nothing without a terminal.
 * @param asked hosts that the person has already been asked about; this function adds to it
 */
export async function askMissingHosts(
  plan: Plan,
  grants: Grants,
  io: Io,
  asked = new Set<string>(),
): Promise<GrantedHosts> {
  if (plan.rehearsal || !isInteractive(io)) return NO_HOSTS
  const { missingHosts } = await import('../run-view/missing-hosts.ts')
  const missing = missingHosts(plan, grants).filter(({ host }) => !asked.has(host))
  for (const { host } of missing) asked.add(host)
  if (missing.length === 0) return NO_HOSTS
  const { askHosts } = await import('../run-view/ask-hosts.ts')
  return askHosts(missing, plan, io)
}

const NO_HOSTS: GrantedHosts = { hosts: [], remembered: [] }
