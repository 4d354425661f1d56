import { Command, Option } from 'commander'
import { KINDS } from '../../spec/kinds.ts'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'
import type { InspectOptions } from './inspect-file.ts'

export function inspectCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('inspect')
    .description('show what a document contains, what it requires and what it may access')
    .argument('<file>', 'a document of any kind (- for standard input)')
    .addOption(new Option('--kind <kind>', 'kind of the document (default: detected)').choices(KINDS))
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: InspectOptions) =>
      exit(await (await import('./inspect-file.ts')).inspectFile(file, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill inspect agent.yaml                      conformance levels, secrets, endpoints, risks
  $ waybill inspect state.json                      the saved state of a run, without its contents
  $ waybill inspect agent.yaml --json | jq -r .highest

Exit: 0 valid, 1 invalid (the readable parts are shown), 2 unreadable.
`
