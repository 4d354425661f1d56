import { dirname, resolve } from 'node:path'
import { defined } from '../../document/defined.ts'
import type { AgentGraph } from '../../plan/agent-graph.ts'
import { graphOfFamily } from '../../plan/graph-of-family.ts'
import { writeWhole } from '../files/write-result.ts'
import { withHome } from '../home.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import type { RunOptions } from '../options/run-options.ts'
import { setUpRun } from '../run-session/run-setup.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { formatOfFile, type GraphFormat } from './graph-formats.ts'

interface Options extends Pick<RunOptions, 'agents' | 'tools' | 'schema' | 'config' | 'json'> {
  readonly format?: GraphFormat
  readonly output?: string
}

/**
 * Draws the topology of an agent (`waybill graph`). The definition is planned as for a rehearsal: that needs no key and
 * no network, and finds sub-agents as `waybill plan --rehearse` does.
 */
export async function drawGraph(file: string, options: Options, io: Io): Promise<ExitCode> {
  const { output } = options
  const named = output === undefined ? undefined : formatOfFile(output)
  const format = options.json === true ? 'json' : (options.format ?? named ?? 'text')
  const graph = await graphOf(file, options, io)
  const text = await drawn(graph, format, output === undefined, io)
  if (output === undefined) io.out(text)
  else {
    writeWhole(output, text, io)
    io.err(`the graph is in ${plainLine(output, 200)}\n`)
  }
  return EXIT.ok
}

async function graphOf(file: string, options: Options, io: Io): Promise<AgentGraph> {
  const { agents, tools, schema, config } = options
  const settings = { rehearse: true, ...defined({ agents, tools, schema, config }) }
  const family = await withHome(
    io,
    async (home, env) => (await setUpRun(file, { options: settings, io, home, env })).family,
  )
  const folder = resolve(io.cwd, agents ?? dirname(file))
  return withoutFolder(graphOfFamily(family), folder)
}

/** The reasons for missing agents name the folder: the same files give the same picture on each machine. */
function withoutFolder({ nodes, edges }: AgentGraph, folder: string): AgentGraph {
  const named = (fact: string) => fact.replaceAll(folder, 'the folder of the agents')
  const relative = nodes.map((node) =>
    node.kind === 'missing' ? { ...node, facts: node.facts.map(named) } : node,
  )
  return { nodes: relative, edges }
}

async function drawn(graph: AgentGraph, format: GraphFormat, isShown: boolean, io: Io): Promise<string> {
  switch (format) {
    case 'json':
      return `${jsonText(graph, 2)}\n`
    case 'mermaid':
      return (await import('./mermaid-graph.ts')).mermaidGraph(graph)
    case 'dot':
      return (await import('./dot-graph.ts')).dotGraph(graph)
    case 'svg':
      return (await import('./svg-graph.ts')).svgGraph(graph)
    case 'text': {
      const onTerminal = isShown && io.outIsTty
      const width = onTerminal ? (io.columns ?? 80) : undefined
      return (await import('./text-graph.ts')).textGraph(graph, painter(onTerminal && io.color), width)
    }
  }
}
