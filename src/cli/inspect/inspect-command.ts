import { Command, Option } from 'commander'
import { KINDS } from '../../spec/kinds.ts'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'
import type { InspectOptions } from './inspect-file.ts'

export function inspectCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('inspect')
    .description('show what a document is, what it needs, and what it can be trusted with')
    .argument('<file>', 'a document of any kind (- for standard input)')
    .addOption(new Option('--kind <kind>', 'what it is (default: told by its shape)').choices(KINDS))
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: InspectOptions) =>
      exit(await (await import('./inspect-file.ts')).inspectFile(file, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill inspect agent.yaml                      levels of conformance, secrets, endpoints, risks
  $ waybill inspect state.json                      where a run was, without its contents
  $ waybill inspect agent.yaml --json | jq -r .highest

Exit: 0 it is valid, 1 it is not (what can be told is told), 2 it cannot be read.
`
