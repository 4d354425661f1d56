import { Command, Option } from 'commander'
import type { Io } from '../io.ts'
import { addPlaceOptions } from '../options/place-options.ts'
import {
  addRunOptions,
  eventsOption,
  formatOption,
  jsonOption,
  noWaitOption,
  positiveInteger,
  traceOption,
} from '../options/run-options.ts'

export function resumeCommand(io: Io, exit: (code: number) => void): Command {
  const command = addPlaceOptions(new Command('resume'))
    .description('resume a run that waits, was paused or was interrupted; or continue a state')
    .argument(
      '<run>',
      'id of the run, its unique beginning or ending, "last", or a state file (- for standard input)',
    )
    .option(
      '--agent <file>',
      'continue the state, or replay the run, with this definition (default: that of the recorded run)',
    )
    .option('--at <event>', 'fork the run: continue its state after this event in a new run', positiveInteger)
    .option('--replay', 'repeat the run in a new one: its record answers, and nothing is sent')
    .option('--fail-on-loss', 'refuse a state of which a part would be lost')
    .option(
      '--as-fork',
      'continue a state of a run that is being moved, which may continue elsewhere as well',
    )
    .addOption(new Option('--resume', 'the run of a state continues at once (default)').default(undefined))
    .option('--no-resume', 'take in a state as a paused run')
    .addOption(noWaitOption())
    .addOption(traceOption())
    .addOption(eventsOption())
    .addOption(jsonOption())
    .addOption(formatOption())
  return addRunOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (wanted, options) => exit(await (await import('./resume.ts')).resume(wanted, options, io)))
}

const EXAMPLES = `
Examples:
  $ waybill resume 0198c0de-7a11
  $ waybill resume 0198c0de-7a11 --tools tools.mjs --json
  $ waybill resume state.json --agent agent.yaml            continue a state from another machine
  $ waybill resume state.json --server https://waybill.acme.example
  $ waybill resume state.json --no-resume                   take it in, and continue it later
  $ waybill resume last --at 12                             fork the run after its event 12
  $ waybill resume last --replay                            repeat it without a model, and without sending anything
  $ waybill resume last --replay --agent agent.yaml         would the changed definition do something else?

The functions, hosts and configuration from the start of the run are used again; more can be added. A call with unknown
outcome is never sent again automatically: Waybill asks you, or you decide with \`waybill approvals\`.
A state continues in a new run. If it has a migration token, the token must be signed by a trusted key (\`waybill keys trust\`),
and is used up: the run is taken over. Without one, the run is a fork. A write that the captured run may have sent is not sent again: its recorded
answer is used, or you decide.
A replay is a run of its own, and no evidence of a real one. It exits with 1 if it did something else than the run, or
needed an answer that the record does not have (REPLAY_DIVERGED); \`waybill runs diff RUN REPLAY\` shows where.
`
