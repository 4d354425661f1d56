import { realpathSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { WaybillError } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import { MAX_BYTES } from '../document/read-document.ts'
import { readFileStart } from '../document/read-file.ts'
import { whyUnreadable } from '../document/why-unreadable.ts'
import type { MappedSchemas } from '../schema/mapped-schemas.ts'
import { type CheckedDefinition, checkDefinition } from './check-definition.ts'
import { nearFile } from './near-file.ts'

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
