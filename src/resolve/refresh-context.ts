import { defined } from '../document/defined.ts'
import type { ContextPort } from '../run/ports.ts'
import { fetchText } from './resolve-definition.ts'

/** Fetches the expired context texts of a conversation again, in parallel. */
export function contextOver(fetch: typeof globalThis.fetch): ContextPort {
  return {
    async refresh({ aging = [] }, { started_at, background }, at, signal) {
      const due = aging.filter(({ item, ttl_ms }) => at - (background[item]?.at ?? started_at) >= ttl_ms)
      return Promise.all(
        due.map(async ({ item, url, label, sha256 }) => {
          const named = { item, source: url, ...defined({ label }) }
          const read = await fetchText(url, {}, { fetch, signal })
          if (!read.found) return { ...named, reason: read.reason }
          const known = background[item]?.sha256 ?? sha256
          return { ...named, sha256: read.sha256, ...(read.sha256 !== known && { text: read.text }) }
        }),
      )
    },
  }
}
