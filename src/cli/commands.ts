import type { Command } from 'commander'
import type { Io } from './io.ts'

/** A command of `waybill`: listed without being loaded, so that starting one never pays for the others. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<(io: Io, exit: (code: number) => void) => Command>
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'validate',
    summary: 'check files and say what is wrong, where, and what to do',
    load: async () => (await import('./validate-command.ts')).validateCommand,
  },
  {
    name: 'plan',
    summary: 'show what a run would do, before it does it',
    load: async () => (await import('./plan-command.ts')).planCommand,
  },
  {
    name: 'run',
    summary: 'run an agent',
    load: async () => (await import('./run-command.ts')).runCommand,
  },
]
