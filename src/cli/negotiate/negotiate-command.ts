import { Command } from 'commander'
import type { Io } from '../io.ts'
import { collect, formatOption, jsonOption } from '../options/run-options.ts'
import type { NegotiateOptions } from './negotiate-agent.ts'

export function negotiateCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('negotiate')
    .description('tell whether a platform can do what an agent requires')
    .argument('<agent>', 'the definition (- for standard input)')
    .requiredOption('--manifest <file|url>', "the platform's manifest")
    .option('--report <file|url>', 'its conformance report, which may advertise more')
    .option(
      '--allow-host <host[:port]>',
      'a host that may be asked, private ones included (repeatable)',
      collect,
    )
    .option('--config <file>', 'use this configuration instead of the one in ~/.waybill')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (agent: string, options: NegotiateOptions) =>
      exit(await (await import('./negotiate-agent.ts')).negotiateAgent(agent, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill negotiate agent.yaml --manifest platform.json
  $ waybill negotiate agent.yaml --manifest https://agents.example/.well-known/aaif-manifest.json
  $ waybill manifest | waybill negotiate agent.yaml --manifest -      could this machine run it?

A manifest past its manifest_expires_at is fetched again from its manifest_url, when that host is allowed.

Exit: 0 accepted, perhaps without some of what it asks for, 1 rejected.
`
