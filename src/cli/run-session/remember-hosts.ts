import { grantedUses } from '../../plan/granted-uses.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Home } from '../../session/home.ts'
import {
  fingerprintsFor,
  giveGrant,
  type KnownDefinition,
  newGrantId,
} from '../../settings/remembered-grants.ts'
import type { Io } from '../io.ts'
import { personName } from '../person-name.ts'

/** Stores grants of hosts to one agent, each for the uses of the host in its plan. */
export async function rememberHosts(
  hosts: readonly string[],
  { agent_id, agent_name, tools }: Plan,
  { identity, definition }: KnownDefinition,
  home: Home,
  io: Io,
): Promise<void> {
  const uses = grantedUses(tools, definition)
  for (const what of hosts) {
    const grant = { id: newGrantId(), kind: 'host' as const, what, agent_id, agent_name }
    const by = personName(io.env)
    const at = new Date().toISOString()
    const needed = fingerprintsFor(grant, uses)
    await giveGrant(home.grants, { ...grant, by, at, definition: identity, tools: needed })
  }
}
