import { defined } from '../document/defined.ts'
import { Document } from '../document/document.ts'
import { type Issue, WaybillError } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import { type ReadOptions, type ReadResult, readDocument } from '../document/read-document.ts'
import type { Validate } from './kinds.ts'

/** Input of a parse function: text, bytes, a document, or plain data. */
export type Source = string | Uint8Array | Document | Json

/**
 * Reads a document and returns its data unchanged if the validator finds no errors. Warnings do not throw.
 * @param read turns text and bytes into a document; default `readDocument`.
 * @throws WaybillError with the code, pointer and rule of the first error; the message names the others.
 */
export function parseDocument<T>(
  source: Source,
  validate: Validate,
  options: ReadOptions = {},
  read: (source: string | Uint8Array, options: ReadOptions) => ReadResult = readDocument,
): T {
  const document = documentOf(source, options, read)
  const [value, file] =
    document instanceof Document ? [document.value, document.file] : [document, options.file]
  const errors = validate(document).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw refusal(errors, file)
  // Proved by the validator above.
  return value as T
}

function documentOf(
  source: Source,
  options: ReadOptions,
  read: (source: string | Uint8Array, options: ReadOptions) => ReadResult,
): Document | Json {
  if (typeof source !== 'string' && !(source instanceof Uint8Array)) return source
  const result = read(source, options)
  if (result.document === undefined) throw refusal(result.issues, options.file)
  return result.document
}

function refusal(errors: readonly Issue[], file: string | undefined): WaybillError {
  const [first] = errors
  if (first === undefined) throw new TypeError('expected at least one issue')
  return new WaybillError(first.code, {
    message: first.message + otherErrors(errors.slice(1)),
    at: first.pointer,
    line: first.line,
    column: first.column,
    ...defined({ file, hint: first.hint, rule: first.rule }),
  })
}

/** Maximum number of errors that one message names; validation returns the others. */
const MAX_NAMED = 10

function otherErrors(others: readonly Issue[]): string {
  if (others.length === 0) return ''
  const named = others.slice(0, MAX_NAMED).map(({ pointer, message }) => `${pointer || 'root'}: ${message}`)
  if (others.length > MAX_NAMED) named.push('…')
  return ` (and ${others.length} more ${others.length === 1 ? 'error' : 'errors'}: ${named.join('; ')})`
}
