import { sha256 } from '../../document/canonical.ts'
import type { AnyCode } from '../../document/codes.ts'
import { messageOf } from '../../document/message-of.ts'
import type { PlannedMemory } from '../../plan/plan.ts'
import type { MemoryOwner, MemoryStore } from '../../run/extension.ts'
import type { MemoryPort, MemoryRequest, Recalled } from '../../run/ports.ts'
import type { MemoryItem, RunWarning } from '../../run/state.ts'
import { type Embed, rankItems, type VectorsOf } from './rank-items.ts'

export interface MemoryParts {
  /** Stores for items that outlive a run, by the backend in the plan. */
  readonly stores?: ReadonlyMap<string, MemoryStore>
  /** Absent: similarity search falls back to keyword search. */
  readonly embed?: Embed
  /** Removes secrets from items before they are stored. */
  readonly redact: (text: string) => string
  /**
   * Returns the identity of the definition that owns the items. Default: `definition_hash`, which changes with every
   * edit.
   */
  readonly definitionOf?: (request: Asking) => string
}

type Asking = Pick<MemoryRequest, 'agent_id' | 'definition_hash'>

/** Memory of agents: items in the record of a run, and items in stores that outlive the run. */
export function createMemoryPort({
  stores,
  embed,
  redact,
  definitionOf = ({ definition_hash }) => definition_hash,
}: MemoryParts): MemoryPort {
  const ownerOf = (asking: Asking, { scope, user, session }: PlannedMemory): MemoryOwner => ({
    definition: definitionOf(asking),
    agent_id: asking.agent_id,
    scope,
    user: user ?? '',
    session: session ?? '',
  })
  const storeOf = ({ kept_in }: PlannedMemory): MemoryStore => {
    const store = stores?.get(kept_in)
    if (store === undefined) throw new Error(`this host has no store for items in ${kept_in}`)
    return store
  }
  const clean = (item: MemoryItem): MemoryItem => ({
    ...item,
    key: redact(item.key),
    content: redact(item.content),
  })

  const pool = async (entry: PlannedMemory, request: MemoryRequest): Promise<readonly MemoryItem[]> => {
    const { at, held, entries } = request
    if (entry.kept_in === 'in_memory') {
      return held.filter(({ scope, expires_at }) => scope === entry.scope && isLive(expires_at, at))
    }
    const kept = storeOf(entry)
    const owner = ownerOf(request, entry)
    for (const seed of entries) {
      if (seed.kept_in !== entry.kept_in || seed.scope !== entry.scope) continue
      const expires_at = seed.ttl_seconds === 0 ? null : at + seed.ttl_seconds * 1000
      const { scope, key, content } = seed
      await kept.seed(owner, clean({ scope, key, content, saved_at: at, expires_at }), sha256(content))
    }
    return (await kept.items(owner, at))
      .map((item) => readItem(item, entry))
      .filter(({ expires_at }) => isLive(expires_at, at))
  }

  const vectorsOf =
    (entry: PlannedMemory, asking: Asking, embedTexts: Embed): VectorsOf =>
    async (items) => {
      const kept = entry.kept_in === 'in_memory' ? undefined : storeOf(entry)
      const owner = ownerOf(asking, entry)
      const known = (await kept?.vectors?.(owner)) ?? new Map<string, Float32Array>()
      const missing = items.filter(({ key }) => !known.has(key))
      const made = await embedTexts(missing.map(({ content }) => content))
      const vectors = new Map(known)
      // In parallel: a store may commit them together.
      await Promise.all(
        missing.map(async (item, index) => {
          const vector = made[index]
          if (vector === undefined) return
          vectors.set(item.key, vector)
          await kept?.keepVector?.(owner, item, vector)
        }),
      )
      return items.map(({ key }) => vectors.get(key) ?? new Float32Array())
    }

  const ranked = async (
    entry: PlannedMemory,
    query: string,
    items: readonly MemoryItem[],
    asking: Asking,
    warnings: RunWarning[],
  ): Promise<readonly MemoryItem[]> => {
    const similarity = embed === undefined ? undefined : { embed, vectorsOf: vectorsOf(entry, asking, embed) }
    try {
      return await rankItems(entry.retrieval_strategy, query, items, similarity)
    } catch (error) {
      if (similarity === undefined || memoryCodeOf(error) !== undefined) throw error
      const message = `texts could not be compared by meaning, so items are found by keyword: ${messageOf(error)}`
      warnings.push({ code: 'MEMORY_EMBEDDING_FAILED', message })
      return rankItems('keyword', query, items, undefined)
    }
  }

  return {
    async recall(request) {
      const warnings: RunWarning[] = []
      const found: MemoryItem[] = []
      for (const entry of queriesOf(request.entries)) {
        await part(warnings, async () => {
          const items = await pool(entry, request)
          const best = await ranked(entry, request.query, items, request, warnings)
          found.push(...best.slice(0, entry.top_k))
        })
      }
      return { items: distinct(found), warnings }
    },

    async collect(request) {
      const warnings: RunWarning[] = []
      // Items passed by a caller are kept in the record even if no entry declares their scope.
      const found = request.held.filter(({ expires_at }) => isLive(expires_at, request.at))
      for (const entry of poolsOf(request.entries)) {
        if (entry.kept_in !== 'in_memory')
          await part(warnings, async () => found.push(...(await pool(entry, request))))
      }
      const { keys } = request
      const asked = keys === undefined ? found : found.filter(({ key }) => keys.includes(key))
      return { items: distinct(asked), warnings }
    },

    async save({ entry, item, call_key, run_id, ...asking }) {
      await storeOf(entry).save(ownerOf(asking, entry), clean(item), call_key, run_id)
    },
  }
}

/** A failure in one part of the memory must not affect the others. */
async function part(warnings: RunWarning[], read: () => Promise<unknown>): Promise<void> {
  try {
    await read()
  } catch (error) {
    const hint = (error as { details?: { hint?: string } }).details?.hint
    const warning: RunWarning = {
      code: memoryCodeOf(error) ?? 'MEMORY_FAILED',
      message: hint === undefined ? messageOf(error) : `${messageOf(error)}; ${hint}`,
    }
    if (!warnings.some(({ message }) => message === warning.message)) warnings.push(warning)
  }
}

/** Validates the items from a store: their shape, and that they belong to the scope. */
function readItem(
  { scope, key, content, saved_at, expires_at }: MemoryItem,
  entry: PlannedMemory,
): MemoryItem {
  const expires = expires_at ?? null
  if (
    scope !== entry.scope ||
    typeof key !== 'string' ||
    typeof content !== 'string' ||
    !Number.isFinite(saved_at) ||
    (expires !== null && !Number.isFinite(expires))
  ) {
    throw new Error(`${entry.kept_in} returned a value that is not an item of scope ${entry.scope}`)
  }
  return { scope, key, content, saved_at, expires_at: expires }
}

/** Entries with the same query for the same items share one query. */
function queriesOf(entries: readonly PlannedMemory[]): readonly PlannedMemory[] {
  return uniqueBy(entries, (entry) =>
    [entry.scope, entry.kept_in, entry.retrieval_strategy, entry.top_k].join('/'),
  )
}

function poolsOf(entries: readonly PlannedMemory[]): readonly PlannedMemory[] {
  return uniqueBy(entries, (entry) => `${entry.scope}/${entry.kept_in}`)
}

function distinct(items: readonly MemoryItem[]): Recalled['items'] {
  return uniqueBy(items, ({ scope, key }) => `${scope}/${key}`)
}

function uniqueBy<T>(list: readonly T[], nameOf: (value: T) => string): readonly T[] {
  const seen = new Map<string, T>()
  for (const value of list) {
    const name = nameOf(value)
    if (!seen.has(name)) seen.set(name, value)
  }
  return [...seen.values()]
}

function isLive(expiresAt: number | null, at: number): boolean {
  return expiresAt === null || expiresAt > at
}

/** Returns the code of a memory error; the store of an extension may have its own codes. */
function memoryCodeOf(error: unknown): AnyCode | undefined {
  const code = (error as { readonly code?: AnyCode } | null)?.code
  return typeof code === 'string' && code.startsWith('MEMORY_') ? code : undefined
}
