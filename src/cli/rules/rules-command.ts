import { Command, Option } from 'commander'
import { KINDS } from '../../spec/kinds.ts'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'
import type { RulesOptions } from './show-rules.ts'

export function rulesCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('rules')
    .description('list the validation rules')
    .argument('[id]', 'id of a rule, such as AAIF-4-03, or a code, such as REQUIRED_MISSING')
    .addOption(new Option('--kind <kind>', 'only rules for this kind of document').choices(KINDS))
    .addOption(
      new Option('--severity <severity>', 'only rules with this severity').choices([
        'error',
        'warning',
        'info',
      ]),
    )
    .option('--search <word>', 'only rules that contain this text')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (id: string | undefined, options: RulesOptions) =>
      exit((await import('./show-rules.ts')).showRules(id, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill rules                              all rules
  $ waybill rules AAIF-4.4-10                  one rule, with a valid and an invalid example
  $ waybill rules ENDPOINT_MISSING             the rules that report this code
  $ waybill rules --kind agentcard --severity warning
  $ waybill rules --search vault --json

Exit: 0 found, 1 not found.
`
