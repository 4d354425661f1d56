import { defined } from '../../document/defined.ts'
import type { Document } from '../../document/document.ts'
import { type Issue, WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { compareDefinitions } from '../../policy/changes/compare-definitions.ts'
import type { DefinitionChange } from '../../policy/changes/definition-change.ts'
import { judgeFile } from '../../spec/judge-file.ts'
import type { Kind } from '../../spec/kinds.ts'
import { readFileOrInput } from '../files/read-any-document.ts'
import { readRegistries } from '../files/read-registries.ts'
import { unreadableDocument } from '../files/unreadable-document.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import { changesText, type PlacedChange } from './changes-text.ts'

interface Options extends FormatOptions {
  readonly registry?: readonly string[]
}

/**
 * Compares the meaning of two agent definitions (`waybill diff`). A definition that contains a secret is invalid, so the
 * output contains none.
 */
export async function diffDefinitions(
  before: string,
  after: string,
  options: Options,
  io: Io,
): Promise<ExitCode> {
  if (before === '-' && after === '-')
    throw usageError('only one of the two definitions can be standard input', 'give a file for the other one')
  const registries = await readRegistries(options.registry ?? [], io)
  const was = await readVersion(before, registries, io)
  const is = await readVersion(after, registries, io)
  const found = compareDefinitions(was.value as JsonObject, is.value as JsonObject)
  const result = { ...found, changes: found.changes.map((change) => placed(change, was, is)) }
  if (wantsJson(options)) io.out(`${jsonText(result, 2)}\n`)
  else if (result.equal) io.err('both definitions mean the same\n')
  else io.out(changesText(result, { before, after }, io))
  return result.equal ? EXIT.ok : EXIT.no
}

function placed(change: DefinitionChange, was: Document, is: Document): PlacedChange {
  const { before_path, after_path, ...members } = change
  return {
    ...members,
    ...(before_path !== undefined && { before_at: placeOf(was, before_path) }),
    ...(after_path !== undefined && { after_at: placeOf(is, after_path) }),
  }
}

/** A binary document has no lines. */
function placeOf(document: Document, pointer: string) {
  if (document.encoding !== 'json' && document.encoding !== 'yaml') return { pointer }
  const { line, column } = document.locate(pointer, { key: true })
  return { pointer, line, column }
}

/**
 * Reads a valid definition.
 * @throws FILE_UNREADABLE; the code of the first problem while reading; KIND_UNKNOWN, KIND_NOT_COMPARED;
 * DEFINITION_INVALID with all errors
 */
async function readVersion(file: string, registries: readonly Json[], io: Io): Promise<Document> {
  const bytes = await readFileOrInput(file, io)
  const { kind, document, issues } = judgeFile(bytes, file === '-' ? {} : { file }, undefined, { registries })
  if (document === undefined) throw unreadableDocument(file, issues)
  if (kind !== 'aaif.agent') throw otherKind(file, kind, issues)
  const errors = issues.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw invalid(file, errors)
  return document
}

const HINTS: Readonly<Partial<Record<Kind, string>>> = {
  'aaif.state': 'compare states with `waybill state diff`',
}

/** @param issues of a document without a kind; they say what it is, if its format is known */
function otherKind(file: string, kind: Kind | undefined, [known]: readonly Issue[]): WaybillError {
  if (kind === undefined)
    return new WaybillError('KIND_UNKNOWN', {
      fault: 'usage',
      file,
      message: `${known?.message ?? 'unknown kind of document'}; only agent definitions are compared`,
      hint: known?.hint ?? '`waybill validate` says what a definition needs',
    })
  return new WaybillError('KIND_NOT_COMPARED', {
    fault: 'usage',
    file,
    message: `only agent definitions are compared, and this is a document of kind ${kind}`,
    hint: HINTS[kind] ?? 'compare the texts that `waybill canonicalize` prints',
  })
}

function invalid(file: string, errors: readonly Issue[]): WaybillError {
  const [first] = errors
  const more = errors.length - 1
  const others = more > 0 ? ` (and ${more} more error${more > 1 ? 's' : ''})` : ''
  return new WaybillError('DEFINITION_INVALID', {
    file,
    message: `${first?.message ?? 'it is not a valid agent definition'}${others}`,
    ...(first !== undefined && { at: first.pointer, line: first.line, column: first.column }),
    ...defined({ rule: first?.rule }),
    hint: first?.hint ?? `\`waybill validate ${file}\` shows all problems`,
    parts: errors.map(({ severity: _severity, ...part }) => part),
  })
}
