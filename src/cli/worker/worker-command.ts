import { Command } from 'commander'
import type { Io } from '../io.ts'
import { jsonOption } from '../options/run-options.ts'
import { addLogOption, addPlatformOptions, addWorkerOptions } from '../platform/platform-options.ts'

export function workerCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('worker').description(
    'drive the runs of the platform; start as many as are wanted',
  )
  return addLogOption(addWorkerOptions(addPlatformOptions(command)))
    .option('--queue <name...>', 'only runs of these queues (runtime.queue of a definition); default: all')
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (options) =>
      exit(
        await (await import('../platform/serve.ts')).serve({ ...options, works: true, serves: false }, io),
      ),
    )
}

const EXAMPLES = `
Examples:
  $ DATABASE_URL=postgres://waybill:secret@db/waybill waybill worker
  $ waybill worker --queue reports --concurrency 20
`
