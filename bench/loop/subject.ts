/** One way to run the same agent: a model that asks for `tools` tool calls, one at a time, and then answers. */
export interface Subject {
  /** As it is printed. */
  readonly name: string
  /**
   * Does once what an application does once.
   * @param tools calls of a run; the model is asked once more than that
   * @param delayMs how long the model takes for each answer, in milliseconds
   * @returns a function that performs one run and returns the final text; runs may overlap
   */
  prepare(tools: number, delayMs: number): Promise<() => Promise<string>>
  /** Returns how many commits have waited for the disk since the last `prepare`. */
  flushes?(): number
}
