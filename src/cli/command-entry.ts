import type { Command } from 'commander'
import type { Io } from './io.ts'

/** A command of `waybill`: listed without being loaded, so that starting one never pays for the others. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<MakeCommand>
}

/** @param all every command, for the one that describes the others */
export type MakeCommand = (io: Io, exit: (code: number) => void, all: readonly CommandEntry[]) => Command
