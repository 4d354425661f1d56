import { defined } from '../../document/defined.ts'
import { type Issue, WaybillError } from '../../document/issue.ts'

/** Returns the error for a file that cannot be read as a document (exit 2). */
export function unreadableDocument(file: string, [first]: readonly Issue[]): WaybillError {
  return new WaybillError(first?.code ?? 'DOCUMENT_UNREADABLE', {
    fault: 'usage',
    file,
    message: first?.message ?? 'the document cannot be read',
    ...(first !== undefined && { at: first.pointer, line: first.line, column: first.column }),
    ...defined({ hint: first?.hint }),
  })
}
