import { type Command, InvalidArgumentError, Option } from 'commander'
import type { RunFlags } from '../../settings/operator-settings-of.ts'

/** Options of every command that plans a run. */
export interface RunOptions extends RunFlags {
  readonly tools?: string
  readonly agents?: string
  readonly config?: string
  readonly envFile?: string
  readonly json?: boolean
}

/** Adds the options that decide what a run may do; `plan`, `run`, `chat` and `resume` share them. */
export function addRunOptions(command: Command): Command {
  return command
    .option('--rehearse', 'let doubles answer for the model and the tools: no key, no network')
    .option('--model <provider/model>', 'use this model instead of those in the definition')
    .option('--judge <provider/model>', 'let this model judge constraints that no rule can hold')
    .option('--base-url <url>', "reach the first route's provider here instead")
    .option('--tools <file>', 'module that exports the functions of function tools')
    .option('--agents <dir>', "folder of the sub-agents (default: the definition's own)")
    .option('--user <id>', 'whose run it is; memory about a person needs it')
    .option('--session <id>', 'which conversation it belongs to; memory of a session needs it')
    .option('--budget <limits>', 'stop at tokens=N,usd=N,calls=N,seconds=N')
    .option(
      '--allow-host <host[:port]>',
      'let tools and routes reach this host, private ones included (repeatable)',
      collect,
    )
    .option(
      '--allow-secret <name@host>',
      'let the secret of this name be sent to this host (repeatable)',
      collect,
    )
    .option(
      '--yes <rule>',
      'let calls like this go ahead unasked, such as "send_email to=*@ours.example" (repeatable)',
      collect,
    )
    .option('--allow-deprecated', 'run an agent that its author has deprecated')
    .option('--config <file>', 'use this configuration instead of the one in ~/.waybill')
    .option('--env-file <file>', 'read environment variables from this file first')
}

export function jsonOption(): Option {
  return new Option('--json', 'print one JSON value on standard output')
}

/** `--format` for commands whose only forms are these two; `--json` is the same as `--format json`. */
export function formatOption(): Option {
  return new Option('--format <form>', 'how to print').choices(['pretty', 'json'])
}

export function eventsOption(): Option {
  return new Option('--events <form>', 'print events on standard output as they happen, one a line')
    .choices(['ndjson'])
    .conflicts(['json', 'format'])
}

export function noWaitOption(): Option {
  return new Option('--no-wait', 'refuse at once instead of waiting when too many run (runtime.concurrency)')
}

export function traceOption(): Option {
  return new Option('--trace', 'draw when each part of the run happened and how long it took')
}

export function wantsJson(options: { readonly json?: boolean; readonly format?: string }): boolean {
  return options.json === true || options.format === 'json'
}

export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

export function positiveInteger(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('it must be a whole number above 0.')
  return value
}
