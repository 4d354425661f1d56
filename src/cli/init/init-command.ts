import { Command } from 'commander'
import type { Io } from '../io.ts'
import { collect, formatOption, jsonOption } from '../options/run-options.ts'

export function initCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('init')
    .description('write a first definition')
    .option('--name <name>', 'what the agent is called')
    .option('--goal <text>', 'what success is, in one sentence')
    .option('--provider <id>', 'whose model it prefers', 'openai')
    .option('--model <id>', "the model's id, in the notation of its provider")
    .option('--tool <name>', 'a function that it may call (repeatable)', collect)
    .option('--output <file>', 'where to write it; .json for JSON', 'agent.yaml')
    .option('--force', 'replace a file that is there')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (options) =>
      (await import('./write-first-definition.ts')).writeFirstDefinition(options, io),
    )
}

const EXAMPLES = `
Examples:
  $ waybill init                                       asks for what it needs
  $ waybill init --name "Parcel clerk" --goal "Tell where a parcel is." --tool find_parcel
  $ waybill init --name Clerk --goal "Help." --provider anthropic --model claude-sonnet-4-5 --output clerk.json
`
