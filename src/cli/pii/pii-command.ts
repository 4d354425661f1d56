import { Command } from 'commander'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'

export function piiCommand(io: Io): Command {
  return new Command('pii')
    .description('reveal the personal data that a run keeps encrypted')
    .addCommand(revealCommand(io))
    .addHelpText('after', '\nExamples:\n  $ waybill pii reveal 0198c0de-7a11\n')
}

function revealCommand(io: Io): Command {
  return new Command('reveal')
    .description('print the values behind the placeholders of a run; needs the key of the run')
    .argument('<run>', 'id of the run, its unique beginning or ending, or "last"')
    .option('--output', 'print the output of the run with the original values')
    .option('--env-file <file>', 'file of NAME=value lines that contains the key')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill pii reveal 0198c0de-7a11\n  $ waybill pii reveal 0198c0de-7a11 --output\n',
    )
    .action(async (run, options) => (await import('./reveal-pii.ts')).revealPii(run, options, io))
}
