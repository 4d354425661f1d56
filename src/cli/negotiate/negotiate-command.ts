import { Command } from 'commander'
import type { Io } from '../io.ts'
import { collect, formatOption, jsonOption } from '../options/run-options.ts'
import type { NegotiateOptions } from './negotiate-agent.ts'

export function negotiateCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('negotiate')
    .description('check whether a platform meets the requirements of an agent')
    .argument('<agent>', 'the definition (- for standard input)')
    .option('--manifest <file|url>', 'manifest of the platform')
    .option('--report <file|url>', 'conformance report of the platform; it may advertise more capabilities')
    .option(
      '--allow-host <host[:port]>',
      'allow requests to this host, even if it is private (repeatable)',
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
  $ waybill manifest | waybill negotiate agent.yaml --manifest -      can this machine run it?

An expired manifest (manifest_expires_at) is fetched again from its manifest_url if that host is allowed.

Exit: 0 accepted (optional requirements may be unmet), 1 rejected.
`
