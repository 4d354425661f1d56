import { resolve } from 'node:path'
import type { Json } from '../../document/json.ts'
import { checkDefinition } from '../../resolve/check-definition.ts'
import { type DefinitionOfFile, readDefinitionFile } from '../../resolve/read-definition-file.ts'
import type { MappedSchemas } from '../../schema/mapped-schemas.ts'
import type { Io } from '../io.ts'
import { readAll } from './read-all.ts'

/**
 * Reads and validates the definition of a command.
 * @param file a path, or `-` for standard input
 * @param registries registries whose values are also permitted (AAIF §10)
 * @param schemas schemas that the operator maps, by address
 * @throws DEFINITION_INVALID with the first error and the number of errors; FILE_UNREADABLE
 */
export async function readGivenDefinition(
  file: string,
  io: Io,
  registries: readonly Json[] = [],
  schemas: MappedSchemas = {},
): Promise<DefinitionOfFile> {
  if (file === '-') return checkDefinition(await readAll(io.stdin), { shown: file, registries, schemas })
  return readDefinitionFile(resolve(io.cwd, file), file, registries, schemas)
}
