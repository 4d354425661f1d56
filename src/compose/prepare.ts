import { compileProgram } from '../plan/compile-program.ts'
import type { Plan, Program } from '../plan/plan.ts'
import { planFamily } from '../plan/plan-family.ts'
import type { Snapshot } from '../plan/snapshot.ts'
import type { HostGrant } from '../policy/endpoint-gate.ts'
import { definitionIdentities } from '../resolve/definition-identity.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { Fetched } from './fetched.ts'
import { hostFacts, type KnownHost } from './host-facts.ts'
import type { Parts } from './parts.ts'
import { planWithSecrets } from './plan-with-secrets.ts'
import { type Places, type Preparation, preparationOf, withHosts } from './preparation.ts'
import { isFamilyComplete, readFamily } from './read-family.ts'
import { pinFamily, type ResolvedFamily, resolveFamily } from './resolve-family.ts'

export interface Prepared {
  readonly program: Program
  /** The plans of all agents that may take part, including the root. */
  readonly family: readonly Plan[]
  /** The snapshot that the root's plan was made from. */
  readonly snapshot: Snapshot
  /** Identities of the agents in the home, by definition hash. */
  readonly definitions: Readonly<Record<string, string>>
  /** Pins new tools of servers, which `Places.pin` does before planning. */
  pinTools(): void
}

/** The results of all steps, from which the family can be planned again. */
export interface PreparedSteps {
  readonly preparation: Preparation
  readonly resolved: ResolvedFamily
  readonly host: KnownHost
  readonly prepared: Prepared
}

/**
 * Prepares runs of a definition that has been validated, in four steps: its family is read, everything that the family
 * references is resolved, the facts of the host are found, and the family is planned.
 */
export async function prepare(
  definition: AgentDefinition,
  parts: Parts,
  places: Places,
  signal?: AbortSignal,
): Promise<Prepared> {
  const { prepared } = await takeSteps(await preparationOf(definition, parts, places, { signal }))
  return prepared
}

/** Does the same as {@link prepare} for a person who may be asked for further grants; see {@link grantHosts}. */
export async function prepareToAsk(
  definition: AgentDefinition,
  parts: Parts,
  places: Places,
): Promise<PreparedSteps> {
  return takeSteps(await preparationOf(definition, parts, places, { fetched: new Fetched() }))
}

async function takeSteps(preparation: Preparation): Promise<PreparedSteps> {
  const members = await readFamily(preparation)
  const resolved = await resolveFamily(members, preparation)
  const host = await hostFacts(members, preparation)
  return planned({ preparation, resolved, host })
}

/**
 * Plans again with further grants of hosts to the root, from the same data. What was refused without these grants is
 * resolved again; nothing else is fetched.
 */
export async function grantHosts(
  { preparation: before, resolved: earlier, host: known }: PreparedSteps,
  hosts: readonly HostGrant[],
): Promise<PreparedSteps> {
  const preparation = { ...before, parts: withHosts(before.parts, hosts) }
  const isComplete = isFamilyComplete(earlier.members)
  const members = isComplete ? earlier.members : await readFamily(preparation)
  const resolved = await resolveFamily(members, preparation, earlier)
  const host = isComplete ? known : await hostFacts(members, preparation)
  return planned({ preparation, resolved, host })
}

/** The last step. It reaches nothing but the answers about secrets. */
async function planned(steps: Omit<PreparedSteps, 'prepared'>): Promise<PreparedSteps> {
  const { resolved, host } = steps
  // What is returned lives as long as a run, and must not keep what was fetched.
  const { places, parts } = steps.preparation
  const { members, snapshots } = resolved
  const family = await planWithSecrets(host.answers, () => planFamily(snapshots, parts.settings, host.facts))
  const [plan] = family
  const [snapshot] = snapshots
  if (plan === undefined || snapshot === undefined) throw new Error('a family has a root')
  const prepared = {
    program: compileProgram(plan, family),
    family,
    snapshot,
    definitions: definitionIdentities(members, places),
    pinTools: () => pinFamily(resolved, { places, parts }),
  }
  return { ...steps, prepared }
}
