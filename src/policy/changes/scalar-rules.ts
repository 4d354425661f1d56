import { isObject, type Json } from '../../document/json.ts'
import { sameJson } from '../../document/same-json.ts'
import { schemaWidth } from '../../schema/schema-width.ts'
import {
  changeOf,
  type MemberRule,
  narrows,
  neutral,
  type Pair,
  quoted,
  type Verdict,
  widens,
} from './definition-change.ts'

/** Judges a change of a member that is compared as a whole; null: both mean the same. */
type Judge = (before: Json | undefined, after: Json | undefined, pair: Pair) => Verdict | null

/** Returns a rule for a member that is compared as a whole. An absent member has its default. */
export function whole(grants: boolean, judge: Judge): MemberRule {
  return {
    grants,
    compare: (pair) => {
      const [before, after] = [pair.before ?? pair.byDefault, pair.after ?? pair.byDefault]
      if (sameJson(before, after)) return []
      const verdict = judge(before, after, pair)
      return verdict === null ? [] : [changeOf(pair, verdict)]
    },
  }
}

/** A text, a version, or a parameter: it grants no right. */
export const plain: MemberRule = whole(false, (_before, _after, { before, after }) =>
  neutral(verbOf(before, after)),
)

function verbOf(before: Json | undefined, after: Json | undefined): string {
  if (before === undefined) return `is added: ${quoted(after)}`
  if (after === undefined) return 'is removed'
  return isShort(before) && isShort(after) ? `was ${quoted(before)}, is ${quoted(after)}` : CHANGED
}

/** The end of the sentence about a text or value that is too long for a sentence. */
export const CHANGED = 'is changed'

/** In characters. */
const SHORT = 40

function isShort(value: Json): boolean {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return typeof value !== 'object' && text.length <= SHORT && !text.includes('\n')
}

/**
 * A member of which any other value may be another right.
 * @param what one such right, such as `secret`
 */
export function right(what: string): MemberRule {
  return whole(true, (before, after) => {
    if (before === undefined) return widens(`is added: one more ${what}, ${quoted(after)}`)
    if (after === undefined) return narrows(`is removed: one ${what} less`)
    return widens(`is another ${what}: was ${quoted(before)}, is ${quoted(after)}`)
  })
}

export interface LimitOptions {
  /** The value of a member that is absent and has no default in the schema. Default: no limit. */
  readonly absent?: number
  /** A number that means that there is no limit. */
  readonly unlimited?: number
}

/** An upper limit: more is wider. */
export function atMost({ absent = Number.POSITIVE_INFINITY, unlimited }: LimitOptions = {}): MemberRule {
  const size = (value: Json | undefined) =>
    value === undefined ? absent : value === unlimited ? Number.POSITIVE_INFINITY : Number(value)
  return whole(true, (before, after) => {
    const [was, is] = [size(before), size(after)]
    if (was === is) return null
    const change = `from ${limitText(was)} to ${limitText(is)}`
    return is > was ? widens(`is raised ${change}`) : narrows(`is lowered ${change}`)
  })
}

/** A lower limit of a requirement: less is wider. */
export function atLeast(absent: number): MemberRule {
  return whole(true, (before = absent, after = absent) => {
    const [was, is] = [Number(before), Number(after)]
    if (was === is) return null
    return is < was ? widens(`is lowered from ${was} to ${is}`) : narrows(`is raised from ${was} to ${is}`)
  })
}

function limitText(limit: number): string {
  return Number.isFinite(limit) ? String(limit) : 'no limit'
}

/** A value of a list that goes from the loosest to the strictest. A value outside of it is undecidable. */
export function strictness(values: readonly string[]): MemberRule {
  return whole(true, (before, after) => {
    const [was, is] = [values.indexOf(String(before)), values.indexOf(String(after))]
    const change = `was ${quoted(before)}, is ${quoted(after)}`
    if (was < 0 || is < 0) return widens(`${change}: it is not known which is stricter`)
    return is < was ? widens(`is less strict: ${change}`) : narrows(`is stricter: ${change}`)
  })
}

/** A switch that grants a right when it has the value `wider`. An absent switch without a default is off. */
export function flag(wider: boolean, what: string): MemberRule {
  return whole(true, (before = false, after = false) => {
    if (before === after) return null
    const turned = after === true ? 'is turned on' : 'is turned off'
    return after === wider ? widens(`${turned}: ${what}`) : narrows(turned)
  })
}

/** An address. Spellings of the same address are equal in meaning. */
export const address: MemberRule = whole(true, (before, after) => {
  if (before === undefined) return widens(`is added: one more address, ${placeOf(after)}`)
  if (after === undefined) return narrows(`is removed: one address less, ${placeOf(before)}`)
  const [was, is] = [URL.parse(String(before)), URL.parse(String(after))]
  if (was !== null && was.href === is?.href) return neutral('is spelled differently; the address is the same')
  const host = hostOf(after)
  return host !== undefined && host === hostOf(before)
    ? widens(`is another address of the host ${host}`)
    : widens(`is another address: was ${placeOf(before)}, is ${placeOf(after)}`)
})

function placeOf(value: Json | undefined): string {
  return hostOf(value) ?? quoted(value)
}

function hostOf(value: Json | undefined): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null
  return url === null || url.host === '' ? undefined : url.host
}

/**
 * A JSON Schema that values must match. An absent schema accepts every value.
 * @param what the values, such as `arguments`
 */
export function schema(what: string): MemberRule {
  return whole(true, (before, after, pair) => {
    switch (schemaWidth(before, after)) {
      case 'same':
        return isObject(before) === isObject(after) ? neutral('is described differently') : same(pair)
      case 'narrower':
        return narrows(`accepts fewer ${what}`)
      case 'wider':
        return widens(`accepts more ${what}`)
      case 'undecidable':
        return widens(`may accept other ${what}: it is not proved that it accepts none that were refused`)
    }
  })
}

/** A schema that accepts everything is written, or left out. */
function same({ after }: Pair): Verdict {
  return neutral(
    after === undefined ? 'is removed; it accepted every value' : 'is added; it accepts every value',
  )
}
