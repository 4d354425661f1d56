import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { appendStep } from '../../document/json-pointer.ts'
import { sameJson } from '../../document/same-json.ts'
import {
  changeOf,
  type DefinitionChange,
  type MemberRule,
  narrows,
  neutral,
  type Pair,
  quoted,
  type Verdict,
  widens,
} from './definition-change.ts'

export interface ItemsOptions {
  /** The definition of the schema that describes an item. */
  readonly of: string
  /** What people call one item. */
  readonly noun: string
  /** Returns the name by which items of both lists are compared. */
  readonly nameOf: (item: JsonObject) => string
  readonly added: (item: JsonObject, pair: Pair) => Verdict
  readonly removed: (item: JsonObject, pair: Pair) => Verdict
  /** Judges another order; absent: the order has no meaning. */
  readonly moved?: Verdict
  /** Whether items can grant a right. */
  readonly grants: boolean
}

/** A list of objects that are compared by their names. */
export function items(options: ItemsOptions): MemberRule {
  return {
    grants: options.grants,
    compare: (pair) => {
      const [before, after] = [objectsOf(pair.before), objectsOf(pair.after)]
      const matches = matched(before, after, options.nameOf)
      const ofItems = matches.flatMap(({ was, is }) => itemChanges(options, pair, was, is))
      return [...ofItems, ...orderChanges(options, pair, matches)]
    },
  }
}

interface Placed {
  readonly item: JsonObject
  readonly index: number
}

interface Match {
  readonly name: string
  readonly was?: Placed
  readonly is?: Placed
}

/**
 * Pairs the items of two lists by their names. Of items with the same name, equal ones are paired first, and then the
 * others in their order.
 */
function matched(
  before: readonly Placed[],
  after: readonly Placed[],
  nameOf: (item: JsonObject) => string,
): readonly Match[] {
  const left = Map.groupBy(after, ({ item }) => nameOf(item))
  const take = (name: string, fits: (item: JsonObject) => boolean): Placed | undefined => {
    const group = left.get(name) ?? []
    const at = group.findIndex(({ item }) => fits(item))
    return at < 0 ? undefined : group.splice(at, 1)[0]
  }
  const equal = before.map(({ item }) => take(nameOf(item), (other) => sameJson(item, other)))
  const pairs = before.map((was, index): Match => {
    const name = nameOf(was.item)
    const is = equal[index] ?? take(name, () => true)
    return is === undefined ? { name, was } : { name, was, is }
  })
  const added = [...left].flatMap(([name, rest]) => rest.map((is): Match => ({ name, is })))
  return [...pairs, ...added.sort((a, b) => (a.is?.index ?? 0) - (b.is?.index ?? 0))]
}

function itemChanges(
  { of, noun, added, removed, nameOf }: ItemsOptions,
  pair: Pair,
  was: Placed | undefined,
  is: Placed | undefined,
): readonly DefinitionChange[] {
  const item = is?.item ?? was?.item ?? {}
  const own: Pair = {
    ...pair,
    before: was?.item,
    after: is?.item,
    beforePath: appendStep(pair.beforePath, was?.index ?? 0),
    afterPath: appendStep(pair.afterPath, is?.index ?? 0),
    name: `${noun} ${quoted(nameOf(item))}`,
  }
  if (was === undefined) return [changeOf(own, added(item, pair))]
  if (is === undefined) return [changeOf(own, removed(item, pair))]
  return pair.compareMembers(of, { ...own, name: `${own.name}:` })
}

/** Returns one change if the items that are in both lists have another order. */
function orderChanges(
  { noun, moved }: ItemsOptions,
  pair: Pair,
  matches: readonly Match[],
): readonly DefinitionChange[] {
  if (moved === undefined) return []
  const both = matches.filter((match) => match.was !== undefined && match.is !== undefined)
  const sorted = both.toSorted((a, b) => (a.is?.index ?? 0) - (b.is?.index ?? 0))
  if (sorted.every((match, index) => match === both[index])) return []
  const names = { before: both.map(({ name }) => name), after: sorted.map(({ name }) => name) }
  return [changeOf({ ...pair, ...names, name: `the order of each ${noun}` }, moved, true)]
}

function objectsOf(list: Json | undefined): readonly Placed[] {
  const all: readonly Json[] = Array.isArray(list) ? list : []
  return all.map((item, index) => ({ item: isObject(item) ? item : { value: item }, index }))
}

/**
 * A list of texts without an order.
 * @param what one of them, such as `capability`; absent: they grant nothing
 * @param alsoNeeded whether one that is missing may grant a right too
 */
export function texts(
  what?: string,
  alsoNeeded: (text: string) => string | undefined = () => undefined,
): MemberRule {
  return {
    grants: what !== undefined,
    compare: (pair) => {
      const [before, after] = [textsOf(pair.before), textsOf(pair.after)]
      const change = (text: string, list: readonly string[], verdict: Verdict, isAdded: boolean) => {
        const index = list.indexOf(text)
        return changeOf(
          {
            ...pair,
            before: isAdded ? undefined : text,
            after: isAdded ? text : undefined,
            beforePath: appendStep(pair.beforePath, index),
            afterPath: appendStep(pair.afterPath, index),
            name: `${pair.name} ${quoted(text)}`,
          },
          verdict,
        )
      }
      const removed = (text: string): Verdict => {
        const lost = alsoNeeded(text)
        if (what === undefined) return neutral('is removed')
        return lost === undefined ? narrows(`is removed: one ${what} less`) : widens(`is removed: ${lost}`)
      }
      const added = what === undefined ? neutral('is added') : widens(`is added: one more ${what}`)
      return [
        ...before
          .filter((text) => !after.includes(text))
          .map((text) => change(text, before, removed(text), false)),
        ...after.filter((text) => !before.includes(text)).map((text) => change(text, after, added, true)),
      ]
    },
  }
}

function textsOf(list: Json | undefined): readonly string[] {
  const all: readonly Json[] = Array.isArray(list) ? list : []
  return [...new Set(all.map(String))]
}

/** An object whose members are compared one by one; an absent object has no members. */
export function nested(of: string): MemberRule {
  return { grants: false, compare: (pair) => pair.compareMembers(of, pair) }
}
