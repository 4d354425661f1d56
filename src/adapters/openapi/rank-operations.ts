import { isObject, type JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import {
  type Intent,
  intentOf,
  likeness,
  readSearch,
  type SearchedWords,
  stemsOf,
} from '../../document/search-words.ts'
import { type ApiDocument, follow } from './api-document.ts'
import { formMembers } from './file-schemas.ts'
import type { Operation } from './operations.ts'

/** The words of an operation, by where they are. */
interface Words {
  readonly operation: Operation
  readonly name: readonly string[]
  readonly path: readonly string[]
  /** The last part of the path that is not a parameter: the resource. */
  readonly resource: readonly string[]
  readonly summary: readonly string[]
  readonly tags: readonly string[]
  readonly description: readonly string[]
  readonly members: readonly string[]
  readonly isItem: boolean
  readonly isDeprecated: boolean
}

/** How much a word counts, by where it is. */
const WEIGHTS = { name: 1, path: 1, summary: 0.9, tags: 0.7, description: 0.35, members: 0.3 } as const

export interface Ranked {
  readonly operation: Operation
  readonly score: number
}

/** The words of the operations of a document, which is searched several times in a run. */
const indexed = new WeakMap<readonly Operation[], Index>()

/**
 * Returns the operations that fit a sentence, best first. Rare words count more than frequent ones. What the sentence
 * wants to do (create, list, get, update, delete) must fit the method; words of the operation that the sentence does not
 * contain count against it, and so do deprecated operations. An exact name is first.
 */
export function rankOperations(
  document: ApiDocument,
  operations: readonly Operation[],
  query: string,
): readonly Ranked[] {
  let index = indexed.get(operations)
  if (index === undefined) {
    index = new Index(document, operations)
    indexed.set(operations, index)
  }
  const exact = query.trim()
  const search = readSearch(query)
  const ranked: Ranked[] = []
  for (const words of index.words) {
    const { operation } = words
    if (exact === operation.name || exact === operation.id) ranked.push({ operation, score: 1_000_000 })
    else {
      const score = index.score(words, search)
      if (score > 0) ranked.push({ operation, score })
    }
  }
  return ranked.toSorted(
    (a, b) =>
      b.score - a.score ||
      a.operation.name.length - b.operation.name.length ||
      a.operation.name.localeCompare(b.operation.name),
  )
}

class Index {
  readonly words: readonly Words[]
  /** In how many operations a word is, in the name, the path or the summary. */
  readonly #frequency = new Map<string, number>()

  constructor(document: ApiDocument, operations: readonly Operation[]) {
    this.words = operations.map((operation) => wordsOf(document, operation))
    for (const { name, path, summary } of this.words)
      for (const word of new Set([...name, ...path, ...summary]))
        this.#frequency.set(word, (this.#frequency.get(word) ?? 0) + 1)
  }

  /** Returns how much a word tells: 1 for a word of few operations, nearly 0 for a word of all. */
  #rarity(word: string): number {
    const share = (this.#frequency.get(word) ?? 0) / this.words.length
    return 1 - 0.85 * Math.sqrt(share)
  }

  /** @returns 0 if no word fits */
  score(words: Words, { things, intent, isPlural }: SearchedWords): number {
    let hit = 0
    let total = 0
    const used = new Set<string>()
    for (const thing of things) {
      const rarity = this.#rarity(thing)
      total += rarity
      hit += rarity * this.#best(thing, words, used)
    }
    if (hit === 0) return 0
    const score = hit / total - this.#surplus(words, used) + kindOf(words, intent, isPlural)
    return Math.max(score, 0.001) * (words.isDeprecated ? 0.55 : 1)
  }

  /** Returns how well a word fits, and adds the words of the operation that it fits. */
  #best(thing: string, words: Words, used: Set<string>): number {
    let best = 0
    for (const place of Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[]) {
      for (const word of words[place]) {
        const fit = likeness(thing, word)
        if (fit === 0) continue
        used.add(word)
        best = Math.max(best, fit * WEIGHTS[place])
      }
    }
    const isResource = words.resource.some((word) => likeness(thing, word) >= 0.7)
    return best + (isResource ? 0.25 : 0)
  }

  /** Returns how much of the name and of the path the sentence does not speak of. */
  #surplus({ name, path, operation }: Words, used: ReadonlySet<string>): number {
    const others = new Set([...name, ...path].filter((word) => !used.has(word) && !isEmpty(word)))
    let sum = 0
    for (const word of others) if (likelyThing(word, operation)) sum += this.#rarity(word)
    return 0.12 * sum
  }
}

/** Words that many paths contain and that name no thing. */
function isEmpty(word: string): boolean {
  return /^(?:v?\d+\w*|api|rest|id|core|by|for|of|in|to|with|and|the|a|an|search|query)$/.test(word)
}

function likelyThing(word: string, { method }: Operation): boolean {
  return intentOf(word) === undefined && word !== method.toLowerCase()
}

/** Which methods do what a sentence wants, and how well. */
const METHODS: Readonly<Record<Intent, Readonly<Record<string, number>>>> = {
  create: { POST: 1, PUT: 0.5 },
  list: { GET: 1, QUERY: 1, POST: 0.1 },
  get: { GET: 1, HEAD: 0.3, QUERY: 0.5 },
  update: { PATCH: 1, PUT: 0.9, POST: 0.7 },
  delete: { DELETE: 1, POST: 0.2, PATCH: 0.1 },
}

/** Returns whether the kind of the operation fits the sentence: positive if it does, negative if it does not. */
function kindOf(
  { operation, name, summary, isItem }: Words,
  intent: Intent | undefined,
  isPlural: boolean,
): number {
  if (intent === undefined) return 0
  const method = ownMember(METHODS[intent], operation.method)
  const isNamed = [...name, summary[0] ?? ''].some((word) => intentOf(word) === intent)
  const named = isNamed ? 0.15 : 0
  if (method === undefined) return named - 0.35
  return 0.3 * method + named + (placeFits(intent, isItem, isPlural) ? 0.12 : -0.08)
}

/** Returns whether the path ends as those of such operations do: with a parameter, or without one. */
function placeFits(intent: Intent, isItem: boolean, isPlural: boolean): boolean {
  switch (intent) {
    case 'create':
      return !isItem
    case 'list':
      return !isItem
    case 'get':
      return isItem !== isPlural
    case 'update':
    case 'delete':
      return isItem
  }
}

function wordsOf(document: ApiDocument, operation: Operation): Words {
  const { name, path, summary, description, tags, deprecated } = operation
  const segments = path.split('/').filter((segment) => segment !== '')
  const fixed = segments.filter((segment) => !segment.includes('{'))
  const text = description.slice(0, 1500)
  return {
    operation,
    name: stemsOf(name),
    path: stemsOf(fixed.join(' ')),
    resource: stemsOf(fixed.at(-1) ?? ''),
    summary: stemsOf(summary === '' ? (/^[^.\n]*/.exec(text)?.[0] ?? '') : summary),
    tags: stemsOf(tags.join(' ')),
    description: [...new Set(stemsOf(text))],
    members: [...new Set(stemsOf(membersOf(document, operation).join(' ')))],
    isItem: segments.at(-1)?.includes('{') ?? false,
    isDeprecated: deprecated || /\bdeprecated\b/i.test(`${summary} ${text}`),
  }
}

/** Returns the names of the parameters and of the members of the body, with their values. */
function membersOf(document: ApiDocument, { definition, item }: Operation): readonly string[] {
  const parameters = [item.parameters, definition.parameters].flatMap((list) =>
    Array.isArray(list) ? list.map((each) => String(follow(document, each)?.name ?? '')) : [],
  )
  const content = follow(document, definition.requestBody)?.content
  const [media] = isObject(content) ? Object.values(content) : []
  const { properties } = formMembers(document, follow(document, media)?.schema)
  const members = [...properties].flatMap(([name, schema]) => [name, ...valuesOf(follow(document, schema))])
  return [...parameters, ...members]
}

function valuesOf(schema: JsonObject | undefined): readonly string[] {
  const choices = schema?.enum
  return Array.isArray(choices) ? choices.filter((one) => typeof one === 'string').slice(0, 10) : []
}
