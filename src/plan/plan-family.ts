import { inheritance } from './inherited.ts'
import { judgeFamily } from './judge-family.ts'
import { makePlan } from './make-plan.ts'
import type { HostFacts, OperatorSettings } from './operator-settings.ts'
import type { Plan } from './plan.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * Plans all agents of a family, each with the requirements of the agents that may call it.
 * @param snapshots one of each agent, the root first
 * @param settings those of the root
 * @returns the plans in the same order
 */
export function planFamily(
  snapshots: readonly Snapshot[],
  settings: OperatorSettings,
  host: HostFacts,
): readonly Plan[] {
  const inherited = inheritance(snapshots)
  const below = settingsBelow(settings)
  return judgeFamily(
    snapshots.map((snapshot, index) =>
      makePlan(snapshot, index === 0 ? settings : below, host, inherited.get(snapshot.definition_hash)),
    ),
  )
}

/** Returns the settings of the agents below the root: grants for one started definition do not apply to them. */
export function settingsBelow(settings: OperatorSettings): OperatorSettings {
  const { grants, secret_grants } = settings
  return {
    ...settings,
    grants: { ...grants, hosts: grants.hosts.filter(({ bound }) => bound !== true) },
    secret_grants: secret_grants.filter(({ bound }) => bound !== true),
  }
}
