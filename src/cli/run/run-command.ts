import { Command, Option } from 'commander'
import type { Io } from '../io.ts'
import { addPlaceOptions } from '../options/place-options.ts'
import {
  addRunOptions,
  eventsOption,
  formatOption,
  jsonOption,
  noWaitOption,
  planOption,
  traceOption,
} from '../options/run-options.ts'

export function runCommand(io: Io, exit: (code: number) => void): Command {
  const command = addPlaceOptions(new Command('run'))
    .description('run an agent and record every step')
    .argument('<file>', 'the definition (- for standard input)')
    .argument('[text]', 'the input, like --input')
    .optionsGroup('Input:')
    .option('--input <text>', 'the input: text, JSON, @FILE, or - for standard input')
    .addOption(
      new Option(
        '--batch <file>',
        'start one run per input: a JSON array, or one JSON value per line (- for standard input)',
      ).conflicts(['input', 'events', 'detach']),
    )
    .addOption(new Option('--resume', 'with --batch: continue the newest batch of the same inputs'))
    .addOption(new Option('--run-id <id>', 'the id of the run').hideHelp())
    .optionsGroup('Start:')
    .addOption(planOption())
    .addOption(noWaitOption())
    .addOption(
      new Option('--detach', 'run in the background, and print the id of the run').conflicts(['events']),
    )
    .option('--trace-parent <traceparent>', 'W3C trace context of the caller (default: $TRACEPARENT)')
    .option('--trace-state <tracestate>', 'W3C trace state of the caller (default: $TRACESTATE)')
    .optionsGroup('Output:')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addOption(eventsOption())
    .addOption(traceOption())
    .addOption(
      new Option(
        '--state-out <file>',
        'when the run stops, write its state (Agent State) to this file',
      ).conflicts(['batch', 'detach']),
    )
  return addRunOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (file, text, options, self) =>
      exit(await (await import('./start-run.ts')).startRun(file, text, options, self, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill run agent.yaml "What is due today?"
  $ waybill run agent.yaml --input @question.json --model ollama/llama3.2
  $ waybill run agent.yaml --rehearse                         dry run: no keys, no network
  $ waybill run agent.yaml --tools tools.mjs --json           one JSON object for scripts
  $ waybill run agent.yaml --batch inputs.ndjson --resume     continue an interrupted batch
  $ waybill run agent.yaml --rehearse --trace                 dry run with a timeline
  $ waybill run agent.yaml --plan reviewed.json --input Go    only what was reviewed
  $ waybill run agent.yaml --allow-host crm.example --budget usd=0.50,seconds=60
  $ waybill run agent.yaml --model custom/llama3 --base-url http://localhost:8080/v1
`
