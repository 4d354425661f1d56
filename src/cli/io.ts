/** What a command may touch of the process: passed in, so that tests drive commands without spawning. */
export interface Io {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Standard output: results only. With `--json` exactly one JSON value. */
  out(text: string): void
  /** Standard output for results that are no text. Absent where nobody could take them. */
  outBytes?(bytes: Uint8Array): void
  /** Standard error: everything meant for eyes. */
  err(text: string): void
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  /** Whether a person is at both ends: decides prompts and spinners. */
  readonly outIsTty: boolean
  readonly errIsTty: boolean
  /** Whether colour may be used on standard error and standard output; `NO_COLOR`, `CI` and pipes turn it off. */
  readonly color: boolean
  /** Width of the terminal in characters, when there is one. */
  readonly columns?: number
  readonly rows?: number
  /** Whether nobody reads standard output any more. */
  outClosed?(): boolean
}

/** Whether a person can be asked something: both ends are a terminal, and no machine reads along. */
export function isInteractive(io: Io, json = false): boolean {
  return !json && io.stdin.isTTY === true && io.errIsTty && (io.env.CI ?? '') === ''
}

/** Exit codes (contracts: all commands). */
export const EXIT = { ok: 0, no: 1, usage: 2, failed: 3, waiting: 4, interrupted: 130 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
