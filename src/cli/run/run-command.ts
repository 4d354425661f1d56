import { Command, Option } from 'commander'
import type { Io } from '../io.ts'
import {
  addRunOptions,
  eventsOption,
  formatOption,
  jsonOption,
  noWaitOption,
  traceOption,
} from '../options/run-options.ts'

export function runCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('run')
    .description('run an agent, and record what happens')
    .argument('<file>', 'the definition (- for standard input)')
    .option('--input <text>', 'text, JSON, @FILE or - for standard input')
    .addOption(
      new Option(
        '--batch <file>',
        'a run for each input: a JSON array, or one JSON value a line (- for standard input)',
      ).conflicts(['input', 'events', 'detach']),
    )
    .addOption(
      new Option('--detach', 'run in the background; prints the id of the run').conflicts(['events']),
    )
    .addOption(new Option('--resume', 'with --batch: continue the newest batch of the same inputs'))
    .addOption(new Option('--run-id <id>', 'the id that was given out').hideHelp())
    .addOption(noWaitOption())
    .addOption(traceOption())
    .option(
      '--trace-parent <traceparent>',
      'the W3C trace context that the run belongs to (default: $TRACEPARENT)',
    )
    .option('--trace-state <tracestate>', 'what belongs to it, W3C as well (default: $TRACESTATE)')
    .addOption(eventsOption())
    .addOption(jsonOption())
    .addOption(formatOption())
  return addRunOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (file, options, self) =>
      exit(await (await import('./run-agent.ts')).runAgent(file, options, self, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill run agent.yaml --input "What is due today?"
  $ waybill run agent.yaml --rehearse                         doubles answer: no key, no network
  $ waybill run agent.yaml --tools tools.mjs --json           one JSON object for scripts
  $ waybill run agent.yaml --batch inputs.ndjson --resume     continue a batch that was cut off
  $ waybill run agent.yaml --rehearse --trace                 and draw what took how long
  $ waybill run agent.yaml --allow-host crm.example --budget usd=0.50,seconds=60
  $ waybill run agent.yaml --model custom/llama3 --base-url http://localhost:8080/v1
`
