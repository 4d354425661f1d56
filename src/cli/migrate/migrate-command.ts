import { Command, Option } from 'commander'
import type { Io } from '../io.ts'
import { addPlaceOptions } from '../options/place-options.ts'
import { addRunOptions, jsonOption } from '../options/run-options.ts'

export function migrateCommand(io: Io, exit: (code: number) => void): Command {
  const command = addPlaceOptions(new Command('migrate'))
    .description('move a running agent between platforms, or between this machine and a platform')
    .argument('<run>', 'the run: its id, or a unique beginning or end of it')
    .option('--to <platform>', 'the URL of a platform, or the name under which it is pinned')
    .option('--from <platform>', 'fetch the run from this platform to this machine')
    .option(
      '--agent <file>',
      'the definition of a run that is fetched; default: that of the run which was sent',
    )
    .addOption(
      new Option('--method <method>', 'how the state travels: in one document, or as a stream').choices([
        'document',
        'stream',
      ]),
    )
    .option('--wss', 'with --method stream: over a WebSocket')
    .option('--dry-run', 'only show what would be kept and lost; nothing is changed')
    .option('--fail-on-loss', 'refuse a move that would lose a part of the run')
    .addOption(jsonOption())
  return addRunOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (run: string, options) =>
      exit(await (await import('./migrate-run.ts')).migrateRun(run, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill migrate 01979f --to production --dry-run        a run of your platform, to one that it has pinned
  $ waybill migrate 01979f --to https://waybill.acme.example --fail-on-loss
  $ waybill migrate 01979f --from https://waybill.acme.example --agent agent.yaml --tools tools.mjs
  $ waybill migrate 01979f --to production --method stream --wss

The run is paused, frozen, and sent with a signed token that permits one import. It continues there, or here if the other
platform does not take it; at no moment on both. A run of this machine is found by its id, also after \`waybill login\`.
With --from, this machine gets the run; the options that plan a run are for it. The platform and this machine must know one
another's keys: \`waybill peers add NAME --keys FILE\` there, \`waybill keys trust NAME URL --platform URL\` here.
A command that was interrupted is repeated: it continues the move.
`
