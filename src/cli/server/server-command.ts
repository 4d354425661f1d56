import { Command } from 'commander'
import type { Io } from '../io.ts'
import { jsonOption } from '../options/run-options.ts'
import { addLogOption, addPlatformOptions } from '../platform/platform-options.ts'
import { addServerOptions } from '../platform/server-options.ts'

export function serverCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('server').description(
    'serve the HTTP API of the platform, without driving runs',
  )
  return addLogOption(addServerOptions(addPlatformOptions(command)))
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (options) =>
      exit(
        await (await import('../platform/serve.ts')).serve({ ...options, works: false, serves: true }, io),
      ),
    )
}

const EXAMPLES = `
Examples:
  $ DATABASE_URL=postgres://waybill:secret@db/waybill waybill server --port 4400
`
