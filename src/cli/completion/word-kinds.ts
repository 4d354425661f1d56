import type { Argument, Command, Option } from 'commander'

/** What a word of the command line names, for `waybill __complete KIND`. */
export type ListedKind = (typeof LISTED_KINDS)[number]

export const LISTED_KINDS = [
  'runs',
  'resumable',
  'running',
  'waiting',
  'keys',
  'own-keys',
  'trusted-keys',
  'models',
  'providers',
  'servers',
  'platforms',
] as const

/** A kind of word: listed by the program, or found by the shell; `none` has no candidates. */
export type WordKind = ListedKind | 'definitions' | 'files' | 'none'

/** Commands, or the first words of commands, that take an agent definition. */
const OF_DEFINITIONS = new Set([
  'plan',
  'graph',
  'diff',
  'run',
  'chat',
  'watch',
  'negotiate',
  'sign',
  'tools',
])

/** Arguments with other kinds than their names say: the command, and the argument. */
const ARGUMENTS: Readonly<Record<string, WordKind>> = {
  'resume run': 'resumable',
  'migrate run': 'resumable',
  'pause run': 'running',
  'runs diff before': 'runs',
  'runs diff after': 'runs',
  'receipts verify file|run': 'runs',
  'keys export name': 'own-keys',
  'keys revoke name': 'keys',
  'logout url': 'servers',
  'login url': 'servers',
}

/** Options with candidates: `--name <value>`. */
const OPTIONS: Readonly<Record<string, WordKind>> = {
  '--model <provider/model>': 'models',
  '--judge <provider/model>': 'models',
  '--provider <id>': 'providers',
  '--key <name>': 'own-keys',
  '--encrypt-to <key>': 'trusted-keys',
  '--server <url>': 'servers',
  '--agent <file>': 'definitions',
  '--to <platform>': 'platforms',
  '--from <platform>': 'platforms',
  '--resume <run>': 'resumable',
  '--run <id>': 'runs',
}

/** Returns what an argument of a command names. @param path of the command, such as `runs show` */
export function argumentKind(path: string, argument: Argument): WordKind {
  const name = argument.name()
  const special = ARGUMENTS[`${path} ${name}`]
  if (special !== undefined) return special
  if (name === 'run') return path.startsWith('approvals ') ? 'waiting' : 'runs'
  const [command = ''] = path.split(' ')
  const isDefinition = OF_DEFINITIONS.has(command)
  if (isDefinition && ['file', 'agent', 'before', 'after'].includes(name)) return 'definitions'
  return isFile(name) ? 'files' : 'none'
}

/** Returns what the value of an option names; undefined for an option without a value. */
export function optionKind({ flags, required, optional }: Option): WordKind | undefined {
  if (!required && !optional) return undefined
  const long = flags.slice(flags.indexOf('--'))
  return OPTIONS[long] ?? (isFile(long.slice(long.indexOf('<'))) ? 'files' : 'none')
}

/** Returns what the arguments of a command name, in their order; the last one of a variadic command is repeated. */
export function argumentKinds(path: string, command: Command): readonly WordKind[] {
  return command.registeredArguments.map((argument) => argumentKind(path, argument))
}

function isFile(name: string): boolean {
  return /file|dir|folder|path|before|after|agents/.test(name)
}
