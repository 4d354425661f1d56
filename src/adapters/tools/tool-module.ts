import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import { assertRegularFile } from '../../document/read-file.ts'
import { brokenLine } from './broken-line.ts'
import { descriptionOf, type ToolDescription } from './tool-description.ts'

/** The second argument of a function in a tools module. */
export interface ToolCallContext {
  readonly signal: AbortSignal
  /** The same for every attempt of the same call. */
  readonly idempotencyKey: string
  /** The trace context: add these headers to requests of the function, so that they belong to the same trace. */
  readonly headers: Readonly<Record<string, string>>
}

export interface ToolFunction extends ToolDescription {
  readonly call: (args: JsonObject, context: ToolCallContext) => unknown
  /** Declares that the function does not change anything. */
  readonly readOnly: boolean
  /** Declares that the function acts once per key. */
  readonly idempotent: boolean
}

/** The second argument of a hook. */
export interface HookContext {
  readonly signal: AbortSignal
  /** The same if the hook is called again after a crash, for the same turn or the same call. */
  readonly idempotencyKey: string
}

export type HookFunction = (...args: unknown[]) => unknown

export interface ToolModule {
  readonly tools: ReadonlyMap<string, ToolFunction>
  /** By the name in `events.on_*` of a definition. */
  readonly hooks: ReadonlyMap<string, HookFunction>
}

const SHAPE = 'export const tools = { name: async (args, { signal, idempotencyKey, headers }) => result }'

/**
 * Loads the operator's module of functions (JavaScript or TypeScript) and runs its code: only pass a path from the
 * command line or the operator's configuration, never one from a document.
 * @throws WaybillError TOOLS_MODULE_UNREADABLE, TOOLS_MODULE_INVALID
 */
export async function loadToolModule(path: string): Promise<ToolModule> {
  const file = resolve(path)
  let exported: Record<string, unknown>
  try {
    // Loading a pipe would wait for its writer.
    assertRegularFile(file)
    exported = await import(pathToFileURL(file).href)
  } catch (error) {
    const found = existsSync(file)
    throw new WaybillError('TOOLS_MODULE_UNREADABLE', {
      fault: 'usage',
      file,
      ...(found && defined({ line: brokenLine(file, error) })),
      message: found ? `the tools module cannot be loaded: ${messageOf(error)}` : 'there is no such file',
      hint: found ? `correct the module; it needs: ${SHAPE}` : `check the path; the module needs: ${SHAPE}`,
      cause: error,
    })
  }
  const own =
    exported.tools === undefined && exported.hooks === undefined ? asRecord(exported.default) : exported
  const hooks = functionsOf(own?.hooks, 'hooks', file)
  const tools = functionsOf(own?.tools, 'tools', file) ?? (hooks === null ? null : [])
  if (tools === null) throw invalid(file, 'it does not export "tools"')
  return {
    tools: new Map(
      tools.map(([name, call]) => {
        const marks = call as { readOnly?: unknown; idempotent?: unknown }
        return [
          name,
          {
            ...descriptionOf(call),
            call: call as ToolFunction['call'],
            readOnly: mark(marks.readOnly, `${name}.readOnly`, file),
            idempotent: mark(marks.idempotent, `${name}.idempotent`, file),
          },
        ]
      }),
    ),
    hooks: new Map(hooks ?? []),
  }
}

function functionsOf(value: unknown, name: string, file: string): [string, HookFunction][] | null {
  if (value === undefined) return null
  const record = asRecord(value)
  if (record === null) throw invalid(file, `its "${name}" is not an object of functions`)
  return Object.entries(record).map(([key, member]) => {
    if (typeof member !== 'function')
      throw invalid(file, `${name}.${key} is not a function but ${typeof member}`)
    return [key, member as HookFunction]
  })
}

/** These flags affect safety, so a value that is neither true nor false is an error. */
function mark(value: unknown, name: string, file: string): boolean {
  if (value !== undefined && typeof value !== 'boolean')
    throw invalid(file, `tools.${name} is neither true nor false`)
  return value ?? false
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

function invalid(file: string, why: string): WaybillError {
  return new WaybillError('TOOLS_MODULE_INVALID', {
    fault: 'usage',
    file,
    message: `the tools module cannot be used: ${why}`,
    hint: SHAPE,
  })
}
