import { canonicalize } from '../../document/canonical.ts'
import { defined } from '../../document/defined.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'

/** A tool as a server describes it. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly title?: string
  readonly annotations?: JsonObject
  /** What of its description cannot be used, for the reader of the plan. */
  readonly note?: string
}

/**
 * Reads one tool of a list. A member of another type is absent, as if the server had not sent it: it costs only itself.
 * @returns why it is not a tool: it has no name, or it contains text that cannot be written
 */
export function readListedTool(value: Json, position: number): ListedTool | { readonly why: string } {
  if (!isObject(value)) return { why: `entry ${position} is not an object` }
  const { name, description, inputSchema, outputSchema, title, annotations } = value
  if (typeof name !== 'string' || name === '') return { why: `entry ${position} has no name` }
  const odd = [
    ...(isAbsentOr(isText, description) ? [] : ['its description is not text']),
    ...(isObject(inputSchema) ? typeNote(inputSchema) : ['it describes no arguments: any are accepted']),
    ...(isAbsentOr(isObject, outputSchema)
      ? []
      : ['its output schema is not an object: results are not checked']),
    ...(isAbsentOr(isObject, annotations) ? [] : ['its hints are not an object']),
  ]
  const tool: ListedTool = {
    name,
    description: isText(description) ? description : '',
    inputSchema: { ...(isObject(inputSchema) && inputSchema), type: 'object' },
    ...(isObject(outputSchema) && { outputSchema }),
    ...(isText(title) && { title }),
    ...(isObject(annotations) && { annotations: hintsOf(annotations) }),
    ...defined({ note: odd.length === 0 ? undefined : odd.join('; ') }),
  }
  if (!canBeWritten(tool)) return { why: `${name.toWellFormed()} contains text that is not Unicode` }
  return tool
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']

/** Returns the hints that MCP defines: a pin contains them, and must not depend on others. */
function hintsOf(annotations: JsonObject): JsonObject {
  const { title } = annotations
  const hints = HINTS.flatMap((name): [string, Json][] => {
    const value = ownMember(annotations, name)
    return typeof value === 'boolean' ? [[name, value]] : []
  })
  return { ...(isText(title) && { title }), ...Object.fromEntries(hints) }
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string'
}

function isAbsentOr(fits: (value: Json | undefined) => boolean, value: Json | undefined): boolean {
  return value === undefined || value === null || fits(value)
}

/** Arguments of MCP are always an object. */
function typeNote({ type }: JsonObject): readonly string[] {
  if (type === 'object' || type === undefined) return []
  return ['the type of its arguments is not "object"']
}

/** A tool with invalid Unicode cannot be hashed or sent to a model. */
function canBeWritten(tool: ListedTool): boolean {
  try {
    canonicalize(tool as unknown as Json)
    return true
  } catch {
    return false
  }
}
