import { Command } from 'commander'
import type { Io } from '../io.ts'
import { collect, formatOption, jsonOption } from '../options/run-options.ts'

type Exit = (code: number) => void

export function toolsCommand(io: Io, exit: Exit): Command {
  return new Command('tools')
    .description('list, pin and compare the tools of tool servers')
    .addCommand(listCommand(io, exit))
    .addCommand(diffCommand(io, exit))
    .addCommand(pinCommand(io, exit))
    .addHelpText('after', EXAMPLES)
}

function listCommand(io: Io, exit: Exit): Command {
  return reaching(new Command('list'))
    .description('list the tools that the servers of a definition offer')
    .argument('<file>', 'the definition')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill tools list agent.yaml\n\nExit: 0 if every server returned its tools, 1 otherwise.\n',
    )
    .action(async (file, options) =>
      exit(await (await import('./list-tools.ts')).listTools(file, options, io)),
    )
}

function diffCommand(io: Io, exit: Exit): Command {
  return reaching(new Command('diff'))
    .description('show the tools that differ from the lock file')
    .argument('<file>', 'the definition')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill tools diff agent.yaml\n  $ waybill tools diff agent.yaml --json\n\nExit: 0 if all tools match the lock file, 1 otherwise.\n',
    )
    .action(async (file, options) =>
      exit(await (await import('./diff-tools.ts')).diffTools(file, options, io)),
    )
}

function pinCommand(io: Io, exit: Exit): Command {
  return reaching(new Command('pin'))
    .description('accept the current tools of the servers: write them to the lock file')
    .argument('<file>', 'the definition')
    .argument(
      '[tool...]',
      'only these tools: the name in the definition, the name on the server, or both as DECLARED/OFFERED',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill tools pin agent.yaml\n  $ waybill tools pin agent.yaml files/read_file\n\nExit: 0 if the tools are pinned, 1 if a server returned no tools.\n',
    )
    .action(async (file, names, options) =>
      exit(await (await import('./pin-tools.ts')).pinTools(file, names, options, io)),
    )
}

/** Adds the options for connecting to servers. */
function reaching(command: Command): Command {
  return command
    .option(
      '--allow-host <host[:port]>',
      'allow tools to connect to this host, even if it is private (repeatable)',
      collect,
    )
    .option(
      '--allow-secret <name@host>',
      'allow sending the secret with this name to this host (repeatable)',
      collect,
    )
    .option('--config <file>', 'use this configuration instead of the one in ~/.waybill')
    .option('--env-file <file>', 'also read environment variables from this file')
    .addOption(jsonOption())
    .addOption(formatOption())
}

const EXAMPLES = `
Examples:
  $ waybill tools list agent.yaml
  $ waybill tools diff agent.yaml
  $ waybill tools pin agent.yaml files

The first run of an agent writes the tools that its servers offer to a lock file next to the definition. Later runs
deny a tool that differs from the lock file, until you review it and pin it again.
`
