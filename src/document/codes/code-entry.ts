/** One code of the catalogue: what `docs/codes.md` says about it. Both texts are Markdown, relative to `docs/`. */
export interface CodeEntry {
  /** What happened, in plain English. */
  readonly meaning: string
  /** What to do. */
  readonly remedy: string
  /** The HTTP status of its errors; absent: that of their class, see `statusOfError`. */
  readonly status?: number
  /**
   * Absent: an error. `varies`: an error or a warning; `meaning` states when. The severity is set where the code is
   * emitted; this member only documents it.
   */
  readonly severity?: 'warning' | 'info' | 'varies'
}

/** The codes of one area, by code. The keys are public names: the meaning of a code never changes. */
export type CodeEntries = Readonly<Record<string, CodeEntry>>

/** A section of `docs/codes.md`. */
export interface CodeArea {
  readonly title: string
  /** Introduction to the codes of the area, in Markdown. */
  readonly introduction?: string
  readonly codes: CodeEntries
}
