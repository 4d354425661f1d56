import { Command } from 'commander'
import type { Io } from '../io.ts'
import { collect, formatOption, jsonOption } from '../options/run-options.ts'

type Exit = (code: number) => void

export function toolsCommand(io: Io, exit: Exit): Command {
  return new Command('tools')
    .description('what tool servers offer, and whether it is as it was pinned')
    .addCommand(listCommand(io, exit))
    .addCommand(diffCommand(io, exit))
    .addCommand(pinCommand(io, exit))
    .addHelpText('after', EXAMPLES)
}

function listCommand(io: Io, exit: Exit): Command {
  return reaching(new Command('list'))
    .description('what the servers of a definition offer')
    .argument('<file>', 'the definition')
    .addHelpText('after', '\nExamples:\n  $ waybill tools list agent.yaml\n')
    .action(async (file, options) =>
      exit(await (await import('./list-tools.ts')).listTools(file, options, io)),
    )
}

function diffCommand(io: Io, exit: Exit): Command {
  return reaching(new Command('diff'))
    .description('what is not as it was pinned')
    .argument('<file>', 'the definition')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill tools diff agent.yaml\n  $ waybill tools diff agent.yaml --json\n\nExit: 0 all is as it was pinned, 1 something is not.\n',
    )
    .action(async (file, options) =>
      exit(await (await import('./diff-tools.ts')).diffTools(file, options, io)),
    )
}

function pinCommand(io: Io, exit: Exit): Command {
  return reaching(new Command('pin'))
    .description('accept what the servers offer as it is now')
    .argument('<file>', 'the definition')
    .argument(
      '[tool...]',
      'only these: the name of a declared tool, of one that it offers, or DECLARED/OFFERED',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill tools pin agent.yaml\n  $ waybill tools pin agent.yaml files/read_file\n',
    )
    .action(async (file, names, options) =>
      exit(await (await import('./pin-tools.ts')).pinTools(file, names, options, io)),
    )
}

/** The options that reaching a server may need. */
function reaching(command: Command): Command {
  return command
    .option(
      '--allow-host <host[:port]>',
      'let tools reach this host, private ones included (repeatable)',
      collect,
    )
    .option(
      '--allow-secret <name@host>',
      'let the secret of this name be sent to this host (repeatable)',
      collect,
    )
    .option('--config <file>', 'use this configuration instead of the one in ~/.waybill')
    .option('--env-file <file>', 'read environment variables from this file first')
    .addOption(jsonOption())
    .addOption(formatOption())
}

const EXAMPLES = `
Examples:
  $ waybill tools list agent.yaml
  $ waybill tools diff agent.yaml
  $ waybill tools pin agent.yaml files

The first run of an agent writes down, in a lock file beside its definition, what its tool servers offer.
What differs later is denied until it is pinned again: look at it first.
`
