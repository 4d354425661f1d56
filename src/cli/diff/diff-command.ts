import { Command, Option } from 'commander'
import type { Io } from '../io.ts'
import { collect, formatOption, jsonOption } from '../options/run-options.ts'

export function diffCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('diff')
    .description('compare two agent definitions: what changed, and whether it widens the rights of the agent')
    .argument('<before>', 'a definition in any encoding (- for standard input)')
    .argument('<after>', 'another definition')
    .addOption(
      new Option(
        '--registry <file>',
        'also permit the standard values of this registry (repeatable)',
      ).argParser(collect),
    )
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (before, after, options) =>
      exit(await (await import('./diff-definitions.ts')).diffDefinitions(before, after, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill diff agent.yaml new.yaml
  $ git show main:agent.yaml | waybill diff - agent.yaml           what a branch changes
  $ waybill diff agent.yaml new.yaml --json | jq .widens           true: a person should review it
  $ waybill diff agent.yaml agent.cbor                             the encoding has no meaning

Exit: 0 both mean the same, 1 they differ or one is invalid, 2 unreadable or not a definition.
`
