import { Command, Option } from 'commander'
import type { Encoding } from '../../document/document.ts'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'
import type { TranscodeOptions } from './transcode-file.ts'

const ENCODINGS: readonly Encoding[] = ['json', 'yaml', 'cbor', 'msgpack']

export function transcodeCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('transcode')
    .description('convert a document to another encoding; the data does not change')
    .argument('<file>', 'the document (- for standard input)')
    .addOption(
      new Option(
        '--to <encoding>',
        'encoding of the output (default: by the extension of the output file)',
      ).choices([...ENCODINGS, 'diag']),
    )
    .addOption(
      new Option(
        '--from <encoding>',
        'encoding of the input (default: by its file extension, else detected)',
      ).choices(ENCODINGS),
    )
    .option('-o, --output <file>', 'write to this file')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: TranscodeOptions) =>
      (await import('./transcode-file.ts')).transcodeFile(file, options, io),
    )
}

const EXAMPLES = `
Examples:
  $ waybill transcode agent.yaml --to json
  $ waybill transcode agent.json -o agent.cbor              the file extension selects the encoding
  $ waybill transcode agent.cbor --to diag                  CBOR in readable form (RFC 8949, section 8)
  $ cat state.bin | waybill transcode - --from msgpack --to yaml
`
