import type { RetrievalStrategy } from '../../plan/plan.ts'
import type { MemoryItem } from '../../run/state.ts'
import { keywordRank } from './keyword-rank.ts'

/** Returns the vectors of texts, in their order. */
export type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>

/** Returns the vectors of items, which may be cached, in their order. */
export type VectorsOf = (items: readonly MemoryItem[]) => Promise<readonly Float32Array[]>

/** Constant of reciprocal rank fusion (Cormack et al. 2009): a higher value gives the first ranks less weight. */
const RRF_K = 60

/**
 * Ranks items for a query, best first (AAIF §4.5 retrieval_strategy). `recency` and `similarity` rank all items;
 * `keyword` omits items without any of the words.
 */
export async function rankItems(
  strategy: RetrievalStrategy,
  query: string,
  items: readonly MemoryItem[],
  similarity: { readonly embed: Embed; readonly vectorsOf: VectorsOf } | undefined,
): Promise<readonly MemoryItem[]> {
  const newest = [...items].sort((a, b) => b.saved_at - a.saved_at || (a.key < b.key ? -1 : 1))
  if (strategy === 'recency') return newest
  const byWord = () =>
    keywordRank(
      query,
      newest.map(({ key, content }) => `${key.replaceAll(/[_-]/g, ' ')}\n${content}`),
    ).flatMap((index) => newest[index] ?? [])
  if (strategy === 'keyword' || similarity === undefined) return byWord()
  const byMeaning = await bySimilarity(query, newest, similarity)
  return strategy === 'similarity' ? byMeaning : fuse([byWord(), byMeaning])
}

async function bySimilarity(
  query: string,
  items: readonly MemoryItem[],
  { embed, vectorsOf }: { readonly embed: Embed; readonly vectorsOf: VectorsOf },
): Promise<readonly MemoryItem[]> {
  if (items.length === 0) return []
  const [[asked], vectors] = await Promise.all([embed([query]), vectorsOf(items)])
  if (asked === undefined) return items
  return items
    .map((item, index) => ({ item, score: cosine(asked, vectors[index] ?? asked) }))
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item)
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0
  let lengthA = 0
  let lengthB = 0
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0
    const y = b[i] ?? 0
    dot += x * y
    lengthA += x * x
    lengthB += y * y
  }
  return lengthA === 0 || lengthB === 0 ? 0 : dot / Math.sqrt(lengthA * lengthB)
}

function fuse(lists: readonly (readonly MemoryItem[])[]): readonly MemoryItem[] {
  const scores = new Map<MemoryItem, number>()
  for (const list of lists)
    for (const [rank, item] of list.entries())
      scores.set(item, (scores.get(item) ?? 0) + 1 / (RRF_K + rank + 1))
  return [...scores].sort(([, a], [, b]) => b - a).map(([item]) => item)
}
