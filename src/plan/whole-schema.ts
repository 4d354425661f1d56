import { defined } from '../document/defined.ts'
import type { JsonObject } from '../document/json.ts'
import { findMapped, type MappedSchemas } from '../schema/mapped-schemas.ts'
import { checkUserSchema, type SchemaProblem } from '../schema/user-schema.ts'
import { bundleUserSchema } from '../schema/user-schema-bundle.ts'
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
  /** The parts of the arguments that are not available. */
  readonly unchecked: readonly SchemaProblem[]
  readonly note?: string
  /**
   * Why a schema cannot be used, or null. Server schemas are untrusted: an invalid one denies its tool, not the whole
   * plan.
   */
  readonly broken: string | null
}

/** Completes the schemas of a tool with mapped documents only: a server must not make a run read files. */
export function wholeOffer(
  { parameters_schema, output_schema }: DiscoveredTool,
  mapped: MappedSchemas | undefined,
): WholeOffer {
  const find = findMapped(mapped)
  const parameters = bundleUserSchema(parameters_schema, find)
  const result = output_schema === undefined ? undefined : bundleUserSchema(output_schema, find)
  const [open] = [...parameters.problems, ...(result?.problems ?? [])]
  const [wrong] = [parameters.schema, result?.schema ?? {}].flatMap((schema) =>
    checkUserSchema(schema).filter(({ severity }) => severity === 'error'),
  )
  return {
    parameters_schema: parameters.schema,
    ...defined({ output_schema: result?.schema }),
    unchecked: parameters.problems,
    ...(open !== undefined && { note: `${open.message}; ${open.hint}` }),
    broken:
      wrong === undefined ? null : `${wrong.pointer === '' ? '' : `${wrong.pointer}: `}${wrong.message}`,
  }
}

/** Returns why a write with such arguments is denied at level regulated: a part of them is not checked. */
export function notCheckedFor(problems: readonly SchemaProblem[]): string | undefined {
  const missing = problems.find(({ unavailable }) => unavailable !== undefined)
  if (missing === undefined) return undefined
  return `at safety_level regulated the arguments of a write must be checked, but ${missing.message}; ${missing.hint}`
}
