import { Document } from '../../document/document.ts'
import { type Issue, type Json, WaybillError } from '../../document/issue.ts'
import { type ReadOptions, readDocument } from '../../document/read-document.ts'
import type { AgentDefinition } from './generated/agent.ts'
import { validateAgentDefinition } from './validate-agent-definition.ts'

/**
 * Reads an agent definition (AAIF §4) from text, bytes, a document or plain data, and returns its data unchanged.
 * Warnings are no obstacle; `validateAgentDefinition` tells them.
 * @throws WaybillError with the code, place and rule of the first error, and how many more there are.
 */
export function parseAgentDefinition(
  source: string | Uint8Array | Document | Json,
  options: ReadOptions = {},
): AgentDefinition {
  if (source instanceof Document) return accept(source, source.value, source.file)
  if (typeof source !== 'string' && !(source instanceof Uint8Array))
    return accept(source, source, options.file)
  const read = readDocument(source, options)
  if (read.document === undefined) throw refusal(read.issues, options.file)
  return accept(read.document, read.document.value, options.file)
}

function accept(input: Document | Json, value: Json, file: string | undefined): AgentDefinition {
  const errors = validateAgentDefinition(input).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw refusal(errors, file)
  return value as unknown as AgentDefinition
}

function refusal(errors: readonly Issue[], file: string | undefined): WaybillError {
  const [first] = errors
  if (first === undefined) throw new TypeError('a refusal needs an issue')
  const more = errors.length - 1
  return new WaybillError(first.code, {
    message:
      more === 0 ? first.message : `${first.message} (and ${more} more ${more === 1 ? 'error' : 'errors'})`,
    at: first.pointer,
    line: first.line,
    column: first.column,
    ...(file !== undefined && { file }),
    ...(first.hint !== undefined && { hint: first.hint }),
    ...(first.rule !== undefined && { rule: first.rule }),
  })
}
