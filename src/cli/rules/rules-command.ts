import { Command, Option } from 'commander'
import { KINDS } from '../../spec/kinds.ts'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'
import type { RulesOptions } from './show-rules.ts'

export function rulesCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('rules')
    .description('show the rules by which documents are judged')
    .argument('[id]', 'one rule, such as AAIF-4-03, or one code, such as REQUIRED_MISSING')
    .addOption(new Option('--kind <kind>', 'rules of this kind of document').choices(KINDS))
    .addOption(
      new Option('--severity <severity>', 'rules that give this').choices(['error', 'warning', 'info']),
    )
    .option('--search <word>', 'rules that speak of this')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (id: string | undefined, options: RulesOptions) =>
      exit((await import('./show-rules.ts')).showRules(id, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill rules                              all of them
  $ waybill rules AAIF-4.4-10                  one, with a document that keeps it and one that breaks it
  $ waybill rules ENDPOINT_MISSING             the rules behind a code
  $ waybill rules --kind agentcard --severity warning
  $ waybill rules --search vault --json

Exit: 0 found, 1 there is none.
`
