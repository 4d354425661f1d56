import type { Command } from 'commander'
import { defined } from '../../document/defined.ts'
import type { CommandEntry } from '../command-entry.ts'
import type { Io } from '../io.ts'

/** What may follow a command. `path` is its full name, such as `runs list`; it is empty for `waybill` itself. */
export interface CompletionWords {
  readonly path: string
  readonly commands: readonly { readonly name: string; readonly summary: string }[]
  readonly options: readonly {
    readonly flag: string
    readonly summary: string
    readonly values?: readonly string[]
  }[]
  /** The permitted values of its argument. */
  readonly choices: readonly string[]
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
      ...command.options.map(({ long, description, argChoices }) => ({
        flag: long ?? '',
        summary: description,
        ...defined({ values: argChoices }),
      })),
      { flag: '--help', summary: 'print help' },
    ],
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  })
  for (const child of command.commands) collectWords(child, path, words)
}

export function completionScript(shell: 'bash' | 'zsh' | 'fish', words: readonly CompletionWords[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(words)
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`
    case 'fish':
      return fishScript(words)
  }
}

/** Returns a script that completes the words of the current command, or file names where it has no fixed words. */
function bashScript(words: readonly CompletionWords[]): string {
  const cases = words.map(({ path, commands, options, choices }) => {
    const flags = options.map(({ flag }) => flag).join(' ')
    const plain = [...commands.map(({ name }) => name), ...choices].join(' ')
    return `    ${quote(path)}) words=${quote(plain)}; flags=${quote(flags)} ;;`
  })
  const values = words.flatMap(({ path, options }) =>
    options.flatMap(({ flag, values: known }) =>
      known === undefined ? [] : [`    ${quote(`${path} ${flag}`)}) values=${quote(known.join(' '))} ;;`],
    ),
  )
  const paths = words.filter(({ path }) => path !== '').map(({ path }) => quote(path))
  return `_waybill() {
  local cur prev path word words flags values candidate
  cur=\${COMP_WORDS[COMP_CWORD]}
  prev=\${COMP_WORDS[COMP_CWORD-1]}
  path=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    candidate=\${path:+$path }$word
    case $candidate in ${paths.join(' | ')}) path=$candidate ;; esac
  done
  case $path in
${cases.join('\n')}
  esac
  values=''
  case "$path $prev" in
${values.join('\n')}
  esac
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$cur"))
  elif [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  elif [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F _waybill waybill
`
}

function fishScript(words: readonly CompletionWords[]): string {
  const lines = words.flatMap(({ path, commands, options, choices }) => {
    const condition =
      path === ''
        ? '__fish_use_subcommand'
        : path
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ')
    const children = commands.map(({ name }) => name).join(' ')
    const notYet =
      path === '' || children === ''
        ? condition
        : `${condition}; and not __fish_seen_subcommand_from ${children}`
    return [
      ...commands.map(
        ({ name, summary }) =>
          `complete -c waybill -f -n ${quote(notYet)} -a ${quote(name)} -d ${quote(summary)}`,
      ),
      ...choices.map((choice) => `complete -c waybill -f -n ${quote(condition)} -a ${quote(choice)}`),
      ...options.map(({ flag, summary, values }) => {
        const takes = values === undefined ? '' : ` -x -a ${quote(values.join(' '))}`
        return `complete -c waybill -n ${quote(notYet)} -l ${flag.slice(2)}${takes} -d ${quote(summary)}`
      }),
    ]
  })
  return `${lines.join('\n')}\n`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
