import type { AgentGraph, GraphEdge, GraphNode } from '../../plan/agent-graph.ts'
import { plainLine } from '../terminal/plain-text.ts'

/** How a node is written around its label, by its kind. */
const SHAPES: Readonly<Record<GraphNode['kind'], readonly [open: string, close: string]>> = {
  agent: ['[', ']'],
  missing: ['[', ']'],
  model: ['([', '])'],
  tool: ['[[', ']]'],
  memory: ['[(', ')]'],
  trigger: ['>', ']'],
}

/** In characters. */
const LONGEST_LABEL = 200

/** Returns the graph as a flowchart in Mermaid, for Markdown pages. */
export function mermaidGraph({ nodes, edges }: AgentGraph): string {
  const classes = new Map<string, string[]>()
  for (const node of nodes) {
    const name = classOf(node)
    classes.set(name, [...(classes.get(name) ?? []), node.id])
  }
  return [
    'flowchart LR',
    ...nodes.map(nodeLine),
    ...edges.map(edgeLine),
    ...[...classes].map(([name, ids]) => `  class ${ids.join(',')} ${name}`),
    '  classDef agent stroke-width:3px',
    '  classDef write stroke-width:2px',
    '  classDef missing stroke-dasharray:5 4',
    '',
  ].join('\n')
}

function nodeLine({ id, kind, title, facts }: GraphNode): string {
  const [open, close] = SHAPES[kind]
  return `  ${id}${open}"${[title, facts.join(' · ')]
    .filter((part) => part !== '')
    .map(escaped)
    .join('<br/>')}"${close}`
}

function edgeLine({ from, to, labels, seldom }: GraphEdge): string {
  const line = seldom === true ? '-.->' : '-->'
  const label = labels.length === 0 ? '' : `|"${labels.map(escaped).join('<br/>')}"|`
  return `  ${from} ${line}${label} ${to}`
}

function classOf({ kind, effect }: GraphNode): string {
  return effect === 'write' ? 'write' : kind
}

/**
 * Returns a text for a quoted label. Mermaid searches its whole text for directives (`%%{`), styles, entities and
 * Markdown, also inside labels, so every character but letters, digits and a few marks is written as its code.
 */
function escaped(text: string): string {
  return plainLine(text, LONGEST_LABEL).replaceAll(
    /[^\p{L}\p{M}\p{N} .,_/·→-]|[\ufb02°¶ß]/gu,
    (character) => `#${character.codePointAt(0)};`,
  )
}
