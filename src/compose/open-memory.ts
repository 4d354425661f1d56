import type { MemoryFile } from '../adapters/memory/memory-file.ts'
import type { Redactor } from '../document/redact.ts'
import type { Plan } from '../plan/plan.ts'
import type { MemoryStore } from '../run/extension.ts'
import type { MemoryPort } from '../run/ports.ts'
import type { Parts } from './parts.ts'

/** Memory is loaded where a plan has some. */
export async function openMemory(
  plans: readonly Plan[],
  parts: Parts,
  redactor: Redactor,
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

/** The stores that plans name, by their backend. */
async function openStores(
  names: ReadonlySet<string>,
  { memoryFile, extensions = [], extensionFolder }: Parts,
): Promise<ReadonlyMap<string, MemoryStore>> {
  const stores = new Map<string, MemoryStore>()
  if (memoryFile !== undefined && names.has('sqlite')) stores.set('sqlite', await openMemoryFile(memoryFile))
  for (const { name, memoryBackends = {} } of extensions) {
    for (const [word, backend] of Object.entries(memoryBackends)) {
      if (!names.has(word)) continue
      const folder = extensionFolder?.(name)
      const { openStore } = await import('../adapters/extensions/open-store.ts')
      stores.set(word, openStore(backend, folder === undefined ? {} : { folder }))
    }
  }
  return stores
}

/** The file in which agents remember; opened when it is first read, made when the first item is kept. */
export async function openMemoryFile(path: string): Promise<MemoryFile> {
  const { MemoryFile } = await import('../adapters/memory/memory-file.ts')
  return new MemoryFile(path)
}
