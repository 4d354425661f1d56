import { Command, Option } from 'commander'
import type { Io } from '../io.ts'
import { jsonOption, schemaOption } from '../options/run-options.ts'
import { GRAPH_FORMATS } from './graph-formats.ts'

export function graphCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('graph')
    .description('draw an agent: its models, tools, memory and sub-agents, and how they work together')
    .argument('<file>', 'the definition (- for standard input)')
    .addOption(
      new Option(
        '--format <form>',
        'output format (default: by the name of the output file, else text)',
      ).choices(Object.keys(GRAPH_FORMATS)),
    )
    .addOption(jsonOption())
    .option('-o, --output <file>', 'write to this file (default: standard output)')
    .option('--agents <dir>', 'folder of the sub-agents (default: the folder of the definition)')
    .option('--tools <file>', 'module that exports the functions of function tools: which of them only read')
    .addOption(schemaOption())
    .option('--config <file>', 'use this configuration instead of the one in ~/.waybill')
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) =>
      exit(await (await import('./draw-graph.ts')).drawGraph(file, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill graph agent.yaml                              a tree for the terminal
  $ waybill graph agent.yaml -o agent.svg                 a picture, for light and dark pages
  $ waybill graph agent.yaml --format mermaid             for Markdown pages
  $ waybill graph agent.yaml --format dot | dot -Tpdf -o agent.pdf
  $ waybill graph agent.yaml --json | jq '.nodes[] | select(.effect == "write")'

Exit: 0 drawn, also if a sub-agent was not found; 1 the definition is invalid; 2 the command or a file is wrong.
`
