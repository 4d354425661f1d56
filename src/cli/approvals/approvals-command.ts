import { Command } from 'commander'
import type { Io } from '../io.ts'
import { addPlaceOptions } from '../options/place-options.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'

export function approvalsCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('approvals')
    .description('list the tool calls that wait for a person, and decide about them')
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(
      decideCommand(io, exit, 'approve', 'approve a waiting call').option(
        '--digest <digest>',
        'what is approved, on a server: the digest of the question, or of a vote for edited arguments',
      ),
    )
    .addCommand(
      decideCommand(io, exit, 'edit', 'approve a waiting call with other arguments').requiredOption(
        '--arguments <json>',
        'all arguments of the call, as a JSON object, or @FILE',
      ),
    )
    .addCommand(
      decideCommand(io, exit, 'answer', 'answer what the server of a waiting call asks')
        .option('--content <json>', 'the fields of the form, as a JSON object, or @FILE')
        .option('--set <name=value>', 'one field of the form; may be repeated', addSet, [])
        .option('--decline', 'decline the question: the server decides what follows'),
    )
    .addCommand(
      decideCommand(
        io,
        exit,
        'deny',
        'deny a waiting call, or decline what its server asks; or record that a call with unknown outcome was not done',
      ),
    )
    .addCommand(decideCommand(io, exit, 'resend', 'send a call with unknown outcome again'))
    .addCommand(
      decideCommand(io, exit, 'assume', 'record that a call with unknown outcome was done').option(
        '--result <json>',
        'the result of the call, as JSON or text',
      ),
    )
    .addHelpText('after', EXAMPLES)
}

function listCommand(io: Io): Command {
  return addPlaceOptions(new Command('list'))
    .description('list the waiting calls of all runs')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', '\nExamples:\n  $ waybill approvals list\n  $ waybill approvals list --json\n')
    .action(async (options) => (await import('./list-approvals.ts')).showApprovalList(options, io))
}

function showCommand(io: Io): Command {
  return addPlaceOptions(new Command('show'))
    .description('show what a waiting call would do')
    .argument('<run>', 'id of the run, its unique beginning or ending, or "last"')
    .argument('[call]', 'id of the call; required if several calls of the run wait')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', '\nExamples:\n  $ waybill approvals show 0198c0de-7a11\n')
    .action(async (run, call, options) =>
      (await import('./show-approvals.ts')).showApprovals(run, call, options, io),
    )
}

function addSet(given: string, before: readonly string[]): readonly string[] {
  return [...before, given]
}

type Verdict = 'approve' | 'edit' | 'answer' | 'deny' | 'resend' | 'assume'

function decideCommand(io: Io, exit: (code: number) => void, verdict: Verdict, description: string): Command {
  return addPlaceOptions(new Command(verdict))
    .description(description)
    .argument('<run>', 'id of the run, its unique beginning or ending, or "last"')
    .argument('[call]', 'id of the call; required if several calls of the run wait')
    .option(
      '--why <text>',
      verdict === 'deny' ? 'the reason, for the record and for the model' : 'the reason, for the record',
    )
    .option('--by <name>', 'name of the person who decides (default: the name of this account)')
    .option('--resume', 'continue the run after the decision')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      verdict === 'edit'
        ? EDIT_EXAMPLES
        : verdict === 'answer'
          ? ANSWER_EXAMPLES
          : `\nExamples:\n  $ waybill approvals ${verdict} 0198c0de-7a11\n  $ waybill approvals ${verdict} 0198c0de-7a11 call_1 --why "as agreed"\n`,
    )
    .action(async (run, call, options) =>
      (await import('./decide-call.ts')).decideCall(verdict, run, call, options, io, exit),
    )
}

const EDIT_EXAMPLES = `
Examples:
  $ waybill approvals edit 0198c0de-7a11 --arguments '{"amount":20}' --why "within budget"
  $ waybill approvals edit 0198c0de-7a11 call_1 --arguments @arguments.json

The arguments pass the same checks as those of the model; the record keeps both.
`

const ANSWER_EXAMPLES = `
Examples:
  $ waybill approvals answer 0198c0de-7a11 --set city=Bern --set nights=2
  $ waybill approvals answer 0198c0de-7a11 call_1 --content @form.json
  $ waybill approvals answer 0198c0de-7a11 --decline

\`approvals show\` shows the questions and their fields. Where a server asks several questions, the content has a member
for each of them, and --set names KEY.NAME=VALUE. A question with a URL is answered without content, after the visit.
`

const EXAMPLES = `
Examples:
  $ waybill approvals list
  $ waybill approvals show 0198c0de-7a11
  $ waybill approvals approve 0198c0de-7a11 --why "within budget"
  $ waybill resume 0198c0de-7a11

A decision is stored in the run. A run that waits in another terminal uses it at once; any other
run uses it when you resume it: with \`--resume\`, or with \`waybill resume\`.
`
