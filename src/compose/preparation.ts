import type { HostGrant } from '../policy/endpoint-gate.ts'
import type { DefinitionSource } from '../resolve/definition-identity.ts'
import type { FindAgent } from '../resolve/read-members.ts'
import { redactedSecrets } from '../run/redacted-secrets.ts'
import { createRedactor } from '../secret/redact.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { type Added, addedTo, withAddedKeys } from './extensions.ts'
import type { Fetched } from './fetched.ts'
import type { Parts } from './parts.ts'

export interface Places extends DefinitionSource {
  /** The folder of the definition, which its files must be in. */
  readonly folder: string | undefined
  /** The folder of its sub-agents; absent: the folder of the definition. */
  readonly agents?: string | undefined
  /** Finds its sub-agents that are not named by URLs, instead of a folder. */
  readonly findAgent?: FindAgent | undefined
  /**
   * The lock file of its tools; null if it cannot have one, which the plan reports. Absent: its tools, and those of its
   * sub-agents, are not pinned.
   */
  readonly lock?: string | null | undefined
  /** Whether new tools are pinned. */
  readonly pin?: boolean | undefined
}

/** What all steps of a preparation work with. No step changes it. */
export interface Preparation {
  /** The root, already validated. */
  readonly definition: AgentDefinition
  readonly places: Places
  /** With the key bindings of the providers that extensions add. */
  readonly parts: Parts
  readonly added: Added
  /** Absent: what is fetched is not kept, because no person is asked for further grants. */
  readonly fetched?: Fetched | undefined
  readonly signal?: AbortSignal | undefined
}

export async function preparationOf(
  definition: AgentDefinition,
  given: Parts,
  places: Places,
  more: Pick<Preparation, 'fetched' | 'signal'> = {},
): Promise<Preparation> {
  const added = await addedTo(given.extensions)
  const parts = {
    ...given,
    secrets: redactedSecrets(given.secrets, createRedactor(new Map())),
    settings: withAddedKeys(given.settings, added.facts),
  }
  return { definition, places, parts, added, ...more }
}

/** Returns the same parts with further grants of hosts to the root. */
export function withHosts<T extends Pick<Parts, 'settings'>>(parts: T, granted: readonly HostGrant[]): T {
  const { settings } = parts
  const { grants } = settings
  return { ...parts, settings: { ...settings, grants: { ...grants, hosts: [...grants.hosts, ...granted] } } }
}
