import type { Command } from 'commander'
import { defined } from '../../document/defined.ts'
import type { CommandEntry } from '../command-entry.ts'
import type { Io } from '../io.ts'
import { argumentKinds, optionKind, type WordKind } from './word-kinds.ts'

/** What may follow a command. `path` is its full name, such as `runs list`; it is empty for `waybill` itself. */
export interface CompletionWords {
  readonly path: string
  readonly commands: readonly { readonly name: string; readonly summary: string }[]
  readonly options: readonly {
    readonly flag: string
    readonly summary: string
    /** Absent: it takes no value. */
    readonly kind?: WordKind
    readonly values?: readonly string[]
  }[]
  /** The permitted values of its argument. */
  readonly choices: readonly string[]
  /** What its arguments name. */
  readonly kinds: readonly WordKind[]
  /** Whether the last argument may be repeated. */
  readonly variadic: boolean
}

/** Collects options and subcommands from all commands, so that the script is always complete. */
export async function loadWords(
  all: readonly CommandEntry[],
  io: Io,
  exit: (code: number) => void,
): Promise<readonly CompletionWords[]> {
  const words: CompletionWords[] = [
    {
      path: '',
      commands: all.map(({ name, summary }) => ({ name, summary })),
      options: [
        { flag: '--help', summary: 'print help' },
        { flag: '--version', summary: 'print the version' },
      ],
      choices: [],
      kinds: [],
      variadic: false,
    },
  ]
  for (const entry of all) collectWords((await entry.load())(io, exit, all), '', words)
  return words
}

function collectWords(command: Command, before: string, words: CompletionWords[]): void {
  const path = before === '' ? command.name() : `${before} ${command.name()}`
  words.push({
    path,
    commands: command.commands.map((child) => ({ name: child.name(), summary: child.description() })),
    options: [
      ...command.options.map((option) => ({
        flag: option.long ?? '',
        summary: option.description,
        ...defined({ values: option.argChoices, kind: optionKind(option) }),
      })),
      { flag: '--help', summary: 'print help' },
    ],
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    kinds: argumentKinds(path, command),
    variadic: command.registeredArguments.at(-1)?.variadic === true,
  })
  for (const child of command.commands) collectWords(child, path, words)
}
