/** One way to run the same agent: a model that wants `tools` tool calls, one at a time, and then answers. */
export interface Subject {
  /** As it is printed. */
  readonly name: string
  /**
   * Does once what an application does once.
   * @param tools calls of a run; the model is asked once more than that
   * @param delayMs how long the model takes for each answer
   * @returns one run, to the final text; runs may overlap
   */
  prepare(tools: number, delayMs: number): Promise<() => Promise<string>>
}
