import { fromPointer } from './json-pointer.ts'

/** A value of the JSON data model: what every document, argument and result is made of. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [member: string]: Json
}

/**
 * Maps a type to itself when all its members are JSON data. TypeScript does not assign an interface to `Json`, because
 * an interface has no index signature. Other members (functions, `undefined`, `unknown`) become `never`: the compiler
 * then refuses the type.
 */
type JsonOf<T> = T extends Json
  ? T
  : T extends (...args: never[]) => unknown
    ? never
    : T extends object
      ? { readonly [K in keyof T]: JsonOf<T[K]> }
      : never

/** Returns a value of one of our types as JSON data. The compiler checks that its type contains only JSON data. */
export function asJson<T>(value: T & JsonOf<T>): Json {
  return value as unknown as Json
}

/** Returns whether a JSON value is an object: neither null nor an array. */
export function isObject(value: Json | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Returns the value at a JSON Pointer, or undefined if there is none. Ignores inherited members. */
export function valueAt(root: Json, pointer: string): Json | undefined {
  if (pointer !== '' && !pointer.startsWith('/')) return undefined
  let value: Json | undefined = root
  for (const step of fromPointer(pointer)) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, step)) return undefined
    value = (value as JsonObject)[step]
  }
  return value
}
