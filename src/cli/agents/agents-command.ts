import { Command } from 'commander'
import type { Io } from '../io.ts'
import { serverOption } from '../options/place-options.ts'
import { jsonOption } from '../options/run-options.ts'
import { addPlatformOptions } from '../platform/platform-options.ts'

export function agentsCommand(io: Io, _exit: (code: number) => void): Command {
  const command = new Command('agents')
    .description('list the agents of a server, and say which version of them new runs use')
    .addHelpText('after', EXAMPLES)
  for (const child of [list, show, versions, upload, activate, deprecate, label])
    command.addCommand(addPlatformOptions(child(io)).addOption(serverOption()).addOption(jsonOption()))
  return command
}

const AGENT = 'an agent of the server, by its id or its name'
const VERSION = 'a version or a label'

function list(io: Io): Command {
  return new Command('list')
    .description('list the agents, with the active version of each')
    .addHelpText('after', '\nExamples:\n  $ waybill agents list\n  $ waybill agents list --json\n')
    .action(async (options) => (await import('./show-agents.ts')).listAgents(options, io))
}

function show(io: Io): Command {
  return new Command('show')
    .description('show an agent: its version, its labels, and what the upload found')
    .argument('<agent>', AGENT)
    .argument('[version]', `${VERSION}; default: the active one`)
    .addHelpText('after', '\nExamples:\n  $ waybill agents show "Refund clerk"\n')
    .action(async (agent: string, version: string | undefined, options) =>
      (await import('./show-agents.ts')).showAgent(agent, version, options, io),
    )
}

function versions(io: Io): Command {
  return new Command('versions')
    .description('list the versions of an agent, the newest first')
    .argument('<agent>', AGENT)
    .addHelpText('after', '\nExamples:\n  $ waybill agents versions "Refund clerk"\n')
    .action(async (agent: string, options) =>
      (await import('./show-agents.ts')).listVersions(agent, options, io),
    )
}

function upload(io: Io): Command {
  return new Command('upload')
    .description('upload a definition, with the sub-agents that it names as files')
    .argument('<file>', 'the definition (- for standard input)')
    .addHelpText('after', '\nExamples:\n  $ waybill agents upload clerk.yaml\n')
    .action(async (file: string, options) => (await import('./upload-file.ts')).uploadFile(file, options, io))
}

function activate(io: Io): Command {
  return new Command('activate')
    .description('make a version the active one: new runs use it')
    .argument('<agent>', AGENT)
    .argument('[version]', `${VERSION}; default: the newest`)
    .addHelpText('after', '\nExamples:\n  $ waybill agents activate "Refund clerk" 1.3.0\n')
    .action(async (agent: string, version: string | undefined, options) =>
      (await import('./change-agent.ts')).changeAgent('activate', agent, version, options, io),
    )
}

function deprecate(io: Io): Command {
  return new Command('deprecate')
    .description('deprecate a version: no new run uses it')
    .argument('<agent>', AGENT)
    .argument('[version]', `${VERSION}; default: the active one`)
    .addHelpText('after', '\nExamples:\n  $ waybill agents deprecate "Refund clerk" 1.2.0\n')
    .action(async (agent: string, version: string | undefined, options) =>
      (await import('./change-agent.ts')).changeAgent('deprecate', agent, version, options, io),
    )
}

function label(io: Io): Command {
  return new Command('label')
    .description('move a label, such as "production", to a version; or remove it')
    .argument('<agent>', AGENT)
    .argument('<label>', 'the label')
    .argument('[version]', 'the version that the label names from now on')
    .option('--remove', 'remove the label')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill agents label "Refund clerk" production 1.3.0\n  $ waybill agents label "Refund clerk" production --remove\n',
    )
    .action(async (agent: string, name: string, version: string | undefined, options) =>
      (await import('./change-agent.ts')).labelAgent(agent, name, version, options, io),
    )
}

const EXAMPLES = `
Examples:
  $ waybill agents list
  $ waybill agents show "Refund clerk"
  $ waybill agents activate "Refund clerk" 1.3.0
  $ waybill agents label "Refund clerk" production 1.3.0

With --server, or after \`waybill login\`, the server is asked. Otherwise the database of this machine is opened as its
owner (--data, --database-url or $DATABASE_URL), for the organisation \`default\`. Changes need the role author.
`
