import type { Json } from '../../document/json.ts'
import { mapTexts } from '../../document/map-texts.ts'
import type { Plan } from '../../plan/plan.ts'
import { PLACEHOLDER, withheldText } from '../../policy/pii/placeholder.ts'
import { openValue, SEALED, sealValue } from '../../policy/pii/sealed-value.ts'
import type { OpenPii } from './open-pii.ts'

/** A value of personal data that moves with a run to another host. */
export interface MovedValue {
  /** How the texts of the run name it: a placeholder (`[email:1]`), or the sealed value itself (`pii:v2:…`). */
  readonly text: string
  /** Absent in a dry run, which moves no value. */
  readonly value?: string
  /** Of a placeholder: the canonical form, by which the same value is found again. */
  readonly identity?: string
}

/** The name of a value whose kind is not known, because only its sealed form is. */
const UNKNOWN_KIND = 'value'

/** Returns whether the values of these agents can be read again at all: `reject` stores none, `none` and `detect` replace none. */
export function keepsValues(plans: readonly Plan[]): boolean {
  return plans.some(({ pii }) => pii?.handling === 'anonymize' || pii?.handling === 'encrypt')
}

/** Returns the values that the texts of a document name, in the order of their names; those that cannot be read are left out. */
export function valuesIn(document: Json, { values, key }: OpenPii): readonly MovedValue[] {
  const text = JSON.stringify(document)
  const placeholders = [...new Set(text.match(PLACEHOLDER))].sort().flatMap((name): readonly MovedValue[] => {
    const entry = values.named(name)
    return entry === undefined ? [] : [{ text: name, value: entry.value, identity: entry.identity }]
  })
  const sealed = [...new Set(text.match(SEALED))].sort().flatMap((name): readonly MovedValue[] => {
    const value = key === undefined ? null : openValue(name, key)
    return value === null ? [] : [{ text: name, value }]
  })
  return [...placeholders, ...sealed]
}

/** What has become of the values that a document names. */
export interface AdoptedValues {
  /** With the names that mean something here. */
  readonly document: Json
  /** Values that the run can use. */
  readonly carried: number
  /** Names without a value, replaced by texts such as `[email withheld]`. */
  readonly lost: number
}

/**
 * Lets a run use the values that have moved with it: placeholders keep their names, and sealed values are sealed with the
 * key of this host. All other names are replaced, because a value behind them would be that of another run.
 */
export function adoptValues(document: Json, moved: readonly MovedValue[], pii: OpenPii): AdoptedValues {
  const { key, values } = pii
  const known = new Map(moved.map((one) => [one.text, one]))
  values.adopt(
    moved.flatMap(({ text, value, identity }) => {
      const kind = kindOf(text)
      return kind === undefined || value === undefined || identity === undefined
        ? []
        : [{ placeholder: text, kind, value, identity }]
    }),
  )
  const carried = new Set<string>()
  const lost = new Set<string>()
  const placeholder = (name: string, kind: string): string => {
    if (known.has(name)) {
      carried.add(name)
      return name
    }
    lost.add(name)
    return withheldText(kind)
  }
  const sealed = (name: string): string => {
    const moved = known.get(name)
    if (key !== undefined && moved !== undefined) {
      carried.add(name)
      return moved.value === undefined ? name : sealValue(moved.value, key)
    }
    // Both hosts may have the same key.
    if (key !== undefined && openValue(name, key) !== null) return name
    lost.add(name)
    return withheldText(UNKNOWN_KIND)
  }
  const readable = mapTexts(document, (text) =>
    text.replace(PLACEHOLDER, placeholder).replace(SEALED, sealed),
  )
  return { document: readable, carried: carried.size, lost: lost.size }
}

/** Returns the kind that a placeholder names; undefined for another text. */
export function kindOf(text: string): string | undefined {
  const [match] = text.matchAll(PLACEHOLDER)
  return match?.[0] === text ? match[1] : undefined
}
