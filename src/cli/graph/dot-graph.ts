import type { AgentGraph, GraphEdge, GraphNode } from '../../plan/agent-graph.ts'
import { plainLine } from '../terminal/plain-text.ts'

const SHAPES: Readonly<Record<GraphNode['kind'], string>> = {
  agent: 'shape=box style="rounded,bold"',
  missing: 'shape=box style="rounded,dashed"',
  model: 'shape=ellipse',
  tool: 'shape=component',
  memory: 'shape=cylinder',
  trigger: 'shape=cds',
}

/** In characters. */
const LONGEST_LABEL = 200

/** Returns the graph in the DOT language of Graphviz. */
export function dotGraph({ nodes, edges }: AgentGraph): string {
  return [
    'digraph agent {',
    '  graph [rankdir=LR]',
    '  node [fontname="Helvetica,Arial,sans-serif" fontsize=11 margin="0.15,0.08"]',
    '  edge [fontname="Helvetica,Arial,sans-serif" fontsize=10]',
    ...nodes.map(nodeLine),
    ...edges.map(edgeLine),
    '}',
    '',
  ].join('\n')
}

function nodeLine({ id, kind, title, facts, effect }: GraphNode): string {
  const bold = effect === 'write' ? ' penwidth=2' : ''
  return `  ${id} [label=${quoted([title, facts.join(' · ')].filter((line) => line !== ''))} ${SHAPES[kind]}${bold}]`
}

function edgeLine({ from, to, labels, seldom }: GraphEdge): string {
  const parts = [
    ...(labels.length === 0 ? [] : [`label=${quoted(labels)}`]),
    ...(seldom === true ? ['style=dashed'] : []),
  ]
  return `  ${from} -> ${to}${parts.length === 0 ? '' : ` [${parts.join(' ')}]`}`
}

/** Graphviz reads backslashes and entities in quoted labels. */
function quoted(lines: readonly string[]): string {
  const text = lines.map((line) =>
    plainLine(line, LONGEST_LABEL).replaceAll('&', '&amp;').replaceAll('\\', '\\\\').replaceAll('"', '\\"'),
  )
  return `"${text.join('\\n')}"`
}
