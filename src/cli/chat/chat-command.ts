import { Command } from 'commander'
import type { Io } from '../io.ts'
import { addPlaceOptions } from '../options/place-options.ts'
import { addRunOptions, formatOption, jsonOption, noWaitOption, planOption } from '../options/run-options.ts'

export function chatCommand(io: Io, exit: (code: number) => void): Command {
  const command = addPlaceOptions(new Command('chat'))
    .description('chat with an agent: one run with many turns')
    .argument('[file]', 'the definition; not used with --resume')
    .option('--resume <run>', 'continue this conversation')
    .addOption(planOption().conflicts('resume'))
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
  $ printf 'Hello\\nWhat did I say?\\n' | waybill chat agent.yaml     one turn per line

Commands at the prompt: /help, /tools, /model, /usage, /exit. A line that ends with a backslash, or begins a block with
three backticks, continues the message. What you type while the agent works is sent as the next message. Ctrl-C pauses the active turn; at the prompt it ends the chat.
`
