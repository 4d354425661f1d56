/** One code of the catalogue: what `docs/codes.md` says about it. Both texts are Markdown, relative to `docs/`. */
export interface CodeEntry {
  /** What happened, in plain English. */
  readonly meaning: string
  /** What to do about it. */
  readonly remedy: string
  /**
   * Absent: an error. `varies`: an error or a warning; `meaning` says when. The place that emits a code decides;
   * this tells the reader what to expect.
   */
  readonly severity?: 'warning' | 'info' | 'varies'
}

/** The codes of one area, by code. The keys are the public names: a code never changes its meaning. */
export type CodeEntries = Readonly<Record<string, CodeEntry>>

/** A section of `docs/codes.md`. */
export interface CodeArea {
  readonly title: string
  /** What holds for all codes of the area, in Markdown. */
  readonly introduction?: string
  readonly codes: CodeEntries
}
