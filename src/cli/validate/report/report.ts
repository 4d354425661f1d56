import type { Document } from '../../../document/document.ts'
import type { Issue } from '../../../document/issue.ts'

/** What `validate` found in one file. `document` is absent when the file could not be read as one. */
export interface FileReport {
  readonly file: string
  readonly kind: string | null
  readonly shape?: string
  readonly ok: boolean
  readonly issues: readonly Issue[]
  readonly document?: Document | undefined
  /** The text as far as it was decoded, for excerpts. */
  readonly text?: string | undefined
}

export type ReportFormat = 'pretty' | 'json' | 'sarif' | 'github'
export const REPORT_FORMATS: readonly ReportFormat[] = ['pretty', 'json', 'sarif', 'github']
