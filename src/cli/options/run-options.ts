import { type Command, InvalidArgumentError, Option } from 'commander'
import type { RunFlags } from '../../settings/operator-settings-of.ts'

/** Options of all commands that plan a run. */
export interface RunOptions extends RunFlags {
  readonly tools?: string
  readonly agents?: string
  readonly config?: string
  readonly envFile?: string
  /** Each `URL=FILE`. */
  readonly schema?: readonly string[]
  /** The file of a reviewed plan: the run must be the one that it describes. */
  readonly plan?: string
  readonly json?: boolean
}

/** Options of all commands that print text or JSON. */
export interface FormatOptions {
  readonly json?: boolean
  readonly format?: string
}

/** Adds the options that control what a run may do. `plan`, `run`, `chat` and `resume` share them. */
export function addRunOptions(command: Command): Command {
  return command
    .optionsGroup('Dry run:')
    .option('--rehearse', 'dry run: use test doubles for the model and tools; needs no keys and no network')
    .option('--ask', 'with --rehearse: stop for approvals, which otherwise count as granted')
    .optionsGroup('Models and tools:')
    .option('--model <provider/model>', 'use this model instead of the models in the definition')
    .option('--judge <provider/model>', 'use this model to check constraints that no rule can check')
    .option('--base-url <url>', 'send requests for the first model to this address')
    .option('--tools <file>', 'module that exports the functions of function tools and hooks')
    .addOption(schemaOption())
    .option('--agents <dir>', 'folder of the sub-agents (default: the folder of the definition)')
    .optionsGroup('Owner:')
    .option('--user <id>', 'user id of the run; required for memory with user scope')
    .option('--session <id>', 'session id of the run; required for memory with session scope')
    .optionsGroup('Rights and limits:')
    .option('--budget <limits>', 'limits of the run: tokens=N,usd=N,calls=N,seconds=N')
    .option(
      '--allow-host <host[:port]>',
      'allow tools and models to connect to this host, even if it is private (repeatable)',
      collect,
    )
    .option(
      '--allow-secret <name@host>',
      'allow sending the secret with this name to this host (repeatable)',
      collect,
    )
    .option(
      '--yes <rule>',
      'approve all calls that match, such as "send_email to=*@ours.example" (repeatable)',
      collectRule,
    )
    .option('--allow-deprecated', 'allow an agent that its author has deprecated')
    .optionsGroup('Configuration:')
    .option('--config <file>', 'use this configuration instead of the one in ~/.waybill')
    .option('--env-file <file>', 'also read environment variables from this file')
    .optionsGroup('')
}

/** Returns `--schema`, for all commands that plan or validate a definition. */
export function schemaOption(): Option {
  return new Option(
    '--schema <url=file>',
    'use this file for the schema that has this URL; schemas are never fetched (repeatable)',
  ).argParser(collect)
}

/** Returns `-o`, for commands that write an export. */
export function outputOption(): Option {
  return new Option('-o, --output <file>', 'write to this file (default: standard output)')
}

export function jsonOption(): Option {
  return new Option('--json', 'print one JSON value on standard output')
}

/** Returns `--format` for commands with these two formats. `--json` is the same as `--format json`. */
export function formatOption(): Option {
  return new Option('--format <form>', 'output format').choices(['pretty', 'json'])
}

export function eventsOption(): Option {
  return new Option('--events <form>', 'print events to standard output as they happen, one per line')
    .choices(['ndjson'])
    .conflicts(['json', 'format'])
}

export function planOption(): Option {
  return new Option(
    '--plan <file>',
    'start only what this reviewed plan describes; `waybill plan --out` writes it',
  )
}

export function noWaitOption(): Option {
  return new Option('--no-wait', 'fail at once instead of waiting if runtime.concurrency is reached')
}

export function traceOption(): Option {
  return new Option('--trace', 'show a timeline: when each step of the run happened, and how long it took')
}

export function wantsJson(options: FormatOptions): boolean {
  return options.json === true || options.format === 'json'
}

export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/** Other programs have a `--yes` without a value, which would take the next option as its rule. */
function collectRule(value: string, before?: readonly string[]): readonly string[] {
  if (value.startsWith('-'))
    throw new InvalidArgumentError('--yes needs a rule: the name of a tool, such as "send_email".')
  return collect(value, before)
}

export function positiveInteger(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number above 0.')
  return value
}
