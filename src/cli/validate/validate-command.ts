import { Command, Option } from 'commander'
import { defined } from '../../document/defined.ts'
import type { Io } from '../io.ts'
import type { ReportFormat } from './report/report.ts'
import { validate } from './validate.ts'

interface Options {
  readonly kind?: string
  readonly strict?: boolean
  readonly lenient?: boolean
  readonly maxBytes?: string
  readonly registry?: readonly string[]
  readonly format?: ReportFormat
  readonly json?: boolean
}

export function validateCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('validate')
    .description('check files and say what is wrong, where, and what to do')
    .argument('<path...>', 'files, folders or globs, or - for standard input')
    .option('--kind <kind>', 'what the files are (default: told by their shape)')
    .option('--strict', 'let warnings count as errors')
    .option('--lenient', "take what only the agent cards of AgentCard's own repository allow as warnings")
    .option('--max-bytes <n>', 'how large a file may be (default: 8388608)')
    .addOption(
      new Option('--registry <file>', 'a registry whose standard values count too (repeatable)').argParser(
        (file: string, files: readonly string[] = []) => [...files, file],
      ),
    )
    .addOption(new Option('--format <form>', 'how to print').choices(['pretty', 'json', 'sarif', 'github']))
    .option('--json', 'the same as --format json')
    .addHelpText('after', EXAMPLES)
    .action(
      async (
        paths: readonly string[],
        { kind, strict, lenient, maxBytes, registry, format, json }: Options,
      ) => {
        const { exit: code } = await validate(
          paths,
          {
            ...defined({ kind, strict, lenient }),
            ...(maxBytes !== undefined && { maxBytes: Number(maxBytes) }),
            ...defined({ registries: registry }),
            format: json === true ? 'json' : (format ?? 'pretty'),
          },
          io,
        )
        exit(code)
      },
    )
}

const EXAMPLES = `
Examples:
  $ waybill validate agent.yaml
  $ waybill validate agents/ --strict                  every document below a folder
  $ waybill validate 'agents/**/*.json' --format github   annotations in a pull request
  $ cat agent.json | waybill validate - --json

Exit: 0 all valid, 1 one is not, 2 one cannot be read.
`
