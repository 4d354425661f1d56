// A place for memory: `backend: json_file`, one JSON file, for one process at a time.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MemoryBackend, MemoryItem, MemoryOwner } from 'waybill/ports'

interface Kept extends MemoryItem {
  readonly declared?: true
}

interface Content {
  /** By owner, then by key. */
  readonly items: Record<string, Record<string, Kept>>
  readonly seeds: Record<string, true>
  readonly calls: Record<string, true>
}

export const jsonFile: MemoryBackend = {
  open({ folder }) {
    if (folder === undefined) throw new Error('a JSON file needs a home to lie in')
    const path = join(folder, 'memory.json')
    const content: Content = existsSync(path)
      ? JSON.parse(readFileSync(path, 'utf8'))
      : { items: {}, seeds: {}, calls: {} }
    const write = () => {
      writeFileSync(`${path}.new`, JSON.stringify(content), { mode: 0o600 })
      renameSync(`${path}.new`, path)
    }
    const ofOwner = (owner: MemoryOwner) => {
      const name = nameOf(owner)
      content.items[name] ??= {}
      return content.items[name]
    }
    return {
      seed(owner, item, sha256) {
        const seed = JSON.stringify([nameOf(owner), item.key, sha256])
        if (content.seeds[seed]) return
        content.seeds[seed] = true
        const items = ofOwner(owner)
        // What the agent has written itself stays.
        if (items[item.key]?.declared !== undefined || items[item.key] === undefined)
          items[item.key] = { ...item, declared: true }
        write()
      },
      save(owner, item, callKey) {
        if (content.calls[callKey]) return
        content.calls[callKey] = true
        ofOwner(owner)[item.key] = { ...item }
        write()
      },
      items(owner, at) {
        return Object.values(ofOwner(owner))
          .filter(({ expires_at }) => expires_at === null || expires_at > at)
          .sort((a, b) => b.saved_at - a.saved_at)
          .map(({ declared: _, ...item }) => item)
      },
    }
  },
}

function nameOf({ agent_id, scope, user, session }: MemoryOwner): string {
  return JSON.stringify([agent_id, scope, user, session])
}
