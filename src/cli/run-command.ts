import { Command } from 'commander'
import { assertFunctions } from '../compose.ts'
import { driveAndShow, eventsOption, type ShowRunOptions } from './drive-and-show.ts'
import type { Io } from './io.ts'
import { readInput } from './run-input.ts'
import { addRunOptions, formatOption, jsonOption, type RunOptions, wantsJson } from './run-options.ts'
import { setUpRun } from './run-setup.ts'
import { startRun } from './start-run.ts'

interface Options extends RunOptions, ShowRunOptions {
  readonly input?: string
}

export function runCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('run')
    .description('run an agent, and record what happens')
    .argument('<file>', 'the definition (- for standard input)')
    .option('--input <text>', 'text, JSON, @FILE or - for standard input')
    .addOption(eventsOption())
    .addOption(jsonOption())
    .addOption(formatOption())
  return addRunOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => {
      const json = wantsJson(options)
      const setup = await setUpRun(file, options, io, { askHosts: !json && options.events === undefined })
      const input = await readInput(
        options.input,
        setup.program.plan.input.schema !== undefined,
        io,
        file === '-',
      )
      assertFunctions(setup.program.plan, setup.parts)
      const run = startRun(setup, options, io)
      try {
        exit(await driveAndShow(run, { type: 'run.started', input }, setup.parts, options, io))
      } finally {
        run.close()
      }
    })
}

const EXAMPLES = `
Examples:
  $ waybill run agent.yaml --input "What is due today?"
  $ waybill run agent.yaml --rehearse                         doubles answer: no key, no network
  $ waybill run agent.yaml --tools tools.mjs --json           one JSON object for scripts
  $ waybill run agent.yaml --allow-host crm.example --budget usd=0.50,seconds=60
  $ waybill run agent.yaml --model custom/llama3 --base-url http://localhost:8080/v1
`
