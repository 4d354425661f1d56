import { Command } from 'commander'
import type { Io } from '../io.ts'
import { addPlaceOptions } from '../options/place-options.ts'
import { formatOption, jsonOption, outputOption, positiveInteger } from '../options/run-options.ts'

type Exit = (code: number) => void

export function stateCommand(io: Io, exit: Exit): Command {
  return new Command('state')
    .description('export, show, verify and compare the states of runs (Agent State)')
    .addCommand(exportCommand(io))
    .addCommand(inspectCommand(io))
    .addCommand(verifyCommand(io, exit))
    .addCommand(diffCommand(io, exit))
    .addHelpText('after', EXAMPLES)
}

function exportCommand(io: Io): Command {
  return addPlaceOptions(new Command('export'))
    .description('write the state of a run, with the states of its sub-agents')
    .argument('<run>', 'id of the run, its unique beginning or ending, or "last"')
    .addOption(outputOption())
    .addOption(jsonOption())
    .option(
      '--at <event>',
      'the state after this event of the run (default: after the last one)',
      positiveInteger,
    )
    .option(
      '--encrypt-to <key>',
      'encrypt it for the holder of this key: the name of a trusted key, or a file with a public key',
    )
    .option(
      '--to <peer>',
      'hand the run over to a platform that is not Waybill: it is frozen here, and the state has a migration token',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill state export last -o state.json\n  $ waybill state export 0198c0de-7a11 --at 12\n  $ waybill state export last --encrypt-to partner -o state.jwe\n  $ waybill state export last --to LangGraph -o state.json     then: waybill migrate last --confirm, or --take-back\n',
    )
    .action(async (run, options) => (await import('./export-state.ts')).exportState(run, options, io))
}

function inspectCommand(io: Io): Command {
  return new Command('inspect')
    .description('show what a state contains')
    .argument('<file>', 'the state (- for standard input)')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', '\nExamples:\n  $ waybill state inspect state.json\n')
    .action(async (file, options) => (await import('./inspect-state.ts')).inspectState(file, options, io))
}

function verifyCommand(io: Io, exit: Exit): Command {
  return new Command('verify')
    .description('check that a state is valid, and unchanged since its capture')
    .argument('<file>', 'the state (- for standard input)')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill state verify state.json\n\nExit: 0 if the state is valid and matches its checksum, 1 otherwise.\n',
    )
    .action(async (file, options) =>
      exit(await (await import('./verify-state.ts')).verifyState(file, options, io)),
    )
}

function diffCommand(io: Io, exit: Exit): Command {
  return new Command('diff')
    .description('compare two states')
    .argument('<before>', 'a state (- for standard input)')
    .argument('<after>', 'another state')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill state diff before.json after.json\n\nExit: 0 if they are equal apart from their ids and times, 1 otherwise.\n',
    )
    .action(async (before, after, options) =>
      exit(await (await import('./diff-states.ts')).diffStates(before, after, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill state export last -o state.json
  $ waybill state inspect state.json
  $ waybill state verify state.json
  $ waybill resume state.json --agent agent.yaml
`
