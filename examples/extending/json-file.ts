// A place for memory: `backend: json_file`, one JSON file, for one process at a time.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MemoryBackend, MemoryItem, MemoryOwner } from 'waybill/ports'

interface Kept extends MemoryItem {
  readonly declared?: true
}

/** Maps, because a key may be any text, `__proto__` as well. */
interface Content {
  /** By owner and key. */
  readonly items: Map<string, { readonly owner: string; readonly item: Kept }>
  /** What has been done once: seeds and calls. */
  readonly done: Set<string>
}

export const jsonFile: MemoryBackend = {
  open({ folder }) {
    if (folder === undefined) throw new Error('a JSON file needs a home that contains it')
    const path = join(folder, 'memory.json')
    const { items, done } = read(path)
    const write = () => {
      writeFileSync(`${path}.new`, JSON.stringify({ items: [...items], done: [...done] }), { mode: 0o600 })
      renameSync(`${path}.new`, path)
    }
    const keep = (owner: string, item: Kept) => items.set(JSON.stringify([owner, item.key]), { owner, item })
    return {
      seed(of, item, sha256) {
        const owner = nameOf(of)
        const seed = JSON.stringify(['seed', owner, item.key, sha256])
        if (done.has(seed)) return
        done.add(seed)
        const there = items.get(JSON.stringify([owner, item.key]))?.item
        // What the agent has written itself stays.
        if (there === undefined || there.declared === true) keep(owner, { ...item, declared: true })
        write()
      },
      save(of, item, callKey) {
        const call = JSON.stringify(['call', callKey])
        if (done.has(call)) return
        done.add(call)
        keep(nameOf(of), { ...item })
        write()
      },
      items(of, at) {
        const owner = nameOf(of)
        return [...items.values()]
          .filter((kept) => kept.owner === owner)
          .map(({ item: { declared: _, ...item } }) => item)
          .filter(({ expires_at }) => expires_at === null || expires_at > at)
          .sort((a, b) => b.saved_at - a.saved_at)
      },
    }
  },
}

function read(path: string): Content {
  if (!existsSync(path)) return { items: new Map(), done: new Set() }
  const { items, done } = JSON.parse(readFileSync(path, 'utf8'))
  return { items: new Map(items), done: new Set(done) }
}

function nameOf({ definition, agent_id, scope, user, session }: MemoryOwner): string {
  return JSON.stringify([definition, agent_id, scope, user, session])
}
