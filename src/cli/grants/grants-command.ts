import { Argument, Command } from 'commander'
import type { Io } from '../io.ts'
import { formatOption, jsonOption, positiveInteger } from '../options/run-options.ts'

export function grantsCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('grants')
    .description('see, give and take back what is allowed beforehand')
    .addCommand(listCommand(io))
    .addCommand(allowCommand(io))
    .addCommand(revokeCommand(io))
    .addHelpText('after', EXAMPLES)
}

function listCommand(io: Io): Command {
  return new Command('list')
    .description('what is allowed: to whom, until when, by whom')
    .option('--agent <agent_id>', 'only what counts for this agent')
    .option('--all', 'those that have run out as well')
    .option('--config <file>', 'use this configuration instead of the one in ~/.waybill')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', '\nExamples:\n  $ waybill grants list\n  $ waybill grants list --json\n')
    .action(async (options) => (await import('./list-grants.ts')).listGrants(options, io))
}

function allowCommand(io: Io): Command {
  return new Command('allow')
    .description('allow calls that are like this, a host, or a secret at a host')
    .addArgument(new Argument('<kind>', 'what is allowed').choices(['call', 'host', 'secret']))
    .argument('<what>', 'TOOL ARGUMENT=PATTERN…, HOST[:PORT], or NAME@HOST')
    .option('--agent <file>', 'the agent it is for: its definition, or the agent_id of one that has run')
    .option('--for <time>', 'how long, such as 30m, 8h or 7d (of calls: 1h)')
    .option('--until <moment>', 'until when, such as 2027-01-31T18:00:00Z')
    .option('--uses <n>', 'how many calls', positiveInteger)
    .option('--any-version', 'of calls: also when the definition has changed')
    .option('--preview', 'show what it would have meant for past calls, and give nothing')
    .option('--why <text>', 'the reason, for the record')
    .option('--by <name>', 'who gives it (default: the name of this account)')
    .option('--agents <dir>', "folder of the sub-agents (default: the definition's own)")
    .option('--tools <file>', 'module that exports the functions of function tools')
    .option('--config <file>', 'use this configuration instead of the one in ~/.waybill')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', ALLOW_EXAMPLES)
    .action(async (kind, what, options) => (await import('./allow.ts')).allow(kind, what, options, io))
}

function revokeCommand(io: Io): Command {
  return new Command('revoke')
    .description('take grants back, at once')
    .argument('[id...]', 'their ids, or the beginnings of them')
    .option('--all', 'every grant but those of config.yaml')
    .option('--by <name>', 'who takes them back (default: the name of this account)')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill grants revoke g-3f9a1c07\n  $ waybill grants revoke --all\n',
    )
    .action(async (ids, options) => (await import('./revoke.ts')).revoke(ids, options, io))
}

const EXAMPLES = `
Examples:
  $ waybill grants list
  $ waybill grants allow call "send_email to=*@ours.example" --agent clerk.yaml --for 1h
  $ waybill grants allow host api.parcels.example --agent clerk.yaml
  $ waybill grants revoke g-3f9a1c07
`

const ALLOW_EXAMPLES = `
Examples:
  $ waybill grants allow call "send_email to=*@ours.example" --agent clerk.yaml --preview
  $ waybill grants allow call "refund amount<=50 currency=EUR" --agent clerk.yaml --for 8h --uses 10
  $ waybill grants allow host api.parcels.example --for 7d
  $ waybill grants allow secret CRM_KEY@api.crm.example --agent clerk.yaml

In a pattern * is one part of a text (no white space, nothing that divides an address, a path or a list) and **
anything on one line. An argument that the rule does not name may be anything but an address or a URL. Private
hosts are never granted here; they open with --allow-host.
`
