import { ownMember } from '../document/own-member.ts'
import type { Plan } from '../plan/plan.ts'
import type { MemoryStore } from '../run/extension.ts'
import type { MemoryPort } from '../run/ports.ts'
import type { Redactor } from '../secret/redact.ts'
import type { Home } from '../session/home.ts'
import type { Parts } from './parts.ts'

/** Opens memory if a plan uses it. */
export async function openMemory(
  plans: readonly Plan[],
  parts: Parts,
  redactor: Redactor,
  definitions: Readonly<Record<string, string>>,
): Promise<{ readonly port: MemoryPort; close(): Promise<void> } | undefined> {
  const entries = plans.flatMap((plan) => plan.memory)
  if (entries.length === 0) return undefined
  const { createMemoryPort } = await import('../adapters/memory/memory-port.ts')
  const similar = entries.some(
    ({ retrieval_strategy: strategy }) => strategy === 'similarity' || strategy === 'hybrid',
  )
  const stores = await openStores(new Set(entries.map(({ kept_in }) => kept_in)), parts)
  const port = createMemoryPort({
    redact: (text) => redactor.text(text),
    definitionOf: ({ definition_hash }) =>
      ownMember(definitions, definition_hash) ?? `sha256:${definition_hash}`,
    stores,
    ...(similar && {
      embed: (await import('../adapters/memory/offline-embedder.ts')).createOfflineEmbedder(),
    }),
  })
  return {
    port,
    close: async () => {
      for (const store of stores.values()) await store.close?.()
    },
  }
}

/** Opens the stores that plans use, by backend. */
async function openStores(
  names: ReadonlySet<string>,
  { home, extensions = [] }: Parts,
): Promise<ReadonlyMap<string, MemoryStore>> {
  const stores = new Map<string, MemoryStore>()
  if (home !== undefined && names.has('sqlite')) stores.set('sqlite', storeOf(home))
  for (const { name, memoryBackends = {} } of extensions) {
    for (const [word, backend] of Object.entries(memoryBackends)) {
      if (!names.has(word)) continue
      const folder = home?.extensionFolder?.(name)
      const { openStore } = await import('../adapters/extensions/open-store.ts')
      stores.set(word, openStore(backend, folder === undefined ? {} : { folder }))
    }
  }
  return stores
}

/** Returns the memory of a home. It is closed with the home, not with the agents that use it. */
function storeOf({ memory }: Home): MemoryStore {
  return {
    seed: (...args) => memory.seed(...args),
    save: (...args) => memory.save(...args),
    items: (...args) => memory.items(...args),
    vectors: async (owner) => (await memory.vectors?.(owner)) ?? new Map(),
    keepVector: (...args) => memory.keepVector?.(...args),
  }
}
