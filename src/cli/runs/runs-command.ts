import { Command, Option } from 'commander'
import { STATUSES } from '../../session/run-status.ts'
import type { Io } from '../io.ts'
import { formatOption, jsonOption, positiveInteger, traceOption } from '../options/run-options.ts'

type Exit = (code: number) => void

export function runsCommand(io: Io, exit: Exit): Command {
  return new Command('runs')
    .description('look at the runs on record')
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(eventsCommand(io))
    .addCommand(exportCommand(io))
    .addCommand(importCommand(io))
    .addCommand(removeCommand(io, exit))
    .addHelpText('after', EXAMPLES)
}

function listCommand(io: Io): Command {
  return new Command('list')
    .description('the runs, newest first')
    .addOption(new Option('--status <status>', 'only those that are').choices(STATUSES))
    .option('--limit <n>', 'how many', positiveInteger, 20)
    .option('--all', 'those of sub-agents as well')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill runs list --status awaiting_approval\n  $ waybill runs list --limit 5 --all --json\n',
    )
    .action(async (options) => (await import('./list-runs.ts')).showRunList(options, io))
}

function showCommand(io: Io): Command {
  return new Command('show')
    .description('the story of a run: what was said, called, decided and used')
    .argument('<run>', 'its id, the beginning or the end of it, or last')
    .addOption(traceOption())
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill runs show 0198c0de-7a11\n  $ waybill runs show 0198c0de-7a11 --trace\n  $ waybill runs show 0198c0de-7a11 --json\n',
    )
    .action(async (run, options) => (await import('./show-run.ts')).showRun(run, options, io))
}

function eventsCommand(io: Io): Command {
  return new Command('events')
    .description('the record of a run, one JSON object a line')
    .argument('<run>', 'its id, the beginning or the end of it, or last')
    .option('--follow', 'wait for more until the run stops')
    .addOption(new Option('--json', 'one JSON array instead').conflicts('follow'))
    .addOption(formatOption().conflicts('follow'))
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill runs events 0198c0de-7a11 | jq \'select(.type == "person.decided")\'\n  $ waybill runs events 0198c0de-7a11 --follow\n',
    )
    .action(async (run, options) => (await import('./print-events.ts')).printEvents(run, options, io))
}

function exportCommand(io: Io): Command {
  return new Command('export')
    .description('write a run, with those of its sub-agents, as NDJSON: evidence that can be read elsewhere')
    .argument('<run>', 'its id, the beginning or the end of it, or last')
    .option('-o, --output <file>', 'a file (default: standard output)')
    .addHelpText('after', '\nExamples:\n  $ waybill runs export last -o run.ndjson\n')
    .action(async (run, options) => (await import('./export-run.ts')).writeRun(run, options, io))
}

function importCommand(io: Io): Command {
  return new Command('import')
    .description('read a run that was exported elsewhere; it can be looked at, and not resumed')
    .argument('<file>', 'what `waybill runs export` wrote (- for standard input)')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', '\nExamples:\n  $ waybill runs import run.ndjson\n  $ waybill runs show last\n')
    .action(async (file, options) => (await import('./import-run.ts')).importRun(file, options, io))
}

function removeCommand(io: Io, exit: Exit): Command {
  return new Command('rm')
    .description('remove runs from the record; those under way are kept')
    .argument('[run...]', 'their ids, or the beginnings of them')
    .option('--all', 'every run')
    .option('--yes', 'do not ask')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill runs rm 0198c0de-7a11 0198c0de-7a12\n  $ waybill runs rm --all --yes\n',
    )
    .action(async (runs, options) =>
      exit(await (await import('./remove-runs.ts')).removeRuns(runs, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill runs list
  $ waybill runs show 0198c0de-7a11
  $ waybill runs events 0198c0de-7a11
  $ waybill runs rm 0198c0de-7a11
`
