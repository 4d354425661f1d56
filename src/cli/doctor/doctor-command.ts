import { Command } from 'commander'
import type { Io } from '../io.ts'
import { jsonOption } from '../options/run-options.ts'
import { addPlatformOptions } from '../platform/platform-options.ts'
import { addServerOptions } from '../platform/server-options.ts'

export function doctorCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('doctor').description(
    'check what the platform needs: database, port, keys, providers, mail server, clock and disk',
  )
  return addServerOptions(addPlatformOptions(command))
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (options) => exit(await (await import('./diagnose.ts')).diagnose(options, io)))
}

const EXAMPLES = `
Examples:
  $ waybill doctor
  $ DATABASE_URL=postgres://waybill:secret@db/waybill waybill doctor --json

Exit: 0 all checks passed, 1 a check failed. Nothing is changed. An embedded database that exists is started for the checks.
`
