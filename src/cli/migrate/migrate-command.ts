import { Command, Option } from 'commander'
import type { Io } from '../io.ts'
import { addPlaceOptions } from '../options/place-options.ts'
import { jsonOption } from '../options/run-options.ts'

export function migrateCommand(io: Io, exit: (code: number) => void): Command {
  return addPlaceOptions(new Command('migrate'))
    .description('move a running agent between platforms, or between this machine and a platform')
    .argument('<run>', 'the run: its id, or a unique beginning or end of it')
    .option('--to <platform>', 'the URL of a platform, or the name under which it is pinned')
    .addOption(
      new Option('--method <method>', 'how the state travels: in one document, or as a stream').choices([
        'document',
        'stream',
      ]),
    )
    .option('--dry-run', 'only show what would be kept and lost; nothing is changed')
    .option('--fail-on-loss', 'refuse a move that would lose a part of the run')
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (run: string, options) =>
      exit(await (await import('./migrate-run.ts')).migrateRun(run, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill migrate 01979f --to production --dry-run        a run of your platform, to one that it has pinned
  $ waybill migrate 01979f --to https://waybill.acme.example --fail-on-loss

The run is paused, frozen, and sent with a signed token that permits one import. It continues there, or here if the other
platform does not take it; at no moment on both. A run of this machine is found by its id, also after \`waybill login\`.
`
