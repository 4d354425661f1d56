import { defined } from '../document/defined.ts'
import type { Document } from '../document/document.ts'
import { WaybillError } from '../document/issue.ts'
import { findLostDigits } from '../document/lost-digits.ts'

/**
 * Refuses a document that two readers may read differently: a signature must hold for what is written, not for what
 * one of them made of it. Duplicate names and half characters were refused by reading already.
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
    message: `the number ${lost.written.slice(0, 40)} is read as ${lost.read}, and by other readers as something else`,
    hint: 'write it as a text, or with the digits that a double keeps',
  })
}
