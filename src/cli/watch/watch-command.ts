import { Command, Option } from 'commander'
import type { Io } from '../io.ts'
import { addRunOptions, formatOption, jsonOption, planOption } from '../options/run-options.ts'

export function watchCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('watch')
    .description('run agents when their triggers fire: schedules and file changes')
    .argument('<file...>', 'the definitions')
    .option('--once', 'exit after the first run')
    .addOption(
      new Option('--events <form>', 'print triggers and events as they happen, one per line').choices([
        'ndjson',
      ]),
    )
    .addOption(jsonOption().conflicts('events'))
    .addOption(formatOption().conflicts('events'))
    .addOption(planOption())
  return addRunOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (files, options) =>
      exit(await (await import('./watch-agents.ts')).watchAgents(files, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill watch report.yaml --tools tools.mjs
  $ waybill watch report.yaml inbox.yaml --events ndjson
  $ waybill watch inbox.yaml --rehearse --once

Ctrl-C saves active runs and exits. Schedules that are missed while \`watch\` is not running are skipped.
`
