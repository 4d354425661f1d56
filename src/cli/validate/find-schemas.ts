import { dirname, resolve } from 'node:path'
import { createFindSchema } from '../../resolve/find-schema.ts'
import type { MappedSchemas } from '../../schema/mapped-schemas.ts'
import type { FindSchema } from '../../schema/user-schema-bundle.ts'
import { homePath } from '../../settings/home.ts'
import { readConfig } from '../../settings/read-config.ts'
import { parseSchemaMappings, readSchemaFiles } from '../../settings/read-schema-files.ts'
import type { Io } from '../io.ts'

/**
 * Reads the schemas of `--schema URL=FILE`.
 * @throws SCHEMA_MAPPING_INVALID, SCHEMA_FILE_INVALID
 */
export function mappedSchemas(mappings: readonly string[], { cwd }: Io): MappedSchemas {
  return readSchemaFiles(parseSchemaMappings(mappings, cwd))
}

/**
 * Reads the schemas that the configuration maps.
 * @param config a path; absent: the configuration in the home
 * @throws CONFIG_INVALID, CONFIG_UNREADABLE, SCHEMA_FILE_INVALID
 */
export function configuredSchemas(config: string | undefined, { cwd, env }: Io): MappedSchemas {
  const file = config === undefined ? undefined : resolve(cwd, config)
  return readSchemaFiles(readConfig(homePath(env), file).schemas ?? {})
}

/**
 * Finds the documents that the schemas in a file refer to.
 * @param file a path, or `-` for standard input, which has no folder
 */
export function findSchemaFor(file: string, mapped: MappedSchemas, { cwd }: Io): FindSchema {
  return createFindSchema(mapped, file === '-' ? undefined : dirname(resolve(cwd, file)))
}
