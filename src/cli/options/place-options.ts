import { type Command, Option } from 'commander'

/** The option of commands that also work on a server. */
export function serverOption(): Option {
  return new Option('--server <url>', 'use this server (default: the one that `waybill login` keeps)')
}

/** Adds the options of commands that work on this machine, or on a server. */
export function addPlaceOptions(command: Command): Command {
  return command
    .addOption(serverOption())
    .addOption(new Option('--local', 'work on this machine, also after `waybill login`').conflicts('server'))
}
