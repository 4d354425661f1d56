import { Command } from 'commander'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'
import type { SignOptions } from './sign-file.ts'

export function signCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('sign')
    .description('sign a document, inside the document or in a separate file')
    .argument('<file>', 'the document (- for standard input)')
    .option('--key <name>', 'one of your keys (default: your only key)')
    .option('-o, --output <file>', 'write to this file')
    .option('--in-place', 'write the signature into the file itself')
    .option('--detached', 'write a separate signature file, FILE.jws; works for every kind of document')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: SignOptions) =>
      (await import('./sign-file.ts')).signFile(file, options, io),
    )
}

const EXAMPLES = `
Examples:
  $ waybill sign agent.yaml --key alice --in-place
  $ waybill sign agent.json --key alice -o agent.signed.json
  $ waybill sign agent-card.json --key alice --detached     writes agent-card.json.jws
`
