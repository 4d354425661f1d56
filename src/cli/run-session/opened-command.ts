import type { Env } from '../../compose/parts.ts'
import type { Home } from '../../session/home.ts'
import type { Io } from '../io.ts'
import type { RunOptions } from '../options/run-options.ts'

/** The options of a command line, and what the command reads and writes. */
export interface OpenedCommand<O extends RunOptions = RunOptions> {
  readonly options: O
  readonly io: Io
  readonly home: Home
  /** Variables of the opened home; see {@link environment}. */
  readonly env: Env
}
