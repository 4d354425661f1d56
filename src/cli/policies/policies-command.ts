import { Command } from 'commander'
import type { Io } from '../io.ts'
import { serverOption } from '../options/place-options.ts'
import { jsonOption } from '../options/run-options.ts'
import { addPlatformOptions } from '../platform/platform-options.ts'

export function policiesCommand(io: Io, _exit: (code: number) => void): Command {
  const command = new Command('policies')
    .description('list, set and remove the approval policies of your organisation on the platform')
    .addHelpText('after', EXAMPLES)
  for (const child of [listCommand(io), setCommand(io), removeCommand(io)])
    command.addCommand(addPlatformOptions(child).addOption(serverOption()).addOption(jsonOption()))
  return command
}

function listCommand(io: Io): Command {
  return new Command('list')
    .description('list the policies, in the order in which they are tried')
    .addHelpText('after', '\nExamples:\n  $ waybill policies list\n  $ waybill policies list --json\n')
    .action(async (options) => (await import('./policies.ts')).listPolicies(options, io))
}

function setCommand(io: Io): Command {
  return new Command('set')
    .description('add a policy, or replace it; open questions keep theirs')
    .argument('<name>', 'lower-case letters, digits and `-`, such as payments')
    .argument('<file>', 'the policy as YAML or JSON, or - for standard input')
    .addHelpText(
      'after',
      `
Examples:
  $ waybill policies set payments payments.yaml
  $ echo '{"match": {"tool": "pay_*"}, "approvals_needed": 2}' | waybill policies set payments -
`,
    )
    .action(async (name: string, file: string, options) =>
      (await import('./policies.ts')).setPolicy(name, file, options, io),
    )
}

function removeCommand(io: Io): Command {
  return new Command('remove')
    .description('remove a policy; open questions keep it')
    .argument('<name>', 'the name that `waybill policies list` shows')
    .addHelpText('after', '\nExamples:\n  $ waybill policies remove payments\n')
    .action(async (name: string, options) => (await import('./policies.ts')).removePolicy(name, options, io))
}

const EXAMPLES = `
Examples:
  $ waybill policies list
  $ waybill policies set payments payments.yaml
  $ waybill policies remove payments

With --server, or after \`waybill login\`, the server is asked. Otherwise the database of this machine is opened as its
owner (--data, --database-url or $DATABASE_URL), for the organisation \`default\`. Reading needs any role, changes need
the role admin.
`
