import type { Document } from '../../../document/document.ts'
import type { Issue } from '../../../document/issue.ts'

/** The result of `validate` for one file. `document` is absent if the file could not be parsed. */
export interface FileReport {
  readonly file: string
  readonly kind: string | null
  readonly shape?: string
  /** The name of the format of a document that is not ours, if it is known. */
  readonly format?: string
  readonly ok: boolean
  readonly issues: readonly Issue[]
  readonly document?: Document | undefined
  /** The text up to the first decoding error, for excerpts. */
  readonly text?: string | undefined
}

export type ReportFormat = 'pretty' | 'json' | 'sarif' | 'github'
export const REPORT_FORMATS: readonly ReportFormat[] = ['pretty', 'json', 'sarif', 'github']
