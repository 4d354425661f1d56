import { Command } from 'commander'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'
import type { ConformanceOptions } from './test-corpus.ts'

export function conformanceCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('conformance')
    .description('judge a corpus of documents, and report on our own')
    .addCommand(testCommand(io, exit))
    .addCommand(reportCommand(io, exit))
    .addHelpText('after', EXAMPLES)
}

function testCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('test')
    .description('judge every document in folders named valid and invalid')
    .argument('<dir>', 'the corpus, of one kind of document or of many')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', TEST_EXAMPLES)
    .action(async (dir: string, options: ConformanceOptions) =>
      exit(await (await import('./test-corpus.ts')).testCorpus(dir, options, io)),
    )
}

function reportCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('report')
    .description('run our own corpus, and print what it proves as a conformance report')
    .argument('[dir]', 'the corpus (default: the one that comes with Waybill)')
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
  $ waybill conformance test tests/conformance      does every document get the verdict that it should?
  $ waybill conformance report                      what does our own corpus prove?
`

const TEST_EXAMPLES = `
Examples:
  $ waybill conformance test tests/conformance
  $ waybill conformance test corpus --json | jq '.failures[].file'

A file in a folder "invalid" whose name begins with a rule, such as AAIF-4-03-no-goal.json, must break that rule.

Exit: 0 all as expected, 1 one is not, 2 there is no corpus.
`

const REPORT_EXAMPLES = `
Examples:
  $ waybill conformance report
  $ waybill conformance report -o aaif-conformance.json && waybill sign aaif-conformance.json --key NAME --in-place

Exit: 0 the corpus passed, 1 it did not; what failed is not claimed.
`
