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

export function resumeCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('resume')
    .description('go on with a run that waits, was paused, or was cut off')
    .argument('<run>', 'its id, or the beginning of it')
    .option('--tools <file>', 'module that exports the functions (default: the one it was started with)')
    .option(
      '--allow-host <host[:port]>',
      'let tools and routes reach this host as well (repeatable)',
      collect,
    )
    .option(
      '--allow-secret <name@host>',
      'let the secret of this name be sent to this host (repeatable)',
      collect,
    )
    .option('--yes <rule>', 'let calls like this go ahead unasked (repeatable)', collect)
    .option('--config <file>', 'use this configuration')
    .option('--env-file <file>', 'read environment variables from this file first')
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

What the run was started with (functions, hosts, configuration) is used again. A call that may have
happened is never sent again by itself: you are asked, or decide with \`waybill approvals\`.
`
