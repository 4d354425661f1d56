import type { JsonObject } from '../../document/json.ts'

/** What `tool()` says about its function. */
export interface ToolDescription {
  readonly description?: string
  /** JSON Schema of its arguments; the function itself checks them. */
  readonly parameters?: JsonObject
}

/** The member of a function that holds its description: the same in another copy of this package. */
const DESCRIPTION = Symbol.for('waybill.tool')

/** Attaches a description to a function. */
export function describeTool<F extends object>(call: F, description: ToolDescription): F {
  return Object.defineProperty(call, DESCRIPTION, { value: description })
}

/** Returns the description of a function that `tool()` made; empty for other functions. */
export function descriptionOf(call: object): ToolDescription {
  return (call as { readonly [DESCRIPTION]?: ToolDescription })[DESCRIPTION] ?? {}
}
