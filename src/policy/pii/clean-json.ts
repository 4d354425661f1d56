import { digitsOf } from '../../document/exact-numbers.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { escapeStep } from '../../document/json-pointer.ts'
import type { PiiFinder } from './find-pii.ts'
import type { PiiFinding } from './pii-finding.ts'

/** The number of findings of one kind at one place. Never contains the data. */
export interface PiiCount {
  readonly kind: string
  readonly count: number
  /** A JSON Pointer, with `*` for the items of a list and for names that are personal data. */
  readonly at: string
}

/** The replacement for personal data; null leaves it unchanged. */
export type StandIn = ((finding: PiiFinding) => string) | null

/** Numbers below this are neither a card nor a telephone number. */
const LEAST_NUMBER = 1_000_000_000
const SHORTEST = 6
const MOST_PLACES = 50
const NOTHING: readonly PiiCount[] = []

/** Finds, replaces and counts personal data in values. Returns the same reference if it finds none. */
export class JsonCleaner {
  readonly #find: PiiFinder
  readonly #standIn: StandIn
  #counts: Map<string, { kind: string; at: string; count: number }> | null = null

  constructor(find: PiiFinder, standIn: StandIn) {
    this.#find = find
    this.#standIn = standIn
  }

  /** In the order of the findings. */
  counts(): readonly PiiCount[] {
    return this.#counts === null ? NOTHING : [...this.#counts.values()]
  }

  /** Number of findings so far. */
  total(): number {
    let total = 0
    if (this.#counts !== null) for (const { count } of this.#counts.values()) total += count
    return total
  }

  text(text: string, at: string, label = ''): string {
    if (text.length < SHORTEST) return text
    const found = this.#find(text, label)
    if (found.length === 0) return text
    for (const { kind } of found) this.#count(kind, at)
    if (this.#standIn === null) return text
    let clean = ''
    let from = 0
    for (const finding of found) {
      clean += text.slice(from, finding.start) + this.#standIn(finding)
      from = finding.end
    }
    return clean + text.slice(from)
  }

  json<T extends Json>(value: T, at: string): T {
    return this.#json(value, at, '') as T
  }

  #json(value: Json, at: string, label: string): Json {
    if (typeof value === 'string') return this.text(value, at, label)
    if (typeof value === 'number') return this.#number(value, at, label)
    if (value === null || typeof value !== 'object') return value
    const digits = digitsOf(value)
    if (digits !== undefined) {
      const clean = this.text(digits, at, label)
      return clean === digits ? value : clean
    }
    return Array.isArray(value) ? this.#list(value, at, label) : this.#object(value as JsonObject, at)
  }

  #number(value: number, at: string, label: string): Json {
    if (Math.abs(value) < LEAST_NUMBER) return value
    const text = String(value)
    const clean = this.text(text, at, label)
    return clean === text ? value : clean
  }

  #list(values: readonly Json[], at: string, label: string): readonly Json[] {
    let copy: Json[] | null = null
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as Json
      const clean = this.#json(value, `${at}/*`, label)
      if (clean === value) continue
      copy ??= [...values]
      copy[i] = clean
    }
    return copy ?? values
  }

  #object(value: JsonObject, at: string): JsonObject {
    let changed: [string, Json][] | null = null
    for (const name in value) {
      const [clean, member] = this.#member(name, value[name] as Json, at)
      if (clean === name && member === value[name]) continue
      changed ??= Object.entries(value)
      const index = changed.findIndex(([known]) => known === name)
      changed[index] = [clean, member]
    }
    // `fromEntries` defines own members, including `__proto__`.
    return changed === null ? value : Object.fromEntries(changed)
  }

  #member(name: string, value: Json, at: string): readonly [name: string, value: Json] {
    const personal = name.length >= SHORTEST && this.#find(name, '').length > 0
    const clean = personal ? this.text(name, `${at}/*`) : name
    if (typeof value === 'boolean' || value === null) return [clean, value]
    const step = personal ? '*' : escapeStep(name)
    return [clean, this.#json(value, `${at}/${step}`, name)]
  }

  #count(kind: string, at: string): void {
    this.#counts ??= new Map()
    const place = this.#counts.size < MOST_PLACES ? at : '…'
    const key = `${kind} ${place}`
    const known = this.#counts.get(key)
    if (known === undefined) this.#counts.set(key, { kind, at: place, count: 1 })
    else known.count++
  }
}

/** Returns the counts for people, without the data: `2 email (/input), 1 phone (/input/contact)`. */
export function countsText(counts: readonly PiiCount[]): string {
  const shown = counts.slice(0, 5).map(({ kind, count, at }) => `${count} ${kind} (${at})`)
  return [...shown, ...(counts.length > 5 ? [`and ${counts.length - 5} more places`] : [])].join(', ')
}
