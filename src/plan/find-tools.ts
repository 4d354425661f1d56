import { isObject, type Json } from '../document/json.ts'
import { likeness, readSearch, stemsOf } from '../document/search-words.ts'
import type { PlannedTool } from './plan.ts'

const DEFAULT_LIMIT = 5

/**
 * Answers a search for tools of servers: those that fit a sentence best. Rare words count more than frequent ones, words
 * of a name more than those of a description, and words of a name that the sentence lacks count against it.
 */
export function findTools(tools: readonly PlannedTool[], query: string, limit = DEFAULT_LIMIT): Json {
  const searched = tools.filter(({ found_by }) => found_by !== undefined)
  const ranked = rankTools(searched, query)
  return {
    found: ranked.slice(0, limit).map(({ name, description }) => ({
      tool: name,
      description: description.length > 300 ? `${description.slice(0, 300)}…` : description,
    })),
    matching: ranked.length,
    hint:
      ranked.length === 0
        ? 'no tool matches; try other words'
        : 'the found tools can be called from now on, by their names',
  }
}

/** Returns the tools that an answer of a search names. */
export function foundIn(result: Json): readonly string[] {
  const list = isObject(result) ? result.found : undefined
  if (!Array.isArray(list)) return []
  return list.flatMap((one: Json) => (isObject(one) && typeof one.tool === 'string' ? [one.tool] : []))
}

export function rankTools(tools: readonly PlannedTool[], query: string): readonly PlannedTool[] {
  const exact = query.trim()
  const { things, intent } = readSearch(query)
  const wanted = intent === undefined ? things : [...new Set([...things, ...stemsOf(query)])]
  const words = tools.map((tool) => ({ tool, name: stemsOf(tool.name), ...textsOf(tool) }))
  const share = (word: string) =>
    words.filter(({ name, text }) => [...name, ...text].includes(word)).length / Math.max(1, words.length)
  const weights = new Map(wanted.map((word) => [word, 1 - 0.85 * Math.sqrt(share(word))]))
  return words
    .map(({ tool, name, text, members }) => {
      if (tool.name === exact) return { tool, score: 1_000_000 }
      let score = 0
      for (const [word, weight] of weights) {
        const isVerb = !things.includes(word)
        const best = Math.max(bestOf(word, name), 0.5 * bestOf(word, text), 0.3 * bestOf(word, members))
        score += (isVerb ? 0.3 : 1) * weight * best
      }
      const surplus = name.filter((word) => wanted.every((one) => likeness(one, word) === 0)).length
      return { tool, score: score === 0 ? 0 : Math.max(0.001, score - 0.05 * surplus) }
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.tool.name.localeCompare(b.tool.name))
    .map(({ tool }) => tool)
}

function textsOf({ description, parameters_schema, declared }: PlannedTool) {
  const properties = isObject(parameters_schema?.properties) ? Object.keys(parameters_schema.properties) : []
  return {
    text: [...new Set(stemsOf(`${description.slice(0, 1500)} ${declared ?? ''}`))],
    members: [...new Set(stemsOf(properties.join(' ')))],
  }
}

function bestOf(word: string, among: readonly string[]): number {
  return among.reduce((best, other) => Math.max(best, likeness(word, other)), 0)
}
