import { Command } from 'commander'
import { EXIT, type Io } from './io.ts'
import { addRunOptions, formatOption, jsonOption, type RunOptions, wantsJson } from './run-options.ts'
import { setUpRun } from './run-setup.ts'
import { jsonText } from './terminal/plain-text.ts'
import { planText } from './terminal/show-plan.ts'

interface Options extends RunOptions {
  readonly format?: string
  readonly prompt?: boolean
}

export function planCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('plan')
    .description('show what a run would do, before it does it')
    .argument('<file>', 'the definition (- for standard input)')
    .option('--prompt', 'show the whole system prompt')
    .addOption(jsonOption())
    .addOption(formatOption())
  return addRunOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => {
      const { program } = await setUpRun(file, options, io)
      const { plan } = program
      const ok = plan.refusals.length === 0
      if (wantsJson(options)) io.out(`${jsonText({ ok, plan_hash: program.hash, ...plan })}\n`)
      // The plan is what was asked for, so it is the output, for a pager as well as for eyes.
      else io.out(planText(plan, { color: io.color && io.outIsTty, prompt: options.prompt === true }))
      exit(ok ? EXIT.ok : EXIT.no)
    })
}

const EXAMPLES = `
Examples:
  $ waybill plan agent.yaml
  $ waybill plan agent.yaml --tools tools.mjs --allow-host crm.example
  $ waybill plan agent.yaml --json | jq '.tools[] | select(.gate == "deny")'

Exit: 0 it may run, 1 a run would be refused.
`
