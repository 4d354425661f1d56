import type { Command, CommanderError } from 'commander'
import type { WaybillError } from '../document/issue.ts'
import { suggest } from '../document/suggest.ts'
import { commandPath } from './command-path.ts'
import { COMMANDS } from './commands.ts'
import type { Io } from './io.ts'
import { suggestChoice } from './options/suggest-choice.ts'
import { usageError } from './usage-error.ts'

/** Commands of similar programs, and what to use here. */
const FOREIGN: Readonly<Record<string, string>> = {
  ask: '`waybill run FILE "TEXT"` runs an agent, `waybill chat FILE` holds a conversation',
  approve: '`waybill approvals approve RUN` approves a waiting call',
  build: '`waybill validate FILE` checks a definition; there is nothing to build',
  check: '`waybill validate FILE` checks a definition, `waybill plan FILE` what a run needs',
  config: 'the configuration is the file ~/.waybill/config.yaml; see docs/guides/configuration.md',
  create: '`waybill init` creates a first definition',
  deny: '`waybill approvals deny RUN` denies a waiting call',
  dev: '`waybill chat FILE --rehearse` tries an agent without keys and network',
  eval: '`waybill run FILE --batch INPUTS` runs an agent once for each input',
  exec: '`waybill run FILE "TEXT"` runs an agent',
  export: '`waybill runs export RUN` exports a run, `waybill transcode FILE` converts a document',
  import: '`waybill runs import FILE` imports an exported run',
  install: '`waybill init` creates a first definition; there is nothing to install',
  lint: '`waybill validate FILE` checks a definition',
  list: '`waybill runs list` lists runs, `waybill approvals list` waiting calls',
  login: 'keys of providers come from environment variables: `waybill plan FILE` names them',
  logs: '`waybill runs show last` shows the newest run, `waybill runs events last` its events',
  ls: '`waybill runs list` lists runs',
  new: '`waybill init` creates a first definition',
  ps: '`waybill runs list --status running` lists active runs',
  serve: '`waybill up` serves agents over HTTP, `waybill watch FILE` runs one when its triggers fire',
  show: '`waybill runs show last` shows the newest run, `waybill inspect FILE` a document',
  start: '`waybill run FILE "TEXT"` runs an agent, `waybill chat FILE` holds a conversation',
  status: '`waybill runs list` lists runs with their status',
  stop: '`waybill pause RUN` pauses a run, `waybill resume RUN` continues it',
  test: '`waybill run FILE --rehearse` is a dry run, `waybill validate FILE` checks a definition',
  version: '`waybill --version` prints the version',
}

/** Returns an error of the command-line parser in the form of all other errors: message, suggestion and usage. */
export async function parsingError(
  { code, message }: CommanderError,
  command: Command,
  io: Io,
): Promise<WaybillError> {
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n')
  const usage = `usage: ${nameOf(command)} ${command.usage()}`.trimEnd()
  const verb = code === 'commander.unknownCommand' ? /'([^']*)'/.exec(first)?.[1] : undefined
  const better =
    (verb !== undefined && Object.hasOwn(FOREIGN, verb) ? FOREIGN[verb] : undefined) ??
    suggestion?.replace(/^\(Did/, 'did').replace(/\)$/, '') ??
    (await hintFor(code, first, command, io))
  return usageError(
    code === 'commander.help' ? `${nameOf(command)} needs a command` : first.replace(/\.$/, ''),
    better === undefined ? usage : `${better.replace(/\?$/, '')}${better.endsWith('?') ? '?' : ';'} ${usage}`,
  )
}

async function hintFor(code: string, message: string, command: Command, io: Io): Promise<string | undefined> {
  const quoted = /'([^']*)'/.exec(message)?.[1] ?? ''
  switch (code) {
    case 'commander.unknownCommand': {
      const near = suggest(
        quoted,
        COMMANDS.map(({ name }) => name),
      )
      return near === undefined ? '`waybill --help` lists the commands' : `did you mean ${near}?`
    }
    case 'commander.missingArgument':
      return quoted === 'run'
        ? (await import('./waiting-runs.ts')).waitingRunsHint(commandPath(command).join(' '), io)
        : undefined
    case 'commander.excessArguments':
      return 'quote a text that contains spaces'
    case 'commander.invalidArgument': {
      const choices = /Allowed choices are (.*)\.$/.exec(message)?.[1]?.split(', ') ?? []
      const value = /(?:value|argument) '([^']*)' is invalid/.exec(message)?.[1] ?? ''
      const near = suggestChoice(value, choices)
      return near === undefined ? undefined : `did you mean ${near}?`
    }
    default:
      return undefined
  }
}

/** Returns the names of a command and its parents: `waybill runs show`. */
function nameOf(command: Command): string {
  return ['waybill', ...commandPath(command)].join(' ')
}
