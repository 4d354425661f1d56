import { Command, Option } from 'commander'
import type { Io } from '../io.ts'
import { serverOption } from '../options/place-options.ts'
import { jsonOption } from '../options/run-options.ts'

export function migrateCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('migrate')
    .description('move a running agent from your platform to another one')
    .argument('<run>', 'the run: its id, or a unique beginning or end of it')
    .requiredOption('--to <peer>', 'the name or URL of a pinned platform (`waybill peers list`)')
    .addOption(
      new Option('--method <method>', 'how the state travels: in one document, or as a stream').choices([
        'document',
        'stream',
      ]),
    )
    .option('--wss', 'with --method stream: over a WebSocket')
    .option('--dry-run', 'only show what would be kept and lost; nothing is changed')
    .option('--fail-on-loss', 'refuse a move that would lose a part of the run')
    .addOption(serverOption())
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (run: string, options) =>
      exit(await (await import('./migrate-run.ts')).migrateRun(run, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill migrate 01979f --to production --dry-run
  $ waybill migrate 01979f --to https://waybill.acme.example --fail-on-loss
  $ waybill migrate 01979f --to production --method stream --wss

The run is paused, frozen, and sent with a signed token that permits one import. It continues there, or here if the other
platform does not take it; at no moment on both.
`
