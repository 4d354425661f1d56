import { Command } from 'commander'
import type { Io } from '../io.ts'
import { collect, formatOption, jsonOption } from '../options/run-options.ts'

export function initCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('init')
    .description('create a first agent definition')
    .option('--name <name>', 'name of the agent')
    .option('--goal <text>', 'what the agent must achieve, in one sentence')
    .option('--provider <id>', 'model provider (default: openai; on a terminal, it is asked)')
    .option('--model <id>', 'model id, as the provider writes it')
    .option(
      '--base-url <url>',
      'of the provider "custom": the URL of its API, which is compatible with that of OpenAI',
    )
    .option('--tool <name>', 'name of a function that the agent may call (repeatable)', collect)
    .option('--approval', 'a person must approve each call of a tool that writes')
    .option('--output <file>', 'file to write, as YAML or (.json) as JSON', 'agent.yaml')
    .option('--force', 'overwrite an existing file')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (options) =>
      (await import('./write-first-definition.ts')).writeFirstDefinition(options, io),
    )
}

const EXAMPLES = `
Examples:
  $ waybill init                          asks for what it needs
  $ waybill init --name "Parcel clerk" --goal "Answer questions about parcels." --tool find_parcel
  $ waybill init --name "Gift clerk" --goal "Send gifts." --tool send_gift --approval
  $ waybill init --name Clerk --goal "Help." --provider anthropic --model claude-sonnet-4-5 --output clerk.json

Writes the definition; tools.mjs with a function for each tool; and for a YAML file .agent.schema.json, with which an
editor explains and completes the definition, unless node_modules of this folder contains Waybill with this schema.
`
