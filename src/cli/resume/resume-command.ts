import { Command } from 'commander'
import type { Io } from '../io.ts'
import {
  collect,
  eventsOption,
  formatOption,
  jsonOption,
  noWaitOption,
  traceOption,
} from '../options/run-options.ts'
import { addPlaceOptions } from '../remote/server-option.ts'

export function resumeCommand(io: Io, exit: (code: number) => void): Command {
  return addPlaceOptions(new Command('resume'))
    .description('resume a run that waits, was paused or was interrupted')
    .argument('<run>', 'id of the run, its unique beginning or ending, or "last"')
    .option(
      '--tools <file>',
      'module that exports the functions (default: the module at the start of the run)',
    )
    .option(
      '--allow-host <host[:port]>',
      'also allow tools and models to connect to this host (repeatable)',
      collect,
    )
    .option(
      '--allow-secret <name@host>',
      'also allow sending the secret with this name to this host (repeatable)',
      collect,
    )
    .option('--yes <rule>', 'approve all calls that match (repeatable)', collect)
    .option('--config <file>', 'use this configuration (default: the configuration at the start of the run)')
    .option('--env-file <file>', 'also read environment variables from this file')
    .addOption(noWaitOption())
    .addOption(traceOption())
    .addOption(eventsOption())
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (wanted, options) =>
      exit(await (await import('./resume-run.ts')).resumeRun(wanted, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill resume 0198c0de-7a11
  $ waybill resume 0198c0de-7a11 --tools tools.mjs --json

The functions, hosts and configuration from the start of the run are used again. A call with unknown
outcome is never sent again automatically: Waybill asks you, or you decide with \`waybill approvals\`.
`
