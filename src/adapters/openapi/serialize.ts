import { digitsOf, exactText } from '../../document/exact-numbers.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { ParameterBinding, Style } from './binding.ts'

/** A name and a value of a query or a form, not yet encoded. */
export type Pair = readonly [name: string, value: string]

/**
 * Returns the pairs for a value in a query style (OpenAPI §4.8.12, RFC 6570). Items of a list are encoded before they
 * are joined, so that a comma in a value is not a separator; hence `encode`. Null is omitted, because styles cannot
 * represent it. A value whose type the style does not support is written plainly, never dropped.
 */
export function pairsOf(
  name: string,
  value: Json,
  style: Style,
  explode: boolean,
  encode: (text: string) => string,
): readonly Pair[] {
  const joined = (pieces: readonly string[], by: string): readonly Pair[] =>
    pieces.length === 0 ? [] : [[encode(name), pieces.map(encode).join(by)]]
  const between = style === 'spaceDelimited' ? encode(' ') : style === 'pipeDelimited' ? encode('|') : ','
  if (value === null) return []
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map(plain)
    const apart = explode || style === 'deepObject'
    return apart ? items.map((item): Pair => [encode(name), encode(item)]) : joined(items, between)
  }
  if (isRecord(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== null)
    if (style === 'deepObject')
      return members.flatMap(([key, member]) => deep(`${name}[${key}]`, member, encode))
    if (!explode)
      return joined(
        members.flatMap(([key, member]) => [key, plain(member)]),
        between,
      )
    return members.flatMap(([key, member]) =>
      Array.isArray(member)
        ? (member as readonly Json[]).map((item): Pair => [encode(key), encode(plain(item))])
        : [[encode(key), encode(plain(member))] as Pair],
    )
  }
  return [[encode(name), encode(plain(value))]]
}

function deep(name: string, value: Json, encode: (text: string) => string): readonly Pair[] {
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([key, member]) => deep(`${name}[${key}]`, member, encode))
  }
  const items = Array.isArray(value) ? (value as readonly Json[]) : [value]
  return items.filter((item) => item !== null).map((item): Pair => [encode(name), encode(plain(item))])
}

/** Returns the text of a path or header value. @returns undefined if there is no value */
export function textOfValue(
  { name, style, explode }: Pick<ParameterBinding, 'name' | 'style' | 'explode'>,
  value: Json,
  encode: (text: string) => string,
): string | undefined {
  if (value === null) return undefined
  if (style === 'json') return encode(exactText(value))
  if (style === 'matrix') return matrix(name, value, explode, encode)
  const [before, between] = style === 'label' ? (explode ? ['.', '.'] : ['.', ',']) : ['', ',']
  if (Array.isArray(value)) {
    return before + (value as readonly Json[]).map((item) => encode(plain(item))).join(between)
  }
  if (isRecord(value)) return before + pieces(value, explode, encode).join(between)
  return before + encode(plain(value))
}

function matrix(name: string, value: Json, explode: boolean, encode: (text: string) => string): string {
  const one = (key: string, text: string) => `;${encode(key)}=${text}`
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((item) => encode(plain(item)))
    return explode ? items.map((item) => one(name, item)).join('') : one(name, items.join(','))
  }
  if (isRecord(value)) {
    return explode
      ? pieces(value, true, encode)
          .map((piece) => `;${piece}`)
          .join('')
      : one(name, pieces(value, false, encode).join(','))
  }
  return one(name, encode(plain(value)))
}

/** Returns `k=v` for each member if exploded, else `k`, `v`. */
function pieces(
  value: { readonly [name: string]: Json },
  explode: boolean,
  encode: (text: string) => string,
): readonly string[] {
  return Object.entries(value).flatMap(([key, member]) => {
    const [name, text] = [encode(key), encode(plain(member))]
    return explode ? [`${name}=${text}`] : [name, text]
  })
}

/** Returns whether a value has members; marked digits are a number. */
export function isRecord(value: Json): value is JsonObject {
  return isObject(value) && digitsOf(value) === undefined
}

/** Writes values other than strings as JSON. */
export function plain(value: Json): string {
  return typeof value === 'string' ? value : exactText(value)
}

/** Encodes all characters except unreserved ones (RFC 3986 §2.3). */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** `allowReserved`: keeps characters that are allowed in a query, except those that would end the value. */
export function percentEncodeReserved(text: string): string {
  return percentEncode(text).replaceAll(/%(3A|2F|3F|5B|5D|40|21|24|27|28|29|2A|2C|3B|3D)/g, (code) =>
    decodeURIComponent(code),
  )
}
