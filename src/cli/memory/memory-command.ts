import { Command } from 'commander'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'
import { addPlaceOptions } from '../remote/server-option.ts'

export function memoryCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('memory')
    .description('list, show and delete the memory of agents')
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(forgetCommand(io))
    .addCommand(endSessionCommand(io))
    .addHelpText('after', EXAMPLES)
}

function listCommand(io: Io): Command {
  return narrowed(
    addPlaceOptions(new Command('list')).description(
      'list the memory items of all agents that outlive a run',
    ),
  )
    .addHelpText('after', '\nExamples:\n  $ waybill memory list\n  $ waybill memory list --user ada --json\n')
    .action(async (options) => (await import('./kept-items.ts')).listItems(options, io))
}

function showCommand(io: Io): Command {
  return narrowed(
    addPlaceOptions(new Command('show'))
      .description('print one memory item in full')
      .argument('<key>', 'the key of the item'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill memory show favourite_colour --user ada\n  $ waybill memory show opening_hours --json\n',
    )
    .action(async (key, options) => (await import('./kept-items.ts')).showItem(key, options, io))
}

function forgetCommand(io: Io): Command {
  return narrowed(
    addPlaceOptions(new Command('forget'))
      .description('delete memory items permanently')
      .argument('[key]', 'the key of the item')
      .option('--all', 'all items of the given agent, user or session'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill memory forget favourite_colour --user ada\n  $ waybill memory forget --all --user ada\n',
    )
    .action(async (key, options) => (await import('./kept-items.ts')).forgetItems(key, options, io))
}

function endSessionCommand(io: Io): Command {
  return new Command('end-session')
    .description('end a session: delete the memory items of the session')
    .argument('<session>', 'the session id, as given with --session')
    .option('--agent <id>', 'only items of the agent with this agent_id')
    .option('--user <id>', 'only items of this user')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', '\nExamples:\n  $ waybill memory end-session desk-7\n')
    .action(async (session, options) => (await import('./kept-items.ts')).endSession(session, options, io))
}

function narrowed(command: Command): Command {
  return command
    .option('--agent <id>', 'only items of the agent with this agent_id')
    .option('--user <id>', 'only items of this user')
    .option('--session <id>', 'only items of this session')
    .addOption(jsonOption())
    .addOption(formatOption())
}

const EXAMPLES = `
Examples:
  $ waybill memory list
  $ waybill memory show favourite_colour --user ada
  $ waybill memory forget --all --user ada
  $ waybill memory end-session desk-7

Memory with task scope or the backend in_memory is stored in the run: see \`waybill runs show\`.
`
