import { Command, Option } from 'commander'
import { STATUSES } from '../../session/run-status.ts'
import type { Io } from '../io.ts'
import { addPlaceOptions } from '../options/place-options.ts'
import {
  formatOption,
  jsonOption,
  outputOption,
  positiveInteger,
  traceOption,
} from '../options/run-options.ts'

type Exit = (code: number) => void

export function runsCommand(io: Io, exit: Exit): Command {
  return new Command('runs')
    .description('list, show, watch, compare, export, import and remove recorded runs')
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(eventsCommand(io))
    .addCommand(watchCommand(io, exit))
    .addCommand(diffCommand(io, exit))
    .addCommand(exportCommand(io))
    .addCommand(importCommand(io))
    .addCommand(removeCommand(io, exit))
    .addHelpText('after', EXAMPLES)
}

function listCommand(io: Io): Command {
  return addPlaceOptions(new Command('list'))
    .description('list the runs, newest first')
    .addOption(new Option('--status <status>', 'only runs with this status').choices(STATUSES))
    .option('--limit <n>', 'maximum number of runs', positiveInteger, 20)
    .option('--all', 'include the runs of sub-agents')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill runs list --status awaiting_approval\n  $ waybill runs list --limit 5 --all --json\n',
    )
    .action(async (options) => (await import('./list-runs.ts')).showRunList(options, io))
}

function showCommand(io: Io): Command {
  return addPlaceOptions(new Command('show'))
    .description('show a run: messages, calls, decisions and usage')
    .argument('<run>', 'id of the run, its unique beginning or ending, or "last"')
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
  return addPlaceOptions(new Command('events'))
    .description('print the recorded events of a run, one JSON object per line')
    .argument('<run>', 'id of the run, its unique beginning or ending, or "last"')
    .option('--follow', 'print new events until the run stops')
    .addOption(new Option('--json', 'print one JSON array').conflicts('follow'))
    .addOption(formatOption().conflicts('follow'))
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill runs events 0198c0de-7a11 | jq \'select(.type == "person.decided")\'\n  $ waybill runs events 0198c0de-7a11 --follow\n',
    )
    .action(async (run, options) => (await import('./print-events.ts')).printEvents(run, options, io))
}

function watchCommand(io: Io, exit: Exit): Command {
  return addPlaceOptions(new Command('watch'))
    .description('show the steps of a run as they happen, or all active and waiting runs')
    .argument('[run]', 'id of the run, its unique beginning or ending, or "last" (default: the list)')
    .addOption(new Option('--json', 'print one JSON object for each event or change'))
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill runs watch last\n  $ waybill runs watch\n  $ waybill runs watch --json | jq .status\n\nCtrl-C ends the watching, and not the runs. With a run, the exit code is that of the run when it ends or waits.\n',
    )
    .action(async (run: string | undefined, options) =>
      exit(
        run === undefined
          ? await (await import('./watch-list.ts')).watchList(options, io)
          : await (await import('./watch-run.ts')).watchRun(run, options, io),
      ),
    )
}

function diffCommand(io: Io, exit: Exit): Command {
  return addPlaceOptions(new Command('diff'))
    .description('show where two runs did not do the same: inputs, answers, calls, decisions and ends')
    .argument('<before>', 'id of a run, its unique beginning or ending, or "last"')
    .argument('<after>', 'another run')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill runs diff 0198c0de-7a11 last\n\nExit: 0 if they did the same, 1 otherwise.\n',
    )
    .action(async (before, after, options) =>
      exit(await (await import('./diff-runs.ts')).diffRuns(before, after, options, io)),
    )
}

function exportCommand(io: Io): Command {
  return addPlaceOptions(new Command('export'))
    .description('export a run and the runs of its sub-agents as signed NDJSON, or as one HTML page')
    .argument('<run>', 'id of the run, its unique beginning or ending, or "last"')
    .addOption(outputOption())
    .addOption(jsonOption())
    .option('--html', 'write one page without scripts, for people to read')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill runs export last -o run.ndjson\n  $ waybill runs export last --html -o run.html\n',
    )
    .action(async (run, options) => (await import('./export-run.ts')).writeRun(run, options, io))
}

function importCommand(io: Io): Command {
  return new Command('import')
    .description('import an exported run; it can be shown but not resumed')
    .argument('<file>', 'a file that `waybill runs export` wrote (- for standard input)')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', '\nExamples:\n  $ waybill runs import run.ndjson\n  $ waybill runs show last\n')
    .action(async (file, options) => (await import('./import-run.ts')).importRun(file, options, io))
}

function removeCommand(io: Io, exit: Exit): Command {
  return addPlaceOptions(new Command('rm'))
    .description('remove recorded runs; active runs are kept')
    .argument('[run...]', 'ids of the runs, or their unique beginnings or endings')
    .option('--all', 'all runs')
    .option('--yes', 'do not ask for confirmation')
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
