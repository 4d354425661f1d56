import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { COMMANDS } from './commands.ts'
import { EXIT, type Io } from './io.ts'
import { processIo } from './process-io.ts'
import { reportError } from './report-error.ts'

/**
 * Runs one command line.
 * @param argv the arguments after the program's name
 * @returns the exit code
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.ok
  const json = argv.includes('--json') || formatOf(argv) === 'json'
  try {
    const program = await programFor(argv, io, (exit) => {
      code = exit
    })
    await program.parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version are not errors, though commander throws for them as well.
      if (error.exitCode === 0) return EXIT.ok
      if (json) io.out(`${JSON.stringify({ error: { code: 'USAGE', message: tidy(error.message) } })}\n`)
      return EXIT.usage
    }
    return reportError(error, io, json)
  }
}

/** Only the command that is asked for is loaded; help about all of them needs none. */
async function programFor(argv: readonly string[], io: Io, exit: (code: number) => void): Promise<Command> {
  const program = new Command('waybill')
    .description('Carries AI agents between worlds: validate, plan, run, hand on.')
    .version(version(), '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.err(text) })
    .showSuggestionAfterError(true)
    .addHelpText('after', EXAMPLES)
  const wanted = argv.find((argument) => !argument.startsWith('-'))
  for (const entry of COMMANDS) {
    if (entry.name === wanted) {
      const command = (await entry.load())(io, exit)
      inherit(command, program)
      program.addCommand(command)
    } else {
      program.command(entry.name, { hidden: false }).description(entry.summary)
    }
  }
  if (wanted === undefined && argv.length === 0) program.action(() => program.outputHelp())
  return program
}

/** Commander copies settings to commands made by `command()`, not to those added whole. */
function inherit(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent).helpOption('-h, --help', 'print help')
  for (const child of command.commands) inherit(child, command)
}

function formatOf(argv: readonly string[]): string | undefined {
  const index = argv.indexOf('--format')
  const joined = argv.find((argument) => argument.startsWith('--format='))
  return index >= 0 ? argv[index + 1] : joined?.slice('--format='.length)
}

function tidy(message: string): string {
  return message.replace(/^error: /, '').replace(/\n.*/s, '')
}

function version(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

const EXAMPLES = `
Examples:
  $ waybill init                                   write a first definition
  $ waybill validate agent.yaml                    is it right?
  $ waybill plan agent.yaml                        what would a run do?
  $ waybill run agent.yaml --rehearse              run it with doubles: no key, no network
  $ waybill run agent.yaml --input "Hello"         run it

Exit: 0 fine, 1 the answer is no, 2 used wrongly, 3 a run failed, 4 waits for a person, 130 interrupted.
`

/** Called by the launcher. */
export async function start(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), processIo())
}
