import { resolve } from 'node:path'
import type { Json } from '../../document/json.ts'
import { type CheckedDefinition, checkDefinition, readDefinitionFile } from '../../resolve/read-definition.ts'
import type { Io } from '../io.ts'
import { readAll } from './read-all.ts'

export interface ReadDefinition extends CheckedDefinition {
  /** Absolute path; absent for standard input. */
  readonly path?: string
}

/**
 * Reads and checks a definition that a command is to act on.
 * @param file a path, or `-` for standard input
 * @param registries whose words count as well (AAIF §10)
 * @throws DEFINITION_INVALID naming the first error and how many there are; FILE_UNREADABLE
 */
export async function readDefinition(
  file: string,
  io: Io,
  registries: readonly Json[] = [],
): Promise<ReadDefinition> {
  if (file === '-') return checkDefinition(await readAll(io.stdin), { shown: file, registries })
  const path = resolve(io.cwd, file)
  return { ...readDefinitionFile(path, file, registries), path }
}
