import { Command } from 'commander'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'

export function memoryCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('memory')
    .description('look at what agents remember, and make them forget it')
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(forgetCommand(io))
    .addCommand(endSessionCommand(io))
    .addHelpText('after', EXAMPLES)
}

function listCommand(io: Io): Command {
  return narrowed(new Command('list').description('what is kept beyond the runs, of every agent'))
    .addHelpText('after', '\nExamples:\n  $ waybill memory list\n  $ waybill memory list --user ada --json\n')
    .action(async (options) => (await import('./kept-items.ts')).listItems(options, io))
}

function showCommand(io: Io): Command {
  return narrowed(
    new Command('show').description('one item in full').argument('<key>', 'the name it is kept under'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill memory show favourite_colour --user ada\n  $ waybill memory show opening_hours --json\n',
    )
    .action(async (key, options) => (await import('./kept-items.ts')).showItem(key, options, io))
}

function forgetCommand(io: Io): Command {
  return narrowed(
    new Command('forget')
      .description('remove items for good')
      .argument('[key]', 'the name it is kept under')
      .option('--all', 'every item of this agent, user or session'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill memory forget favourite_colour --user ada\n  $ waybill memory forget --all --user ada\n',
    )
    .action(async (key, options) => (await import('./kept-items.ts')).forgetItems(key, options, io))
}

function endSessionCommand(io: Io): Command {
  return new Command('end-session')
    .description('end a session: what agents kept for it is removed')
    .argument('<session>', 'as it was given with --session')
    .option('--agent <id>', 'only of the agent with this agent_id')
    .option('--user <id>', 'only of this user')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', '\nExamples:\n  $ waybill memory end-session desk-7\n')
    .action(async (session, options) => (await import('./kept-items.ts')).endSession(session, options, io))
}

function narrowed(command: Command): Command {
  return command
    .option('--agent <id>', 'only of the agent with this agent_id')
    .option('--user <id>', 'only of this user')
    .option('--session <id>', 'only of this session')
    .addOption(jsonOption())
    .addOption(formatOption())
}

const EXAMPLES = `
Examples:
  $ waybill memory list
  $ waybill memory show favourite_colour --user ada
  $ waybill memory forget --all --user ada
  $ waybill memory end-session desk-7

Memory of a run (task scope, backend in_memory) is in the record of the run: see \`waybill runs show\`.
`
