import { dirname } from 'node:path'
import { registriesOf } from '../../compose/extensions.ts'
import type { Issue } from '../../document/issue.ts'
import { primaryProvider } from '../../plan/plan-models.ts'
import { sourceIdentity } from '../../resolve/definition-identity.ts'
import type { MappedSchemas } from '../../schema/mapped-schemas.ts'
import { parseModel } from '../../settings/operator-settings-of.ts'
import { parseSchemaMappings, readSchemaFiles } from '../../settings/read-schema-files.ts'
import type { KnownDefinition } from '../../settings/remembered-grants.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'
import { readGivenDefinition } from '../files/read-given-definition.ts'
import type { OpenedCommand } from './opened-command.ts'
import { operatorOf, type PartsContext } from './parts-from-flags.ts'

/** The definition of a command line, with what the operator's configuration says about it. */
export interface ReadAgent extends PartsContext {
  readonly definition: AgentDefinition
  /** Warnings of its validation. */
  readonly warnings: readonly Issue[]
  /** Absolute path; absent for standard input. */
  readonly file: string | undefined
  /** The real path that was read. */
  readonly real: string | undefined
  readonly known: KnownDefinition
  /** Schemas that the operator maps, by address. */
  readonly schemas: MappedSchemas
}

/**
 * Reads the configuration of the operator, and the definition of a command line.
 * @throws CONFIG_INVALID, CONFIG_UNREADABLE, SCHEMA_MAPPING_INVALID, SCHEMA_FILE_INVALID; DEFINITION_INVALID,
 * FILE_UNREADABLE
 */
export async function readAgent(
  file: string,
  { options, io }: Pick<OpenedCommand, 'options' | 'io'>,
): Promise<ReadAgent> {
  const operator = await operatorOf(options, io)
  const registries = await registriesOf(operator.extensions)
  const schemas = readSchemaFiles({
    ...operator.config.schemas,
    ...parseSchemaMappings(options.schema, io.cwd),
  })
  const { definition, warnings, path, real } = await readGivenDefinition(file, io, registries, schemas)
  const model = options.model === undefined ? undefined : parseModel(options.model)
  return {
    ...operator,
    definition,
    warnings,
    file: path,
    real,
    folder: path === undefined ? undefined : dirname(path),
    known: { identity: sourceIdentity(definition, { file: path, real }), definition },
    primary: primaryProvider(definition, model),
    schemas,
  }
}
