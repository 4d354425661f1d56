import { Command } from 'commander'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'

export function approvalsCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('approvals')
    .description('find and decide the calls that wait for a person')
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(decideCommand(io, 'approve', 'let a call go ahead'))
    .addCommand(decideCommand(io, 'deny', 'do not let it; of a call in doubt: it was not done'))
    .addCommand(decideCommand(io, 'resend', 'send a call in doubt again'))
    .addCommand(
      decideCommand(io, 'assume', 'take a call in doubt as done').option(
        '--result <json>',
        'what it answered, as JSON or text',
      ),
    )
    .addHelpText('after', EXAMPLES)
}

function listCommand(io: Io): Command {
  return new Command('list')
    .description('the calls of all runs that wait')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', '\nExamples:\n  $ waybill approvals list\n  $ waybill approvals list --json\n')
    .action(async (options) => (await import('./list-approvals.ts')).showApprovalList(options, io))
}

function showCommand(io: Io): Command {
  return new Command('show')
    .description('what a waiting call would do')
    .argument('<run>', 'the id of its run, or the beginning of it')
    .argument('[call]', 'its own id, when more than one waits')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', '\nExamples:\n  $ waybill approvals show 0198c0de-7a11\n')
    .action(async (run, call, options) =>
      (await import('./show-approvals.ts')).showApprovals(run, call, options, io),
    )
}

type Verdict = 'approve' | 'deny' | 'resend' | 'assume'

function decideCommand(io: Io, verdict: Verdict, description: string): Command {
  return new Command(verdict)
    .description(description)
    .argument('<run>', 'the id of its run, or the beginning of it')
    .argument('[call]', 'its own id, when more than one waits')
    .option(
      '--why <text>',
      verdict === 'deny' ? 'the reason, for the record and for the model' : 'the reason, for the record',
    )
    .option('--by <name>', 'who decides (default: the name of this account)')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      `\nExamples:\n  $ waybill approvals ${verdict} 0198c0de-7a11\n  $ waybill approvals ${verdict} 0198c0de-7a11 call_1 --why "as agreed"\n`,
    )
    .action(async (run, call, options) =>
      (await import('./decide-call.ts')).decideCall(verdict, run, call, options, io),
    )
}

const EXAMPLES = `
Examples:
  $ waybill approvals list
  $ waybill approvals show 0198c0de-7a11
  $ waybill approvals approve 0198c0de-7a11 --why "within budget"
  $ waybill resume 0198c0de-7a11

A decision is kept with the run and takes effect when the run goes on: at once when it waits in
another terminal, else with \`waybill resume\`.
`
