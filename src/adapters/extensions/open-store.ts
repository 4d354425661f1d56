import type { MemoryBackend, MemoryServices, MemoryStore } from '../../run/extension.ts'
import { CLOSE_MS, within } from '../net/within.ts'

/**
 * Returns the store of an extension, which is opened on first use: if opening fails, the run adds a warning and
 * continues.
 */
export function openStore(backend: MemoryBackend, services: MemoryServices): MemoryStore {
  let opened: Promise<MemoryStore> | undefined
  const store = () => {
    opened ??= Promise.resolve().then(() => backend.open(services))
    return opened
  }
  return {
    seed: async (owner, item, sha256) => (await store()).seed(owner, item, sha256),
    save: async (owner, item, callKey) => (await store()).save(owner, item, callKey),
    items: async (owner, at) => (await store()).items(owner, at),
    vectors: async (owner) => (await (await store()).vectors?.(owner)) ?? new Map(),
    keepVector: async (owner, item, vector) => (await store()).keepVector?.(owner, item, vector),
    close: () => within(CLOSE_MS, Promise.resolve(opened?.then((store) => store.close?.()))),
  }
}
