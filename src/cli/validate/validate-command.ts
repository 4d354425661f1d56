import { Command, Option } from 'commander'
import { defined } from '../../document/defined.ts'
import type { Io } from '../io.ts'
import { schemaOption } from '../options/run-options.ts'
import type { ReportFormat } from './report/report.ts'
import { validate } from './validate.ts'

interface Options {
  readonly kind?: string
  readonly strict?: boolean
  readonly lenient?: boolean
  readonly maxBytes?: string
  readonly registry?: readonly string[]
  readonly schema?: readonly string[]
  readonly config?: string
  readonly format?: ReportFormat
  readonly json?: boolean
}

export function validateCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('validate')
    .description('validate documents: report each problem with its place and a fix')
    .argument('<path...>', 'files, folders or globs, or - for standard input')
    .option('--kind <kind>', 'kind of the files (default: detected for each file)')
    .option('--strict', 'treat warnings as errors')
    .option('--lenient', "report as warnings what only the example cards in AgentCard's repository use")
    .option('--max-bytes <n>', 'largest permitted file size in bytes (default: 8388608)')
    .addOption(
      new Option(
        '--registry <file>',
        'also permit the standard values of this registry (repeatable)',
      ).argParser((file: string, files: readonly string[] = []) => [...files, file]),
    )
    .addOption(schemaOption())
    .option('--config <file>', 'use the schemas of this configuration instead of the one in ~/.waybill')
    .addOption(new Option('--format <form>', 'output format').choices(['pretty', 'json', 'sarif', 'github']))
    .option('--json', 'the same as --format json')
    .addHelpText('after', EXAMPLES)
    .action(
      async (
        paths: readonly string[],
        { kind, strict, lenient, maxBytes, registry, schema, config, format, json }: Options,
      ) => {
        const { exit: code } = await validate(
          paths,
          {
            ...defined({ kind, strict, lenient }),
            ...(maxBytes !== undefined && { maxBytes: Number(maxBytes) }),
            ...defined({ registries: registry, schemas: schema, config }),
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
  $ waybill validate agents/ --strict                  all documents below a folder
  $ waybill validate 'agents/**/*.json' --format github   annotations in a pull request
  $ cat agent.json | waybill validate - --json

Exit: 0 all files valid, 1 a file is invalid, 2 a file cannot be read.
`
