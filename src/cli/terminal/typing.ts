/** Reads what a person types while a run works. */
export interface Typing {
  /** Begins to read. @param show takes the line to show after each key, which fits the window, or null for none */
  start(show: (line: string | null) => void): void
  /** Returns whether a line is being typed: it is neither sent nor erased. */
  hasDraft(): boolean
  /** Waits until no line is being typed, the signal aborts or the reading stops. */
  draftEnds(signal: AbortSignal): Promise<void>
  /** Stops reading, and leaves the terminal to a prompt. */
  stop(): void
}
