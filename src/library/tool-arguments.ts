import type { Json, JsonObject } from '../document/json.ts'
import type { OutputOf, StandardSchema } from './standard-schema.ts'

/** What describes the arguments of a tool: JSON Schema, or a schema of a library that can write it. */
export type Parameters = JsonSchema | StandardSchema

/** A JSON Schema, written in place so that its types can be inferred. */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * The type of the arguments of a tool. Of JSON Schema these keywords count: `type`, `const`, `enum`, `properties`,
 * `required`, `additionalProperties`, `items`, `anyOf`, `oneOf` and `nullable`; other parts are of type `Json`.
 */
export type ArgumentsOf<P extends Parameters> = P extends StandardSchema
  ? OutputOf<P>
  : ValueOf<P> extends infer Value
    ? Json extends Value
      ? JsonObject
      : Value
    : never

/** The type of the values of a JSON Schema. */
export type ValueOf<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly anyOf: readonly (infer Some)[] } | { readonly oneOf: readonly (infer Some)[] }
      ? Each<Some>
      : S extends { readonly nullable: true }
        ? null | TypedValue<S>
        : TypedValue<S>

/** Distributes over the alternatives. */
type Each<S> = S extends unknown ? ValueOf<S> : never

type TypedValue<S> = S extends { readonly type: infer Type }
  ? Type extends readonly (infer Some)[]
    ? OfType<Some, S>
    : OfType<Type, S>
  : S extends { readonly properties: unknown }
    ? ObjectOf<S>
    : Json

type OfType<Type, S> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? S extends { readonly items: infer Item }
            ? readonly ValueOf<Item>[]
            : readonly Json[]
          : Type extends 'object'
            ? ObjectOf<S>
            : Json

type ObjectOf<S> = S extends { readonly properties: infer Members }
  ? Flat<
      { readonly [Name in keyof Members & RequiredOf<S>]: ValueOf<Members[Name]> } & {
        readonly [Name in Exclude<keyof Members, RequiredOf<S>>]?: ValueOf<Members[Name]>
      }
    >
  : S extends { readonly additionalProperties: infer Member extends JsonSchema }
    ? { readonly [name: string]: ValueOf<Member> }
    : JsonObject

type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never

/** Shows an intersection as one type. */
type Flat<T> = { readonly [Name in keyof T]: T[Name] }
