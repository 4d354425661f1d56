import type { Command } from 'commander'
import type { Io } from './io.ts'

/** A command of `waybill`. Its module is loaded only when the command runs, so that the program starts fast. */
export interface CommandEntry {
  readonly name: string
  /** The heading under which the help lists the command. */
  readonly group: CommandGroup
  readonly summary: string
  readonly load: () => Promise<MakeCommand>
}

export type CommandGroup = 'Write' | 'Run' | 'Decide' | 'Look' | 'Move' | 'Prove' | 'Operate' | 'Formats'

/** @param all all commands; `completion` needs them */
export type MakeCommand = (io: Io, exit: (code: number) => void, all: readonly CommandEntry[]) => Command
