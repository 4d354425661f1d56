import { Command } from 'commander'
import type { Io } from '../io.ts'
import { addPlaceOptions } from '../options/place-options.ts'
import {
  collect,
  eventsOption,
  formatOption,
  jsonOption,
  noWaitOption,
  positiveInteger,
  traceOption,
} from '../options/run-options.ts'

export function resumeCommand(io: Io, exit: (code: number) => void): Command {
  return addPlaceOptions(new Command('resume'))
    .description('resume a run that waits, was paused or was interrupted; or continue a state')
    .argument('<run>', 'id of the run, its unique beginning or ending, "last", or a state file (- for standard input)')
    .option('--agent <file>', 'continue the state with this definition (default: that of the recorded run)')
    .option('--at <event>', 'fork the run: continue its state after this event in a new run', positiveInteger)
    .option('--fail-on-loss', 'refuse a state of which a part would be lost')
    .option('--model <provider/model>', 'with --agent: use this model instead of the models in the definition')
    .option('--agents <dir>', 'with --agent: folder of the sub-agents (default: the folder of the definition)')
    .option('--user <id>', 'user id of the run that continues a state (default: that of the recorded run)')
    .option('--session <id>', 'session id of the run that continues a state (default: that of the recorded run)')
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
  $ waybill resume state.json --agent agent.yaml            continue a state from another machine
  $ waybill resume last --at 12                             fork the run after its event 12

The functions, hosts and configuration from the start of the run are used again. A call with unknown
outcome is never sent again automatically: Waybill asks you, or you decide with \`waybill approvals\`.
A state continues in a new run. A write that the captured run may have sent is not sent again: its recorded
answer is used, or you decide.
`
