import { Command } from 'commander'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'

export function piiCommand(io: Io): Command {
  return new Command('pii')
    .description('see the personal data that a run keeps sealed')
    .addCommand(revealCommand(io))
    .addHelpText('after', '\nExamples:\n  $ waybill pii reveal 0198c0de-7a11\n')
}

function revealCommand(io: Io): Command {
  return new Command('reveal')
    .description('what stands behind the placeholders of a run; needs its key')
    .argument('<run>', 'its id, or the beginning of it')
    .option('--output', 'the output of the run, with the data in its place')
    .option('--env-file <file>', 'a file of NAME=value lines with the key, when it is yours')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill pii reveal 0198c0de-7a11\n  $ waybill pii reveal 0198c0de-7a11 --output\n',
    )
    .action(async (run, options) => (await import('./reveal-pii.ts')).revealPii(run, options, io))
}
