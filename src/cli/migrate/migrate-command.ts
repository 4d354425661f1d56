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
    .option('--confirm', 'a platform that is not Waybill runs the state that was written for it')
    .option(
      '--take-back',
      'it does not; or: take back a run of a platform whose receiver does not know it any more',
    )
    .option('--wss', 'with --method stream: over a WebSocket')
    .option('--dry-run', 'only show what would be kept and lost; nothing is changed')
    .option('--fail-on-loss', 'refuse a move that would lose a part of the run')
    .addOption(jsonOption())
  addRunOptions(command)
  acceptPlainYes(command)
  for (const option of command.options) if (!SHOWN.has(option.long ?? '')) option.hideHelp()
  return command.addHelpText('after', EXAMPLES).action(async (run: string, { yes, ...options }) => {
    const confirms = yes === true ? { confirmed: true } : { yes }
    exit(await (await import('./migrate-run.ts')).migrateRun(run, { ...options, ...confirms }, io))
  })
}

/** Of a run that is fetched, `--yes` has rules, as for `waybill run`; alone, it confirms `--take-back`. */
function acceptPlainYes(command: Command): void {
  const yes = command.options.find(({ long }) => long === '--yes')
  if (yes === undefined) throw new TypeError('the options of a run have --yes')
  yes.required = false
  yes.optional = true
  yes.flags = '--yes [rule]'
  yes.description =
    'with --take-back: do not ask for confirmation; with --from: approve all calls that match (repeatable)'
}

/** What a move needs. The other options of a run are for a run that is fetched, and are seldom needed. */
const SHOWN: ReadonlySet<string> = new Set([
  '--to',
  '--from',
  '--agent',
  '--tools',
  '--user',
  '--yes',
  '--confirm',
  '--take-back',
  '--method',
  '--wss',
  '--dry-run',
  '--fail-on-loss',
  '--json',
  '--server',
  '--local',
])

const EXAMPLES = `
Examples:
  $ waybill migrate last --to https://waybill.acme.example   after \`waybill login https://waybill.acme.example\`
  $ waybill migrate 01979f --to production --dry-run        a run of your platform, to one that it has pinned
  $ waybill migrate 01979f --to https://waybill.acme.example --fail-on-loss
  $ waybill migrate 01979f --from https://waybill.acme.example --agent agent.yaml --tools tools.mjs
  $ waybill migrate 01979f --to production --method stream --wss
  $ waybill migrate 01979f --confirm            after \`waybill state export 01979f --to LangGraph -o state.json\`
  $ waybill migrate 01979f --take-back          after the other platform was put back to before the move

The run is paused, frozen, and sent with a signed token that permits one import. It continues there, or here if the other
platform does not take it; at no moment on both. A run of this machine is found by its id, also after \`waybill login\`.
With --from, this machine gets the run, and the options of \`waybill run\` are for it (\`waybill run --help\`). The platform and
this machine know one another's keys after \`waybill login\`; two platforms after \`waybill peers invite\` there and
\`waybill peers add NAME INVITE\` here.
A command that was interrupted is repeated: it continues the move.
`
