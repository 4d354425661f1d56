/** An implementation of the same agent: a model that requests `tools` tool calls, one at a time, and then answers. */
export interface Subject {
  /** Its name in the output. */
  readonly name: string
  /**
   * Does the initialisation that an application does once.
   * @param tools number of tool calls of a run; the model is called once more
   * @param delayMs latency of the model, in milliseconds
   * @returns a function that performs one run and returns the final text; runs may overlap
   */
  prepare(tools: number, delayMs: number): Promise<() => Promise<string>>
  /** Returns the number of commits flushed to disk since the last `prepare`. */
  flushes?(): number
}
