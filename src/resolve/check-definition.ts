import { dirname } from 'node:path'
import type { Document } from '../document/document.ts'
import { type Issue, WaybillError } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import { readDocument } from '../document/read-document.ts'
import { auditedAgent } from '../policy/audited-agent.ts'
import type { MappedSchemas } from '../schema/mapped-schemas.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { validateAgentDefinition } from '../spec/aaif/validate-agent-definition.ts'
import { neighbourIssue, neighbourOfFile } from '../spec/neighbour-issue.ts'
import { definitionInvalid } from './definition-invalid.ts'
import { createFindSchema } from './find-schema.ts'

export interface CheckedDefinition {
  readonly definition: AgentDefinition
  /** The document that it was read from, which has the positions of its values. */
  readonly document: Document
  readonly warnings: readonly Issue[]
}

/**
 * Validates the bytes of a definition.
 * @param from the source; without `path` it is standard input
 * @throws DEFINITION_INVALID, FILE_EMPTY
 */
export function checkDefinition(
  bytes: Buffer,
  from: {
    readonly path?: string | undefined
    readonly shown: string
    readonly registries: readonly Json[]
    readonly schemas?: MappedSchemas
  },
): CheckedDefinition {
  const { path, shown, registries, schemas } = from
  const findSchema = createFindSchema(schemas, path === undefined ? undefined : dirname(path))
  if (bytes.length === 0) {
    throw new WaybillError('FILE_EMPTY', {
      fault: 'usage',
      file: shown,
      message: path === undefined ? 'standard input is empty' : 'the file is empty',
      hint: 'an agent definition is expected; `waybill init` creates one',
    })
  }
  const read = readDocument(bytes, path === undefined ? {} : { file: path })
  const issues =
    read.document === undefined
      ? read.issues
      : validateAgentDefinition(read.document, { registries, findSchema })
  const errors = issues.filter((issue) => issue.severity === 'error')
  if (read.document === undefined || errors.length > 0) {
    const other = neighbourOfFile(bytes, read.document?.value, path)
    throw definitionInvalid(other === undefined ? issues : [neighbourIssue(other)], {
      file: shown,
      refused: auditedAgent(read.document?.value),
    })
  }
  return {
    definition: read.document.value as unknown as AgentDefinition,
    document: read.document,
    warnings: issues.filter((issue) => issue.severity === 'warning'),
  }
}
