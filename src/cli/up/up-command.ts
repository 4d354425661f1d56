import { Command } from 'commander'
import type { Io } from '../io.ts'
import { jsonOption } from '../options/run-options.ts'
import { addLogOption, addPlatformOptions, addWorkerOptions } from '../platform/platform-options.ts'
import { addServerOptions } from '../platform/server-options.ts'

export function upCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('up').description(
    'start the platform: database, server and worker in one process',
  )
  return addLogOption(addWorkerOptions(addServerOptions(addPlatformOptions(command))))
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (options) =>
      exit(await (await import('../platform/serve.ts')).serve({ ...options, works: true, serves: true }, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill up
  $ waybill up --port 4400 --data ./platform
  $ DATABASE_URL=postgres://waybill:secret@db/waybill waybill up --json

The first start creates an admin token. Ctrl-C stops it: runs in progress are saved and continue at the next start.
`
