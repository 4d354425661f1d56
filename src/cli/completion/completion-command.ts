import { Argument, Command } from 'commander'
import type { CommandEntry } from '../command-entry.ts'
import type { Io } from '../io.ts'
import { jsonOption } from '../options/run-options.ts'

export function completionCommand(
  io: Io,
  exit: (code: number) => void,
  all: readonly CommandEntry[],
): Command {
  return new Command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (shell: 'bash' | 'zsh' | 'fish', { json }: { readonly json?: boolean }) => {
      const { completionScript } = await import('./completion-script.ts')
      const { loadWords } = await import('./completion-words.ts')
      const script = completionScript(shell, await loadWords(all, io, exit))
      io.out(json === true ? `${JSON.stringify({ shell, script })}\n` : script)
    })
}

const EXAMPLES = `
Examples:
  $ eval "$(waybill completion bash)"                                        in ~/.bashrc
  $ source <(waybill completion zsh)                                         in ~/.zshrc, after compinit
  $ waybill completion fish > ~/.config/fish/completions/waybill.fish

The scripts also complete ids of runs, names of keys, models, providers, servers and definition files of this machine.
`
