import { Command, CommanderError } from 'commander'
import { COMMANDS } from './commands.ts'
import { EXIT, type Io } from './io.ts'
import { flushed, processIo } from './process-io.ts'
import { productVersion } from './product-version.ts'

/**
 * Runs one command line.
 * @param argv the arguments after the program's name
 * @returns the exit code
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.ok
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
  const json = wantsJson(words)
  try {
    const program = await programFor(words, io, (exit) => {
      code = exit
    })
    await program.parseAsync([...words], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version are not errors, though commander throws for them as well.
      if (error.exitCode === 0) return EXIT.ok
      if (json) io.out(`${JSON.stringify({ error: usageError(error) })}\n`)
      return EXIT.usage
    }
    const { reportError } = await import('./report-error.ts')
    return reportError(error, io, json)
  }
}

/** Known before the command line is understood, because a wrong one must be told in the form that was asked for. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const options = end < 0 ? argv : argv.slice(0, end)
  return options.includes('--json') || formatOf(options) === 'json'
}

function usageError({ message }: CommanderError) {
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n')
  const hint = suggestion === undefined ? 'see --help' : suggestion.replace(/^\(|\)$/g, '')
  return { code: 'USAGE', message: first, hint }
}

/** Only the command that is asked for is loaded; help about all of them needs none. */
async function programFor(argv: readonly string[], io: Io, exit: (code: number) => void): Promise<Command> {
  const program = new Command('waybill')
    .description(
      'Validates, plans, runs and signs AI agents that are described in portable definition files.',
    )
    .version(productVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.err(text) })
    .showSuggestionAfterError(true)
    .addHelpText('after', EXAMPLES)
  const wanted = argv.find((argument) => !argument.startsWith('-'))
  for (const entry of COMMANDS) {
    if (entry.name === wanted) {
      const command = (await entry.load())(io, exit, COMMANDS)
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
  command.copyInheritedSettings(parent).helpOption('-h, --help', 'print help').helpCommand(false)
  for (const child of command.commands) inherit(child, command)
}

function formatOf(argv: readonly string[]): string | undefined {
  const index = argv.indexOf('--format')
  const joined = argv.find((argument) => argument.startsWith('--format='))
  return index >= 0 ? argv[index + 1] : joined?.slice('--format='.length)
}

const EXAMPLES = `
Examples:
  $ waybill init                                   write a first definition
  $ waybill validate agent.yaml                    is it right?
  $ waybill plan agent.yaml                        what would a run do?
  $ waybill run agent.yaml --rehearse              run it with doubles: no key, no network
  $ waybill run agent.yaml --input "Hello"         run it
  $ waybill COMMAND --help                         all about a command

Exit: 0 fine, 1 the answer is no, 2 used wrongly, 3 a run failed, 4 waits for a person, 130 interrupted.
`

/** Called by the launcher. Ends the process when all is written: an operator's own functions may hold it open. */
export async function start(): Promise<void> {
  const argv = process.argv.slice(2)
  const io = processIo()
  const json = wantsJson(argv)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // What drives a run, or waits for one, takes the signal itself.
      if (process.listenerCount(signal) === 1) void stopEarly(io, json)
    })
  }
  const code = await main(argv, io)
  await flushed()
  const lost = io.outLost()
  if (lost === undefined) process.exit(code)
  const { outputLost } = await import('./machine-fault.ts')
  const { reportError } = await import('./report-error.ts')
  const failed = await reportError(outputLost(lost), io, false)
  await flushed()
  process.exit(Math.max(code, failed))
}

/** Stopped before anything had begun. */
async function stopEarly(io: Io, json: boolean): Promise<void> {
  const { interruptedEarly } = await import('./machine-fault.ts')
  const { reportError } = await import('./report-error.ts')
  await reportError(interruptedEarly(), io, json)
  await flushed()
  process.exit(EXIT.interrupted)
}
