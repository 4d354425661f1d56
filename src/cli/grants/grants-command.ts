import { Argument, Command } from 'commander'
import type { Io } from '../io.ts'
import { addPlaceOptions } from '../options/place-options.ts'
import { formatOption, jsonOption, positiveInteger } from '../options/run-options.ts'

export function grantsCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('grants')
    .description('list, create and revoke standing grants')
    .addCommand(listCommand(io))
    .addCommand(allowCommand(io))
    .addCommand(revokeCommand(io))
    .addHelpText('after', EXAMPLES)
}

function listCommand(io: Io): Command {
  return addPlaceOptions(new Command('list'))
    .description('list the grants: what is allowed, to which agent, until when, and by whom')
    .option('--agent <agent_id>', 'only the grants that apply to this agent')
    .option('--all', 'also expired grants')
    .option('--config <file>', 'use this configuration instead of the one in ~/.waybill')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', '\nExamples:\n  $ waybill grants list\n  $ waybill grants list --json\n')
    .action(async (options) => (await import('./list-grants.ts')).listGrants(options, io))
}

function allowCommand(io: Io): Command {
  return new Command('allow')
    .description('grant calls that match a rule, a host, or a secret for a host')
    .addArgument(new Argument('<kind>', 'what to allow').choices(['call', 'host', 'secret']))
    .argument('<what>', 'TOOL ARGUMENT=PATTERN…, HOST[:PORT], or NAME@HOST')
    .option(
      '--agent <file>',
      'the agent that gets the grant: its definition, or the agent_id of a recorded run',
    )
    .option('--for <time>', 'lifetime, such as 30m, 8h or 7d (default for calls: 1h)')
    .option('--until <moment>', 'end of the lifetime, such as 2027-01-31T18:00:00Z')
    .option('--uses <n>', 'maximum number of calls', positiveInteger)
    .option('--any-version', 'for calls: keep the grant when the definition changes')
    .option('--preview', 'show the effect on past calls, without creating the grant')
    .option('--why <text>', 'the reason, for the record')
    .option('--by <name>', 'name of the person who grants it (default: the name of this account)')
    .option('--agents <dir>', 'folder of the sub-agents (default: the folder of the definition)')
    .option('--tools <file>', 'module that exports the functions of function tools and hooks')
    .option('--config <file>', 'use this configuration instead of the one in ~/.waybill')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', ALLOW_EXAMPLES)
    .action(async (kind, what, options) => (await import('./allow.ts')).allow(kind, what, options, io))
}

function revokeCommand(io: Io): Command {
  return addPlaceOptions(new Command('revoke'))
    .description('revoke grants, with immediate effect')
    .argument('[id...]', 'ids of the grants, or their unique beginnings')
    .option('--all', 'all grants except those in config.yaml')
    .option('--by <name>', 'name of the person who revokes them (default: the name of this account)')
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

In a pattern, * matches one part of a text (no white space, and no separator of addresses, paths or lists), and **
matches any text on one line. An argument that the rule does not list may have any value except an address or a URL.
Private hosts cannot have a standing grant; allow them per run with --allow-host.
`
