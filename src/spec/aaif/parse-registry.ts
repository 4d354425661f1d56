import type { ReadOptions } from '../../document/read-document.ts'
import { parseDocument, type Source } from '../parse-document.ts'
import type { Registry } from './generated/registry.ts'
import { validateRegistry } from './validate-registry.ts'

/**
 * Reads a registry (AAIF §10) and returns its data unchanged.
 * @throws WaybillError with the code, pointer and rule of the first error, and the number of others.
 */
export function parseRegistry(source: Source, options: ReadOptions = {}): Registry {
  return parseDocument(source, validateRegistry, options)
}
