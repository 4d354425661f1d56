/** A word that a shell offers. */
export interface Candidate {
  readonly word: string
  readonly text?: string
}

export interface Place {
  /** The beginning of the word at the cursor. */
  readonly current: string
  /** The words before it, without the name of the program. */
  readonly before: readonly string[]
  /** The folder of the home. */
  readonly home: string
}
