import { Command } from 'commander'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'
import type { ConformanceOptions } from './test-corpus.ts'

export function conformanceCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('conformance')
    .description('test a corpus of documents, and print a conformance report')
    .addCommand(testCommand(io, exit))
    .addCommand(reportCommand(io, exit))
    .addHelpText('after', EXAMPLES)
}

function testCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('test')
    .description('check that documents in folders named "valid" are accepted, and those in "invalid" refused')
    .argument('<dir>', 'the folder of the corpus; it may contain several kinds of documents')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', TEST_EXAMPLES)
    .action(async (dir: string, options: ConformanceOptions) =>
      exit(await (await import('./test-corpus.ts')).testCorpus(dir, options, io)),
    )
}

function reportCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('report')
    .description('run a corpus, and print a conformance report of what it proves')
    .argument('[dir]', 'the folder of the corpus (default: the corpus of Waybill)')
    .option('-o, --output <file>', 'write to this file')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', REPORT_EXAMPLES)
    .action(async (dir: string | undefined, options: ConformanceOptions) =>
      exit(await (await import('./write-report.ts')).writeReport(dir, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill conformance test tests/conformance      test a corpus
  $ waybill conformance report                      report what the corpus of Waybill proves
`

const TEST_EXAMPLES = `
Examples:
  $ waybill conformance test tests/conformance
  $ waybill conformance test corpus --json | jq '.failures[].file'

If the name of a file in a folder "invalid" begins with a rule id, such as AAIF-4-03-no-goal.json, the file must
violate that rule.

Exit: 0 all results as expected, 1 a result differs, 2 no corpus found.
`

const REPORT_EXAMPLES = `
Examples:
  $ waybill conformance report
  $ waybill conformance report -o aaif-conformance.json && waybill sign aaif-conformance.json --key NAME --in-place

Exit: 0 all tests passed, 1 a test failed. The report claims only levels whose tests all passed.
`
