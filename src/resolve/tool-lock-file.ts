import { randomUUID } from 'node:crypto'
import { accessSync, constants, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import type { JsonObject } from '../document/json.ts'
import { readBeside } from '../document/read-inside.ts'
import { strictJson } from '../document/strict-json.ts'
import type { Discovery, ToolPins } from '../plan/snapshot.ts'
import { EMPTY_LOCK, type ToolLock } from '../plan/tool-lock.ts'
import { acceptTools, comparePins } from '../plan/tool-pins.ts'
import { compileUserSchema } from '../schema/user-schema.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'

export interface PinOptions {
  /** The lock file; null when the definition was not read from a file. */
  readonly file: string | null
  /** Whether tools that are seen for the first time are written to the lock file: a run does that, a plan does not. */
  readonly record: boolean
}

/**
 * Returns the pins of a definition's tool servers. The tools of a declaration that the lock file does not have are
 * accepted as they are and written to it; from then on a person must accept each difference.
 * @throws TOOL_LOCK_INVALID
 */
export function pinNewTools(
  definition: AgentDefinition,
  discovered: Readonly<Record<string, Discovery>>,
  { file, record }: PinOptions,
): ToolPins {
  if (file === null) return { lock: EMPTY_LOCK, trouble: 'the definition does not come from a file' }
  const lock = readToolLock(file)
  const unmet = comparePins(definition, discovered, lock).some(({ state }) => state === 'unpinned')
  if (!unmet) return { lock }
  if (!record) {
    const trouble = lockFileTrouble(file)
    return { lock, ...(trouble !== null && { trouble }) }
  }
  const pinned = acceptTools(definition, discovered, lock, ({ state }) => state === 'unpinned')
  try {
    writeToolLock(file, pinned)
    return { lock: pinned }
  } catch (error) {
    return { lock, trouble: troubleOf(file, error) }
  }
}

/** Returns the lock file of a definition: `clerk.lock.json` in the same folder for `clerk.yaml`. */
export function lockFileOf(definition: string): string {
  return join(dirname(definition), `${basename(definition, extname(definition))}.lock.json`)
}

/** A lock file has some hundred bytes for each tool. */
const LARGEST_LOCK_BYTES = 32 * 1024 * 1024

/**
 * Reads a lock file. A missing file is an empty lock.
 * @throws TOOL_LOCK_INVALID if it cannot be read, because it must not be treated as an empty lock
 */
export function readToolLock(file: string): ToolLock {
  const read = readBeside(file, LARGEST_LOCK_BYTES)
  if (read === undefined) return EMPTY_LOCK
  if (!read.ok) throw invalid(file, read.reason)
  let value: unknown
  try {
    value = strictJson(read.bytes.toString('utf8'))
  } catch (cause) {
    throw invalid(file, 'it is not valid JSON', cause)
  }
  const breach = compileUserSchema(SCHEMA)(value as JsonObject)
  if (breach !== null) throw invalid(file, breach)
  return value as ToolLock
}

/** Writes a lock file atomically. Throws the errors of the file system. */
export function writeToolLock(file: string, lock: ToolLock): void {
  const fresh = `${file}.${randomUUID()}.tmp`
  try {
    writeFileSync(fresh, `${JSON.stringify(lock, null, 2)}\n`)
    renameSync(fresh, file)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

/** Returns the reason why a lock file cannot be written, or null if it can. */
export function lockFileTrouble(file: string): string | null {
  try {
    accessSync(dirname(file), constants.W_OK)
    return null
  } catch (error) {
    return troubleOf(file, error)
  }
}

export function troubleOf(file: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return `${file} cannot be written (${code ?? message})`
}

function invalid(file: string, why: string, cause?: unknown): WaybillError {
  return new WaybillError('TOOL_LOCK_INVALID', {
    fault: 'usage',
    file,
    message: `the lock file of the tools cannot be used: ${why}`,
    hint: 'restore the file, or delete it and review all tools again with `waybill tools list`',
    ...defined({ cause }),
  })
}

const SCHEMA: JsonObject = {
  type: 'object',
  required: ['v', 'tools'],
  properties: {
    v: { const: 1 },
    tools: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['offers'],
        properties: {
          endpoint: { type: 'string' },
          offers: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              required: ['sha256', 'description'],
              properties: {
                sha256: { type: 'string' },
                description: { type: 'string' },
                effect: { enum: ['read', 'write'] },
                idempotent: { type: 'boolean' },
                acts: { type: 'string' },
              },
            },
          },
        },
      },
    },
  },
}
