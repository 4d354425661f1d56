import { Command } from 'commander'
import type { Io } from '../io.ts'
import { addPlaceOptions } from '../options/place-options.ts'
import { addRunOptions, collect, formatOption, jsonOption } from '../options/run-options.ts'

export function planCommand(io: Io, exit: (code: number) => void): Command {
  const command = addPlaceOptions(new Command('plan'))
    .description('show what a run would do, without running it')
    .argument('<file>', 'the definition (- for standard input); on a server, also an agent by its id or name')
    .option('--prompt', 'show the whole system prompt')
    .option(
      '--assume-secret <name>',
      'plan as if this secret or key were set; its value is not needed (repeatable)',
      collect,
    )
    .option('--out <file>', 'write the plan to a file, for `waybill run --plan`')
    .addOption(jsonOption())
    .addOption(formatOption())
  return addRunOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) =>
      exit(await (await import('./plan-agent.ts')).planAgent(file, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill plan agent.yaml
  $ waybill plan agent.yaml --tools tools.mjs --allow-host crm.example
  $ waybill plan agent.yaml --assume-secret OPENAI_API_KEY        in CI, without the key
  $ waybill plan agent.yaml --out reviewed.json                  review it, then run --plan
  $ waybill plan "Refund clerk" --server https://waybill.example   what a run on a server would do
  $ waybill plan agent.yaml --json | jq '.tools[] | select(.gate == "deny")'

Exit: 0 the agent can run; 1 a run would be refused or would fail before its first model request; 2 the command or a
file is wrong.
`
