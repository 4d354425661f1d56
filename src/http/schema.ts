import type { Json, JsonObject } from '../document/json.ts'
import type { Schema } from '../spec/schema-builder.ts'

/** @public It is named by the declarations of the package. */
export declare const TYPE: unique symbol

/** A JSON Schema whose values are of a known type. The type is known to the compiler alone. */
export type SchemaOf<T> = Schema & { readonly [TYPE]?: T }

/** The type of the values of a schema; of one that says nothing about its type: any JSON value. */
export type Typed<S> = S extends { readonly [TYPE]?: infer T } ? (unknown extends T ? Json : T) : Json

/** Schemas of members by their names. */
export type Members = Readonly<Record<string, Schema>>

/** The type of an object with these members, of which some are required. */
export type ObjectOf<P extends Members, R extends keyof P> = Shown<
  { readonly [K in R]: Typed<P[K]> } & { readonly [K in Exclude<keyof P, R>]?: Typed<P[K]> }
>

/** The same type, as editors and messages of the compiler show it best. */
type Shown<T> = { [K in keyof T]: T[K] } & {}

type Keywords = Readonly<Record<string, Json>>

export function text(description: string, more: Keywords = {}): SchemaOf<string> {
  return { type: 'string', description, ...more }
}

export function oneOf<const V extends readonly string[]>(
  values: V,
  description: string,
  more: Keywords = {},
): SchemaOf<V[number]> {
  return { type: 'string', enum: values, description, ...more }
}

export function flag(description: string): SchemaOf<boolean> {
  return { type: 'boolean', description }
}

/** Null is valid too. */
export function nullable<S extends Schema>(schema: S): SchemaOf<Typed<S> | null> {
  return { ...schema, type: [String(schema.type), 'null'] }
}

/** An object of a request: other members are errors. */
export function request<P extends Members, const R extends keyof P & string = never>(
  properties: P,
  required: readonly R[] = [],
): SchemaOf<ObjectOf<P, R>> {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** An object of an answer: clients must accept other members. @param required default: all */
export function answer<P extends Members, const R extends keyof P & string = keyof P & string>(
  description: string,
  properties: P,
  required?: readonly R[],
): SchemaOf<ObjectOf<P, R>> {
  return { type: 'object', description, properties, required: required ?? Object.keys(properties) }
}

/** Returns the names of members, without some. */
export function namesOf<P extends object, const E extends keyof P & string = never>(
  members: P,
  except: readonly E[] = [],
): readonly Exclude<keyof P & string, E>[] {
  const names = Object.keys(members) as (keyof P & string)[]
  return names.filter((name): name is Exclude<keyof P & string, E> => !except.some((other) => other === name))
}

export function list<S extends Schema>(items: S, extra: Schema = {}): SchemaOf<readonly Typed<S>[]> {
  return { type: 'array', items, ...extra }
}

/** A scope of a token. The server names all of them when it knows all routes; see `nameScopes`. */
export const SCOPE = text('The tag of a route, and `read` for GET, else `write`.')

/** Any JSON value. */
export function anything(description: string): SchemaOf<Json> {
  return { description }
}

/** Visible text on one line: without control characters. Every regular expression engine reads this notation. */
export const ONE_LINE = '^[^\\x00-\\x1F\\x7F-\\x9F]*$'

export function id(description: string): SchemaOf<string> {
  return { type: 'string', minLength: 1, maxLength: 512, pattern: ONE_LINE, description }
}

/** A JWS in the compact form (RFC 7515 §7.1). */
export function compactJws(description: string): SchemaOf<string> {
  return {
    type: 'string',
    minLength: 1,
    maxLength: 8192,
    pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
    'x-opaque': true,
    description,
  }
}

/** The form of an address that every mail server accepts; it contains nothing that ends a line or begins another address. */
export const MAIL_ADDRESS =
  "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$"

/** An object of any members. */
export function object(description: string): SchemaOf<JsonObject> {
  return { type: 'object', description }
}

/**
 * Marks a text that must not contain an unpaired surrogate, which cannot be stored. A pattern cannot say it: other
 * engines refuse surrogates in patterns.
 */
export function wellFormed<S extends Schema>(schema: S): S {
  return { ...schema, 'x-well-formed': true }
}

/** Adds keywords that do not change the type of the values. */
export function also<S extends Schema>(schema: S, keywords: Keywords): S {
  return { ...schema, ...keywords }
}

/** Names a rule that no JSON Schema can express: a value that matches the schema may break it, and is refused then. */
export function ruled<S extends Schema>(schema: S, rule: string): S {
  return { ...schema, 'x-further-rule': rule }
}

/** A variant of {@link kinds}. */
export interface Kind<P extends Members = Members, R extends string = string> {
  /** Names its schema in the OpenAPI document. */
  readonly title: string
  readonly properties?: P
  readonly required?: readonly R[]
  /** Further keywords of its schema. */
  readonly more?: Schema
}

/** Variants of {@link kinds} by their kinds. */
export type Kinds = Readonly<Record<string, Kind>>

type PropertiesOf<V> = V extends { readonly properties: infer P extends Members } ? P : unknown
type RequiredOf<V> = V extends { readonly required: readonly (infer R)[] } ? R : never

/** The union of the types of all variants. */
type OneOfKinds<T extends string, V extends Kinds, S extends Members, R> = {
  [K in keyof V]: VariantOf<
    { readonly [N in T]: SchemaOf<K> } & S & PropertiesOf<V[K]>,
    T | R | RequiredOf<V[K]>
  >
}[keyof V]

type VariantOf<P, R> = P extends Members ? ObjectOf<P, R & keyof P> : never

/**
 * An object of a request that has the members of its kind, which one member names.
 * @param tag the member that names the kind
 * @param shared members that all kinds have
 */
export function kinds<
  const T extends string,
  const V extends Kinds,
  S extends Members = Readonly<Record<never, never>>,
  const R extends keyof S & string = never,
>(
  tag: T,
  description: string,
  variants: V,
  shared?: S,
  sharedRequired: readonly R[] = [],
): SchemaOf<OneOfKinds<T, V, S, R>> {
  return {
    type: 'object',
    discriminator: { propertyName: tag },
    oneOf: Object.entries<Kind>(variants).map(
      ([kind, { title, properties = {}, required = [], more = {} }]) => ({
        title,
        ...request<Members, string>({ [tag]: oneOf([kind], description), ...shared, ...properties }, [
          tag,
          ...sharedRequired,
          ...required,
        ]),
        ...more,
      }),
    ),
  }
}

/** Returns the members of all variants. */
export function membersOf<const V extends Kinds>(variants: V): Shown<All<PropertiesOf<V[keyof V]>>> {
  return Object.assign({}, ...Object.values<Kind>(variants).map(({ properties }) => properties))
}

type All<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer A) => void ? A : never

export function moment(description: string): SchemaOf<string> {
  return { type: 'string', format: 'date-time', description }
}

export function integer(description: string, minimum?: number, maximum?: number): SchemaOf<number> {
  return {
    type: 'integer',
    description,
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  }
}

/** The parameters of every list. */
export const PAGE = {
  limit: integer('Entries of a page; default 100.', 1, 1000),
  cursor: text('`next` of the previous page, unchanged.', {
    minLength: 1,
    maxLength: 1024,
    pattern: '^[A-Za-z0-9_-]+$',
    'x-opaque': true,
  }),
} as const

/** A page of a list. */
export function pageOf<S extends Schema>(
  items: S,
): SchemaOf<{ readonly items: readonly Typed<S>[]; readonly next: string | null }> {
  return answer('A page of a list.', {
    items: list(items),
    next: nullable(text('The `cursor` of the next page; null after the last one.')),
  })
}

export const removed = answer('How many were removed.', { removed: integer('The number.', 0) })

/** Says that a type is the one of a schema, for a schema that is written as data. */
export function typed<T>(schema: JsonObject): SchemaOf<T> {
  return schema
}
