import { Command } from 'commander'
import type { Io } from '../io.ts'
import { addPlaceOptions } from '../options/place-options.ts'
import { collect, formatOption, jsonOption, outputOption } from '../options/run-options.ts'
import type { ExportOptions } from './export-receipts.ts'
import type { VerifyOptions } from './verify-file.ts'

type Exit = (code: number) => void

export function receiptsCommand(io: Io, exit: Exit): Command {
  return new Command('receipts')
    .description('export and verify the receipts of writes: each was sent at most once, over all hosts')
    .addCommand(exportCommand(io))
    .addCommand(verifyCommand(io, exit))
    .addHelpText('after', EXAMPLES)
}

function exportCommand(io: Io): Command {
  return addPlaceOptions(new Command('export'))
    .description('export the receipts of a run and of its sub-agents as signed NDJSON')
    .argument('<run>', 'id of the run, its unique beginning or ending, or "last"')
    .addOption(outputOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExamples:\n  $ waybill receipts export last -o receipts.ndjson\n')
    .action(async (run: string, options: ExportOptions) =>
      (await import('./export-receipts.ts')).writeReceipts(run, options, io),
    )
}

function verifyCommand(io: Io, exit: Exit): Command {
  return addPlaceOptions(new Command('verify'))
    .description(
      'verify receipts offline: signatures, completeness, and that each write was sent at most once',
    )
    .argument('<file|run>', 'an exported file (- for standard input), or a run')
    .option(
      '--keys <file>',
      'keys of other hosts as a JSON Web Key Set, in addition to the trusted ones (repeatable)',
      collect,
    )
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Examples:
  $ waybill receipts verify receipts.ndjson
  $ waybill receipts verify receipts.ndjson --keys acme-keys.json --keys partner-keys.json
  $ waybill receipts verify last --json

Exit: 0 if each write was sent at most once, apart from those that a person has sent again; 1 otherwise.
`,
    )
    .action(async (wanted: string, options: VerifyOptions) =>
      exit(await (await import('./verify-file.ts')).verifyFile(wanted, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill receipts export last -o receipts.ndjson
  $ waybill receipts verify receipts.ndjson
`
