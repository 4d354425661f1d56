import { Command } from 'commander'
import type { Io } from '../io.ts'
import { addPlaceOptions } from '../options/place-options.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'

export function pauseCommand(io: Io, exit: (code: number) => void): Command {
  return addPlaceOptions(new Command('pause'))
    .description('pause an active run: calls in flight are finished, and nothing more is sent')
    .argument('<run>', 'id of the run, its unique beginning or ending, or "last"')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (run, options) => exit(await (await import('./pause-run.ts')).pauseRun(run, options, io)))
}

const EXAMPLES = `
Examples:
  $ waybill pause last
  $ waybill pause 0198c0de-7a11 && waybill state export 0198c0de-7a11 -o state.json

The run is paused when the command returns; \`waybill resume\` continues it.
Exit: 0 if nothing drives the run any more, 1 if it has ended, 3 if it did not stop in time.
`
