import { Unevaluable } from '../unevaluable.ts'

export type Call = (name: string, args: unknown[]) => unknown

/** How a function counts its steps. */
export interface Costs {
  spend(steps: number): void
  text(length: number): void
  find(text: string, wanted: string): void
  weight(value: unknown): number
}

/** Compiles `&expression` to a function that returns values of one of these types, or throws. */
export type KeyFunction = (expression: unknown, types: readonly KeyType[]) => (item: unknown) => unknown
export type KeyType = 'number' | 'string'

/**
 * Returns the functions of the library, which count their steps before they run. Functions that depend on the locale,
 * take too long on hostile arguments or differ from the JMESPath specification are replaced.
 * @param call the function table of the library, which also checks number and types of arguments
 */
export function jmespathFunctions(call: Call, costs: Costs, keyFunction: KeyFunction): Call {
  return (name, args) => {
    for (const arg of args) payForReading(arg, costs)
    switch (name) {
      case 'contains': {
        const [subject, wanted] = args
        if (typeof subject === 'string' && typeof wanted === 'string') costs.find(subject, wanted)
        if (!Array.isArray(subject)) break
        costs.spend(Math.min(costs.weight(subject), subject.length * costs.weight(wanted)))
        return subject.some((item) => isEqual(item, wanted))
      }
      case 'find_first':
      case 'find_last':
      case 'split':
        if (typeof args[0] === 'string' && typeof args[1] === 'string') costs.find(args[0], args[1])
        break
      case 'group_by':
        if (args.length !== 2) break
        return groupBy(requireList(name, args[0]), keyFunction(args[1], ['string']), costs)
      case 'join':
        payForJoin(args, costs)
        break
      case 'max':
      case 'min':
        return extreme(args, name, call)
      case 'max_by':
      case 'min_by':
        if (args.length !== 2) break
        return extremeBy(requireList(name, args[0]), keyFunction(args[1], ['number', 'string']), name)
      case 'pad_left':
      case 'pad_right':
        if (typeof args[1] === 'number') costs.text(args[1])
        break
      case 'replace':
        return replace(args, call, costs)
      case 'reverse':
        if (typeof args[0] !== 'string' || args.length !== 1) break
        costs.spend(args[0].length / 8)
        return [...args[0]].reverse().join('')
      case 'sort':
        return sorted(args, call, costs)
      case 'to_string':
        // Uses weights: a value may contain the same list many times.
        costs.spend(costs.weight(args[0]))
        break
      case 'trim':
      case 'trim_left':
      case 'trim_right':
        return trimmed(args, name)
    }
    return call(name, args)
  }
}

function payForReading(arg: unknown, costs: Costs): void {
  if (typeof arg === 'string') costs.text(arg.length)
  else if (Array.isArray(arg)) costs.spend(arg.length)
  else if (typeof arg === 'object' && arg !== null) costs.spend(Object.keys(arg).length)
}

function payForJoin([glue, list]: unknown[], costs: Costs): void {
  if (typeof glue !== 'string' || !Array.isArray(list)) return
  for (const item of list) costs.text(glue.length + (typeof item === 'string' ? item.length : 0))
}

/** Compares strings by code points, as the specification requires, not by the locale of the machine. */
function extreme(args: unknown[], name: 'max' | 'min', call: Call): unknown {
  if (!Array.isArray(args[0]) || args.length !== 1) return call(name, args)
  let best: string | number | null = null
  for (const item of comparable(name, args[0])) {
    const order = best === null ? 0 : compareKeys(item, best)
    if (best === null || (name === 'max' ? order > 0 : order < 0)) best = item
  }
  return best
}

/** The library does not support keys that are strings. */
function extremeBy(
  list: readonly unknown[],
  key: (item: unknown) => unknown,
  name: 'max_by' | 'min_by',
): unknown {
  let best: { item: unknown; key: string | number } | undefined
  for (const item of list) {
    const candidate = key(item) as string | number
    if (best !== undefined && typeof best.key !== typeof candidate) {
      throw new Unevaluable(`${name}() needs keys of one type`)
    }
    const order = best === undefined ? 1 : compareKeys(candidate, best.key)
    if (name === 'max_by' ? order > 0 : order < 0 || best === undefined) best = { item, key: candidate }
  }
  return best?.item ?? null
}

function compareKeys(a: string | number, b: string | number): number {
  return typeof a === 'number' ? a - Number(b) : compareCodePoints(a, String(b))
}

/** The library sorts numbers as strings. */
function sorted(args: unknown[], call: Call, costs: Costs): unknown {
  if (!Array.isArray(args[0]) || args.length !== 1) return call('sort', args)
  costs.spend(args[0].length * 4)
  return [...comparable('sort', args[0])].sort(compareKeys)
}

function comparable(name: string, list: unknown[]): (string | number)[] {
  const type = typeof list[0]
  if (
    list.length === 0 ||
    ((type === 'string' || type === 'number') && list.every((item) => typeof item === type))
  )
    return list as (string | number)[]
  throw new Unevaluable(`${name}() needs a list of numbers or a list of strings`)
}

/** UTF-8 has the order of code points; UTF-16 does not. */
function compareCodePoints(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function requireList(name: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw new Unevaluable(`${name}() needs a list`)
}

/** Groups may have any name, including `constructor` and `__proto__`. */
function groupBy(list: readonly unknown[], key: (item: unknown) => unknown, costs: Costs): object {
  const groups = new Map<unknown, unknown[]>()
  for (const item of list) {
    costs.spend(1)
    const name = key(item ?? {})
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [item])
    else group.push(item)
  }
  return Object.assign(Object.create(null), Object.fromEntries(groups))
}

/** The replacement is plain text, and the count does not create a list. */
function replace(args: unknown[], call: Call, costs: Costs): unknown {
  const [subject, wanted, by, count = Number.POSITIVE_INFINITY] = args
  if (typeof subject !== 'string' || typeof wanted !== 'string' || typeof by !== 'string') {
    return call('replace', args)
  }
  if (typeof count !== 'number' || count < 0 || (Number.isFinite(count) && !Number.isInteger(count))) {
    throw new Unevaluable('replace() needs a count that is a whole number of 0 or more')
  }
  costs.find(subject, wanted)
  const parts = subject.split(wanted)
  costs.text(subject.length + Math.min(parts.length, count) * by.length)
  const replaced = parts.slice(0, count + 1).join(by)
  return parts.length > count + 1 ? [replaced, ...parts.slice(count + 1)].join(wanted) : replaced
}

/** Trims from both ends: the regular expressions of the library take quadratic time. */
function trimmed(args: unknown[], name: string): unknown {
  const [subject, chars] = args
  if (typeof subject !== 'string' || args.length > 2 || (chars !== undefined && typeof chars !== 'string')) {
    throw new Unevaluable(`${name}() needs a string, and optionally a string of the characters to remove`)
  }
  const removed = (character: string): boolean =>
    chars === undefined || chars === '' ? /[\s\u0085]/.test(character) : chars.includes(character)
  let start = 0
  let end = subject.length
  if (name !== 'trim_right') while (start < end && removed(subject.charAt(start))) start += 1
  if (name !== 'trim_left') while (end > start && removed(subject.charAt(end - 1))) end -= 1
  return subject.slice(start, end)
}

/** Compares JSON values; the caller has counted the steps. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every(
    (name) => Object.hasOwn(b, name) && isEqual((a as never)[name] as unknown, (b as never)[name] as unknown),
  )
}
