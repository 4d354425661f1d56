import { Command } from 'commander'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'
import type { VerifyOptions } from './verify-file.ts'

export function verifyCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('verify')
    .description('verify the signature of a document')
    .argument('<file>', 'the document (- for standard input)')
    .option('--jws <file>', 'detached signature (default: FILE.jws, if the document has no signature inside)')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: VerifyOptions) =>
      exit(await (await import('./verify-file.ts')).verifyFile(file, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill verify agent.yaml
  $ waybill verify agent-card.json                          looks for agent-card.json.jws
  $ waybill verify task.json --jws signatures/task.jws --json

Exit: 0 if the signature is valid and its key is trusted, 1 otherwise.
`
