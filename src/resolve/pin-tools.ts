import type { Discovery, ToolPins } from '../plan/snapshot.ts'
import { EMPTY_LOCK } from '../plan/tool-lock.ts'
import { acceptTools, comparePins } from '../plan/tool-pins.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { lockFileTrouble, readToolLock, troubleOf, writeToolLock } from './tool-lock-file.ts'

export interface PinOptions {
  /** The lock file; null when the definition lies in no folder that could hold one. */
  readonly file: string | null
  /** Whether tools that are met for the first time are written down: a run does that, a plan only looks. */
  readonly record: boolean
}

/**
 * What a definition's servers are held to. Tools of a declaration that was never met are taken as they are, and
 * written down; from then on a difference must be accepted by a person.
 * @throws TOOL_LOCK_INVALID
 */
export function pinTools(
  definition: AgentDefinition,
  discovered: Readonly<Record<string, Discovery>>,
  { file, record }: PinOptions,
): ToolPins {
  if (file === null) return { lock: EMPTY_LOCK, trouble: 'the definition is in no file' }
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
