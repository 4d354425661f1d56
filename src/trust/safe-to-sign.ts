import { defined } from '../document/defined.ts'
import type { Document } from '../document/document.ts'
import { WaybillError } from '../document/issue.ts'
import { findLostDigits } from '../document/lost-digits.ts'

/**
 * Refuses a document that readers may interpret differently: a signature must be valid for all readers. Duplicate names
 * and half surrogate pairs are already refused when the document is read.
 * @throws UNSAFE_TO_SIGN
 */
export function assertSafeToSign(document: Document): void {
  const lost = findLostDigits(document)
  if (lost === undefined) return
  const { line, column } = document.locate(lost.pointer)
  throw new WaybillError('UNSAFE_TO_SIGN', {
    at: lost.pointer,
    line,
    column,
    ...defined({ file: document.file }),
    message: `the number ${lost.written.slice(0, 40)} is read as ${lost.read}, but other readers may keep all digits`,
    hint: 'write it as a string, or with the digits that a double can store',
  })
}
