import { Command } from 'commander'
import type { Io } from '../io.ts'
import { addPlaceOptions } from '../options/place-options.ts'
import { type FormatOptions, formatOption, jsonOption, outputOption } from '../options/run-options.ts'
import type { ExportOptions } from './export-log.ts'
import type { ShowOptions } from './show-log.ts'
import type { VerifyOptions } from './verify-log.ts'

export function auditCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('audit')
    .description('show, export and verify the audit log, and rotate its key')
    .addHelpText('after', EXAMPLES)
    .addCommand(verifyCommand(io, exit))
    .addCommand(showCommand(io))
    .addCommand(exportCommand(io))
    .addCommand(rotateCommand(io))
}

function verifyCommand(io: Io, exit: (code: number) => void): Command {
  return addPlaceOptions(new Command('verify'))
    .description('detect changed, inserted, deleted and reordered entries, and a truncated log')
    .argument('[file]', 'an exported log (default: the log of this home)')
    .option('--expect <hash>', 'the hash of the last entry, which you stored in another place')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill audit verify\n  $ waybill audit verify exported.ndjson --json\n',
    )
    .action(async (file: string | undefined, options: VerifyOptions) =>
      exit(await (await import('./verify-log.ts')).verifyLog(file, options, io)),
    )
}

function showCommand(io: Io): Command {
  return addPlaceOptions(new Command('show'))
    .description('print the entries, one per line')
    .option('--run <id>', 'only the entries of this run')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill audit show --run 0198c0de\n  $ waybill audit show --json > audit.json\n',
    )
    .action(async (options: ShowOptions) => (await import('./show-log.ts')).showLog(options, io))
}

function exportCommand(io: Io): Command {
  return addPlaceOptions(new Command('export'))
    .description('write the whole log as NDJSON; the last line is a signed head')
    .addOption(outputOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill audit export -o audit.ndjson\n  $ waybill audit verify audit.ndjson\n',
    )
    .action(async (options: ExportOptions) => (await import('./export-log.ts')).exportLog(options, io))
}

function rotateCommand(io: Io): Command {
  return new Command('rotate')
    .description('announce a new signing key in the log; it signs every later entry')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Keep the files of the old key: with them the older entries are verified. If the old key was revoked, it cannot announce
another one.

Examples:
  $ waybill audit rotate
  $ waybill keys list
`,
    )
    .action(async (options: FormatOptions) => (await import('./rotate-key.ts')).rotateKey(options, io))
}

const EXAMPLES = `
Examples:
  $ waybill audit verify
  $ waybill audit show --run 0198c0de

Store the last hash in another place from time to time. A user with write access to this home could replace the
whole log with an older copy, and only that hash (--expect) detects it.
`
