import { describeTool, type ToolCallContext } from '../compose/functions.ts'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import type { Json, JsonObject } from '../document/json.ts'
import { assertJsonData } from '../document/json-data.ts'
import { ToolFailure } from '../run/ports.ts'
import { compileUserSchema } from '../schema/user-schema.ts'
import { assertOptions, type OptionNames } from './assert-options.ts'
import { isStandardSchema, issuesText, jsonSchemaOf, type StandardSchema } from './standard-schema.ts'
import type { ArgumentsOf, JsonSchema, Parameters } from './tool-arguments.ts'

/** A function tool. `Arguments` is the type of what `execute` gets. */
export interface ToolOptions<P extends Parameters, Result> {
  /** What it does. The model sees the description in the definition; this one is for readers of the code. */
  readonly description?: string
  /** It changes nothing: it is called without approval, and again after a crash. */
  readonly readOnly?: boolean
  /** It acts once per `idempotencyKey`: it is called again after a crash. */
  readonly idempotent?: boolean
  /**
   * JSON Schema of its arguments, or a schema of Zod or another library with Standard JSON Schema. It is compared with
   * `parameters_schema` in the definition, and used in place of one that is missing there.
   */
  readonly parameters?: P
  /** Receives arguments that `parameters` accepts. */
  readonly execute: (args: ArgumentsOf<P>, context: ToolCallContext) => Result
}

/** A tool for the option `tools`, or for the export `tools` of a module of functions. */
export interface Tool<P extends Parameters = JsonSchema, Result = unknown> {
  /**
   * Checks the arguments, and calls `execute`.
   * @throws ToolFailure TOOL_ARGUMENTS_INVALID
   */
  (args: ArgumentsOf<P>, context: ToolCallContext): Promise<Awaited<Result>>
  readonly readOnly: boolean
  readonly idempotent: boolean
}

const TOOL_OPTIONS: OptionNames<ToolOptions<Parameters, unknown>> = {
  description: true,
  readOnly: true,
  idempotent: true,
  parameters: true,
  execute: true,
}

/**
 * Makes a function tool whose arguments are typed by `parameters`, and checked before `execute` is called.
 * @throws USAGE for an option that does not exist; SCHEMA_INVALID if `parameters` is not a usable schema
 */
export function tool<const P extends Parameters = JsonSchema, Result = unknown>(
  options: ToolOptions<P, Result>,
): Tool<P, Result> {
  assertOptions('tool', options, { names: TOOL_OPTIONS, required: ['execute'] })
  const { description, parameters, readOnly = false, idempotent = false, execute } = options
  assertMarks({ readOnly, idempotent })
  const schema = parameters === undefined ? undefined : schemaOf(parameters)
  const check = checkOf(parameters, schema)
  const call = async (args: unknown, context: ToolCallContext) =>
    execute((await check(args)) as ArgumentsOf<P>, context)
  const made = Object.assign(call, { readOnly, idempotent })
  return describeTool(made, defined({ description, parameters: schema })) as Tool<P, Result>
}

/** These marks affect safety: text such as "false" must not count as true. */
function assertMarks(marks: Readonly<Record<string, unknown>>): void {
  const wrong = Object.keys(marks).find((name) => typeof marks[name] !== 'boolean')
  if (wrong === undefined) return
  throw new WaybillError('USAGE', {
    fault: 'usage',
    message: `the option ${wrong} of tool is neither true nor false`,
    hint: `write ${wrong}: true, or omit it`,
  })
}

function schemaOf(parameters: Parameters): JsonObject {
  const schema = isStandardSchema(parameters) ? jsonSchemaOf(parameters) : parameters
  assertJsonData(schema)
  return structuredClone(schema) as JsonObject
}

/** Returns a function that checks arguments, and returns them as `execute` gets them. */
function checkOf(
  parameters: Parameters | undefined,
  schema: JsonObject | undefined,
): (args: unknown) => unknown {
  if (parameters === undefined || schema === undefined) return (args) => args
  const why = compileUserSchema(schema)
  // A library may add defaults, and convert values.
  if (isStandardSchema(parameters)) return (args) => converted(parameters, args)
  return (args) => {
    const violations = why(args as Json)
    if (violations !== null) throw invalidArguments(violations)
    return args
  }
}

async function converted({ '~standard': { validate } }: StandardSchema, args: unknown): Promise<unknown> {
  const result = await validate(args)
  if (result.issues !== undefined) throw invalidArguments(issuesText(result.issues))
  return result.value
}

function invalidArguments(why: string): ToolFailure {
  return new ToolFailure(
    'TOOL_ARGUMENTS_INVALID',
    `the function does not accept the arguments: ${why}`,
    'unsent',
  )
}
