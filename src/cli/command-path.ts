import type { Command } from 'commander'

/** Returns the words of a command without the name of the program: `runs show`. */
export function commandPath(command: Command): readonly string[] {
  return command.parent === null ? [] : [...commandPath(command.parent), command.name()]
}
