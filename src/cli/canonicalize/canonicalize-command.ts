import { Command, Option } from 'commander'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'
import type { CanonicalizeOptions } from './canonicalize-file.ts'

export function canonicalizeCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('canonicalize')
    .description('print the canonical form (RFC 8785) that is hashed and signed')
    .argument('<file>', 'the document (- for standard input)')
    .addOption(
      new Option(
        '--from <encoding>',
        'encoding of the input (default: by its file extension, else detected)',
      ).choices(['json', 'yaml', 'cbor', 'msgpack']),
    )
    .option('-o, --output <file>', 'write to this file')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: CanonicalizeOptions) =>
      (await import('./canonicalize-file.ts')).canonicalizeFile(file, options, io),
    )
}

const EXAMPLES = `
Examples:
  $ waybill canonicalize agent.yaml
  $ waybill canonicalize agent.json | sha256sum             the same for each encoding and member order
`
