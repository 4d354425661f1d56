import { Command, type CommanderError } from 'commander'
import { COMMANDS } from './commands.ts'
import { EXIT, type Io, isInteractive } from './io.ts'
import { flushed, ownOutput, processIo } from './process-io.ts'
import { productVersion } from './product-version.ts'
import { plainText } from './terminal/plain-text.ts'

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
    if (words[0] === '__complete') {
      await (await import('./completion/complete.ts')).complete(words.slice(1), io)
      return EXIT.ok
    }
    await execute(words, io, json, (exit) => {
      code = exit
    })
    return code
  } catch (error) {
    // Commander also throws for --help and --version, which are not errors.
    if (error instanceof ParsingFailure && error.error.exitCode === 0) return EXIT.ok
    const { reportError } = await import('./report-error.ts')
    if (!(error instanceof ParsingFailure)) return reportError(error, io, json)
    // Without a command of a group its help was printed, which says more than an error.
    if (error.error.code === 'commander.help' && !json) return EXIT.usage
    const { parsingError } = await import('./parsing-error.ts')
    return reportError(await parsingError(error.error, error.command, io), io, json)
  }
}

/** Runs the command. If it lacks a run, asks the person at the terminal for one. */
async function execute(
  words: readonly string[],
  io: Io,
  json: boolean,
  exit: (code: number) => void,
): Promise<void> {
  try {
    const program = await programFor(words, io, exit)
    await program.parseAsync([...words], { from: 'user' })
  } catch (error) {
    if (!lacksRun(error) || !isInteractive(io, json)) throw error
    const { withChosenRun } = await import('./choose-run.ts')
    const complete = await withChosenRun(words, error.command, io)
    if (complete === undefined) throw error
    await execute(complete, io, json, exit)
  }
}

function lacksRun(error: unknown): error is ParsingFailure {
  return (
    error instanceof ParsingFailure &&
    error.error.code === 'commander.missingArgument' &&
    error.message.includes("'run'")
  )
}

/** Returns whether JSON is requested. Does not parse the whole command line, because parsing errors are JSON too. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const options = end < 0 ? argv : argv.slice(0, end)
  return options.includes('--json') || formatOf(options) === 'json'
}

/** An error of the parser, with the command that refused its arguments. */
class ParsingFailure extends Error {
  readonly error: CommanderError
  readonly command: Command

  constructor(error: CommanderError, command: Command) {
    super(error.message)
    this.error = error
    this.command = command
  }
}

/** Returns the program. Loads only the module of the requested command; the general help needs none. */
async function programFor(argv: readonly string[], io: Io, exit: (code: number) => void): Promise<Command> {
  const program = new Command('waybill')
    .description('Validates, plans, runs and signs AI agents described in portable definition files.')
    .version(productVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(plainText(text)),
      // Errors are thrown, and reported like all others.
      outputError: () => {},
    })
    .showSuggestionAfterError(true)
    .addHelpText('after', EXAMPLES)
  throwing(program)
  const wanted = argv.find((argument) => !argument.startsWith('-'))
  for (const entry of COMMANDS) {
    if (entry.name === wanted) {
      const command = (await entry.load())(io, exit, COMMANDS)
      inherit(command, program)
      program.addCommand(command.helpGroup(`${entry.group}:`))
    } else {
      program.command(entry.name, { hidden: false }).description(entry.summary).helpGroup(`${entry.group}:`)
    }
  }
  if (wanted === undefined && argv.length === 0) program.action(() => program.outputHelp())
  return program
}

/** Copies the settings of a parent: commander does so for `command()`, but not for `addCommand()`. */
function inherit(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent).helpOption('-h, --help', 'print help').helpCommand(false)
  throwing(command)
  for (const child of command.commands) inherit(child, command)
}

function throwing(command: Command): void {
  command.exitOverride((error) => {
    throw new ParsingFailure(error, command)
  })
}

function formatOf(argv: readonly string[]): string | undefined {
  const index = argv.indexOf('--format')
  const joined = argv.find((argument) => argument.startsWith('--format='))
  return index >= 0 ? argv[index + 1] : joined?.slice('--format='.length)
}

const EXAMPLES = `
Examples:
  $ waybill init                                   create a first definition
  $ waybill validate agent.yaml                    check it
  $ waybill plan agent.yaml                        show what a run would do
  $ waybill run agent.yaml --rehearse              dry run with test doubles: no keys, no network
  $ waybill run agent.yaml --input "Hello"         run it
  $ waybill COMMAND --help                         print help for a command

Exit: 0 success, 1 check failed or refused, 2 usage error, 3 run failed, 4 waiting for a person, 130 interrupted.
`

/** Starts the program. Ends the process when all output is written, because functions of the operator may block its end. */
export async function start(): Promise<void> {
  const argv = process.argv.slice(2)
  const io = processIo()
  ownOutput(io)
  const json = wantsJson(argv)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A command that drives a run, or waits for one, has its own handler.
      if (process.listenerCount(signal) === 1) void stopEarly(io, json)
    })
  }
  const code = await main(argv, io)
  await flushed()
  const lost = io.outLost()
  if (lost === undefined) process.exit(code)
  const { outputLost } = await import('./output-faults.ts')
  const { reportError } = await import('./report-error.ts')
  const failed = await reportError(outputLost(lost), io, false)
  await flushed()
  process.exit(Math.max(code, failed))
}

/** Reports that a signal stopped the program before a run had started. */
async function stopEarly(io: Io, json: boolean): Promise<void> {
  const { interruptedEarly } = await import('./output-faults.ts')
  const { reportError } = await import('./report-error.ts')
  await reportError(interruptedEarly(), io, json)
  await flushed()
  process.exit(EXIT.interrupted)
}
