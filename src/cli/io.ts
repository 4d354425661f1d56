/** The parts of the process that a command uses. They are a parameter, so that tests need no child process. */
export interface Io {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes to standard output: results only. With `--json` exactly one JSON value. */
  out(text: string): void
  /** Writes binary results to standard output. Absent where binary output is not possible. */
  outBytes?(bytes: Uint8Array): void
  /** Writes to standard error: all output for people. */
  err(text: string): void
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  /** Whether the stream is a terminal: controls prompts and spinners. */
  readonly outIsTty: boolean
  readonly errIsTty: boolean
  /** Whether colour may be used on standard error and standard output; `NO_COLOR`, `CI` and pipes turn it off. */
  readonly color: boolean
  /** Width of the terminal in characters, when there is one. */
  readonly columns?: number | undefined
  readonly rows?: number | undefined
  /** Writes to standard error like code of the user: to whom {@link takeStray} gave it. */
  stray?(text: string): void
  /**
   * Takes over what code of the user writes to standard output or standard error of this process, until the returned
   * function is called. Without it, such output goes to standard error. Absent where a test is the process.
   */
  takeStray?(take: (text: string) => void): () => void
  /** Returns whether the reader of standard output has closed it. */
  outClosed?(): boolean
}

/** Returns whether prompts are possible: input and standard error are a terminal, and the output is not JSON. */
export function isInteractive(io: Io, json = false): boolean {
  return !json && io.stdin.isTTY === true && io.errIsTty && (io.env.CI ?? '') === ''
}

/** Exit codes (contracts: all commands). */
export const EXIT = { ok: 0, no: 1, usage: 2, failed: 3, waiting: 4, interrupted: 130 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
