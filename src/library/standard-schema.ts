import { WaybillError } from '../document/issue.ts'
import type { JsonObject } from '../document/json.ts'

/**
 * A schema of a library that follows Standard Schema (https://standardschema.dev), such as Zod, Valibot or ArkType. Only
 * the members that are used: no library is a dependency.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** Standard JSON Schema; Zod has it since 4.2. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: 'draft-2020-12' }) => object }
  }
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The type of the values that a standard schema returns. */
export type OutputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output']

export function isStandardSchema(schema: object): schema is StandardSchema {
  return '~standard' in schema
}

/**
 * Returns what a standard schema accepts, as JSON Schema.
 * @throws SCHEMA_INVALID if its library cannot write JSON Schema, or not this schema
 */
export function jsonSchemaOf({ '~standard': standard }: StandardSchema): JsonObject {
  const { vendor, jsonSchema } = standard
  if (jsonSchema === undefined) {
    throw new WaybillError('SCHEMA_INVALID', {
      message: `this schema of ${vendor} cannot be written as JSON Schema, which the model and the plan need`,
      hint: `use a version of ${vendor} with Standard JSON Schema, or give parameters as JSON Schema`,
    })
  }
  try {
    return jsonSchema.input({ target: 'draft-2020-12' }) as JsonObject
  } catch (cause) {
    throw new WaybillError('SCHEMA_INVALID', {
      message: `${vendor} cannot write this schema as JSON Schema: ${cause instanceof Error ? cause.message : cause}`,
      hint: 'describe the arguments with JSON data only',
      cause,
    })
  }
}

/** Returns findings as text for a model: `/day: must be a date; /to: required`. */
export function issuesText(issues: readonly StandardIssue[]): string {
  return issues
    .map(({ message, path = [] }) => {
      const steps = path.map((step) => String(typeof step === 'object' ? step.key : step))
      return `${steps.length === 0 ? '(root)' : `/${steps.join('/')}`}: ${message}`
    })
    .join('; ')
}
