import { defined } from '../document/defined.ts'
import type { JsonObject } from '../document/json.ts'
import { findMapped, type MappedSchemas } from '../schema/mapped-schemas.ts'
import { type OpenedSchema, openUnusableParts } from '../schema/open-unusable-parts.ts'
import { checkUserSchema, type SchemaProblem } from '../schema/user-schema.ts'
import { bundleUserSchema, type FindSchema } from '../schema/user-schema-bundle.ts'
import type { PlacedSchema } from '../spec/aaif/schemas-of.ts'
import type { DiscoveredTool, Snapshot } from './snapshot.ts'

/** Returns the schema at a place of the definition, complete with the documents that it refers to. */
export function wholeSchema(
  { schemas }: Snapshot,
  pointer: string,
  written: object | undefined,
): JsonObject | undefined {
  return schemas?.[pointer]?.schema ?? (written as JsonObject | undefined)
}

/** Returns the problems of a schema of the definition; parts that are not available are among them. */
export function problemsAt(
  { schemas }: Snapshot,
  { pointer, schema }: PlacedSchema,
): readonly SchemaProblem[] {
  return schemas?.[pointer]?.problems ?? checkUserSchema(schema)
}

/** The schemas of a tool that a server offers, complete with the documents that they refer to. */
export interface WholeOffer {
  readonly parameters_schema: JsonObject
  readonly output_schema?: JsonObject
  /** The parts of the arguments that are not available, or that cannot be used. */
  readonly unchecked: readonly SchemaProblem[]
  /** Says which parts of the arguments and of the results are not checked. */
  readonly note?: string
}

/**
 * Completes the schemas of a tool with mapped documents only: a server must not make a run read files. Schemas of servers
 * are of another party: a part that cannot be used is not checked, and all other parts are.
 */
export function wholeOffer(
  { parameters_schema, output_schema }: DiscoveredTool,
  mapped: MappedSchemas | undefined,
): WholeOffer {
  const find = findMapped(mapped)
  const parameters = usable(parameters_schema, find)
  const result = output_schema === undefined ? undefined : usable(output_schema, find)
  const notes = [...noteOf('arguments', parameters.unchecked), ...noteOf('results', result?.unchecked ?? [])]
  return {
    parameters_schema: parameters.schema,
    ...defined({ output_schema: result?.schema }),
    unchecked: parameters.unchecked,
    ...(notes.length > 0 && { note: notes.join('; ') }),
  }
}

function usable(schema: JsonObject, find: FindSchema): OpenedSchema {
  const own = openUnusableParts(schema)
  const bundled = bundleUserSchema(own.schema, find)
  // Together, documents may form a circle, or be too large.
  const whole = openUnusableParts(bundled.schema)
  const together = whole.schema === bundled.schema ? [] : whole.unchecked
  return { schema: whole.schema, unchecked: [...own.unchecked, ...bundled.problems, ...together] }
}

const MOST_NAMED = 3

/** Returns a sentence about the parts that are not checked: the first few, and the number of the others. */
function noteOf(what: string, unchecked: readonly SchemaProblem[]): readonly string[] {
  if (unchecked.length === 0) return []
  const named = unchecked.slice(0, MOST_NAMED).map(({ pointer, message, hint, unavailable }) => {
    const way = unavailable === undefined || hint === undefined ? '' : `; ${hint}`
    return `${pointer === '' ? '' : `${pointer}: `}${message}${way}`
  })
  const others = unchecked.length - named.length
  const more = others === 0 ? '' : `; and ${others} more`
  return [`parts of its ${what} are not checked: ${named.join('; ')}${more}`]
}

/** Returns why a write with such arguments is denied at level regulated: a part of them is not checked. */
export function notCheckedFor(problems: readonly SchemaProblem[]): string | undefined {
  const missing = problems.find(({ unavailable, unusable }) => unavailable !== undefined || unusable === true)
  if (missing === undefined) return undefined
  const way = missing.hint === undefined ? '' : `; ${missing.hint}`
  return `at safety_level regulated the arguments of a write must be checked, but ${missing.message}${way}`
}
