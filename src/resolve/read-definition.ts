import { realpathSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Document } from '../document/document.ts'
import { type Issue, WaybillError } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import { MAX_BYTES, readDocument } from '../document/read-document.ts'
import { readFileStart } from '../document/read-file.ts'
import { whyUnreadable } from '../document/why-unreadable.ts'
import { auditedAgent } from '../policy/audited-agent.ts'
import type { MappedSchemas } from '../schema/mapped-schemas.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { validateAgentDefinition } from '../spec/aaif/validate-agent-definition.ts'
import { neighbourIssue, neighbourOfFile } from '../spec/neighbour-issue.ts'
import { definitionInvalid } from './definition-invalid.ts'
import { createFindSchema } from './find-schema.ts'
import { nearFile } from './near-file.ts'

export interface CheckedDefinition {
  readonly definition: AgentDefinition
  /** The document that it was read from, which has the positions of its values. */
  readonly document: Document
  readonly warnings: readonly Issue[]
}

export interface DefinitionOfFile extends CheckedDefinition {
  /** Absolute path; absent for a pipe or a device, which has no folder, like standard input. */
  readonly path?: string
  /** The real path that was read. The identity of the definition is that of this file, also if a link is changed. */
  readonly real?: string
}

/**
 * Reads and validates the file of a definition.
 * @param path absolute path
 * @param shown the path as shown in messages
 * @param registries registries whose values are also permitted (AAIF §10)
 * @param schemas schemas that the operator maps, by address
 * @throws DEFINITION_INVALID with the first error and the number of errors; FILE_EMPTY; FILE_UNREADABLE;
 * FILE_NOT_REGULAR
 */
export function readDefinitionFile(
  path: string,
  shown: string,
  registries: readonly Json[] = [],
  schemas: MappedSchemas = {},
): DefinitionOfFile {
  refuseProgram(path, shown)
  const { bytes, real } = readBytes(path, shown)
  const checked = checkDefinition(bytes, { path, shown, registries, schemas })
  return real === undefined ? checked : { ...checked, path, real }
}

/** `/dev/stdin` may be a file that was redirected; `/dev/shm` holds ordinary files in memory. */
function hasFolder(path: string): boolean {
  return (
    !/^\/(?:dev(?!\/shm\/)|proc)\//.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true
  )
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

function hintForMissing(path: string, file: string): string {
  const near = nearFile(path)
  // Named as the caller named the other one.
  return near === undefined
    ? 'check the path; `waybill init` creates a first definition'
    : `did you mean ${JSON.stringify(file.slice(0, file.length - basename(path).length) + basename(near))}?`
}

/** @throws FILE_UNREADABLE, for a program, whose text is not a document */
function refuseProgram(path: string, file: string): void {
  if (!/\.[cm]?[jt]sx?$/i.test(path)) return
  throw new WaybillError('FILE_UNREADABLE', {
    fault: 'usage',
    file,
    message: 'it is a program, and not a definition',
    hint: 'give a definition in YAML, JSON or CBOR; the functions of its tools are in a module of their own',
  })
}

function readBytes(path: string, file: string): { readonly bytes: Buffer; readonly real?: string } {
  try {
    // A file that is too large is reported by the reader of documents.
    if (!hasFolder(path)) return { bytes: readFileStart(path, MAX_BYTES + 1, 'given') }
    const real = realpathSync(path)
    return { bytes: readFileStart(real, MAX_BYTES + 1, 'placed'), real }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new WaybillError(code === 'FILE_NOT_REGULAR' ? code : 'FILE_UNREADABLE', {
      fault: 'usage',
      file,
      message: whyUnreadable(cause),
      hint: code === 'EISDIR' ? 'this is a folder; give the definition file' : hintForMissing(path, file),
      cause,
    })
  }
}
