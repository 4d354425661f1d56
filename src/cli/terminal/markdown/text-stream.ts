/** Formats text while it is generated. */
export interface TextStream {
  push(text: string): void
  /** Writes what was held back, and prepares for another text. */
  end(): void
}
