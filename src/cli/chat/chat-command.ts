import { Command } from 'commander'
import type { Io } from '../io.ts'
import { addRunOptions, formatOption, jsonOption, noWaitOption } from '../options/run-options.ts'

export function chatCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('chat')
    .description('talk to an agent: one run, many turns')
    .argument('[file]', 'the definition; not needed with --resume')
    .option('--resume <run>', 'go on with this conversation')
    .addOption(noWaitOption())
    .addOption(jsonOption())
    .addOption(formatOption())
  return addRunOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) => exit(await (await import('./chat.ts')).chat(file, options, io)))
}

const EXAMPLES = `
Examples:
  $ waybill chat agent.yaml --rehearse
  $ waybill chat agent.yaml --tools tools.mjs --user ada
  $ waybill chat --resume 0198c0de-7a11
  $ printf 'Hello\\nWhat did I say?\\n' | waybill chat agent.yaml     one turn a line

At the prompt: /help, /usage, /exit. Ctrl-C pauses a turn that is under way; at the prompt, it leaves.
`
