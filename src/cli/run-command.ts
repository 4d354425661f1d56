import { Command } from 'commander'
import type { RunEvent } from '../run/event.ts'
import { publicEvent } from '../run/event-line.ts'
import { driveRun, exitOf, type RunView } from './drive-run.ts'
import type { Io } from './io.ts'
import { readInput } from './run-input.ts'
import { addRunOptions, formatOption, jsonOption, type RunOptions, wantsJson } from './run-options.ts'
import { setUpRun } from './run-setup.ts'
import { startRun } from './start-run.ts'
import { openRunView } from './terminal/run-view.ts'
import { showResult } from './terminal/show-result.ts'

interface Options extends RunOptions {
  readonly input?: string
  readonly events?: 'ndjson'
  readonly format?: string
}

export function runCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('run')
    .description('run an agent, and record what happens')
    .argument('<file>', 'the definition (- for standard input)')
    .option('--input <text>', 'text, JSON, @FILE or - for standard input')
    .option('--events <form>', 'print events as they happen (ndjson)')
    .addOption(jsonOption())
    .addOption(formatOption())
  return addRunOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => {
      const setup = await setUpRun(file, options, io)
      const input = await readInput(
        options.input,
        setup.program.plan.input.schema !== undefined,
        io,
        file === '-',
      )
      const run = startRun(setup, options, io)
      try {
        const json = wantsJson(options)
        const view =
          options.events === 'ndjson' ? eventsView(run.header.run_id, io) : openRunView(io, run, { json })
        const driven = await driveRun(run, { type: 'run.started', input }, setup.parts, view)
        if (options.events !== 'ndjson') showResult(driven.result, io, { json })
        exit(exitOf(driven))
      } finally {
        run.close()
      }
    })
}

/** Standard output carries the events, one JSON object a line, and nothing else. */
export function eventsView(runId: string, io: Io): RunView {
  return {
    event: (event: RunEvent) => io.out(`${JSON.stringify(publicEvent(runId, event))}\n`),
  }
}

const EXAMPLES = `
Examples:
  $ waybill run agent.yaml --input "What is due today?"
  $ waybill run agent.yaml --rehearse                         doubles answer: no key, no network
  $ waybill run agent.yaml --tools tools.mjs --json           one JSON object for scripts
  $ waybill run agent.yaml --allow-host crm.example --budget usd=0.50,seconds=60
  $ waybill run agent.yaml --model custom/llama3 --base-url http://localhost:8080/v1
`
