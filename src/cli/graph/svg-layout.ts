import { Graph, layout } from '@dagrejs/dagre'
import type { AgentGraph, GraphEdge, GraphNode } from '../../plan/agent-graph.ts'
import { plainLine } from '../terminal/plain-text.ts'
import { textWidth } from './text-width.ts'

export const TITLE_SIZE = 13
export const FACT_SIZE = 11
export const LINE_HEIGHT = 16
export const PADDING = 12
/** The height of the line that names the kind of a node. */
export const KIND_HEIGHT = 14

/** In characters. */
const LONGEST_TITLE = 44
const FACT_LINE = 40
const MOST_FACT_LINES = 7
const LABEL_LINE = 34
const MOST_LABEL_LINES = 4

export interface Box {
  readonly node: GraphNode
  readonly title: string
  readonly facts: readonly string[]
  /** The centre, in pixels. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Line {
  readonly edge: GraphEdge
  readonly points: readonly Point[]
  readonly label?: Point & {
    readonly lines: readonly string[]
    readonly width: number
    readonly height: number
  }
}

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Layout {
  readonly width: number
  readonly height: number
  readonly boxes: readonly Box[]
  readonly lines: readonly Line[]
}

/** Places the nodes of a graph in layers from left to right, and the labels between them. */
export function svgLayout({ nodes, edges }: AgentGraph): Layout {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: 18, edgesep: 16, ranksep: 90, marginx: 20, marginy: 20 })
  const boxes = nodes.map(sized)
  const labels = edges.map(labelOf)
  for (const { node, width, height } of boxes) graph.setNode(node.id, { width, height })
  for (const [index, { from, to }] of edges.entries()) {
    const label = labels[index]
    const room =
      label === undefined ? {} : { width: label.width + 16, height: label.height + 4, labelpos: 'c' as const }
    graph.setEdge(from, to, room, String(index))
  }
  // The declared order has no crossings in a tree; elsewhere the library looks for an order with few.
  const targets = edges.map(({ to }) => to)
  layout(graph, { disableOptimalOrderHeuristic: new Set(targets).size === targets.length })
  const { width = 0, height = 0 } = graph.graph()
  return {
    width,
    height,
    boxes: boxes.map((box) => {
      const { x = 0, y = 0 } = graph.node(box.node.id)
      return { ...box, x, y }
    }),
    lines: edges.map((edge, index) => {
      const { points = [], x = 0, y = 0 } = graph.edge(edge.from, edge.to, String(index))
      const label = labels[index]
      return { edge, points, ...(label !== undefined && { label: { ...label, x, y } }) }
    }),
  }
}

function sized(node: GraphNode): Omit<Box, 'x' | 'y'> {
  const title = plainLine(node.title, LONGEST_TITLE)
  const facts = limited(factLines(node.facts), MOST_FACT_LINES)
  const widths = [textWidth(title, TITLE_SIZE, true), ...facts.map((fact) => textWidth(fact, FACT_SIZE))]
  return {
    node,
    title,
    facts,
    width: Math.ceil(Math.max(90, ...widths) + 2 * PADDING),
    height: KIND_HEIGHT + LINE_HEIGHT * (1 + facts.length) + PADDING,
  }
}

function labelOf({ labels }: GraphEdge) {
  const lines = labels.flatMap((label) => wrapped(plainLine(label, 160), LABEL_LINE))
  if (lines.length === 0) return undefined
  const shown = limited(lines, MOST_LABEL_LINES)
  return {
    lines: shown,
    width: Math.ceil(Math.max(...shown.map((line) => textWidth(line, FACT_SIZE)))),
    height: shown.length * LINE_HEIGHT,
  }
}

/** Returns short facts side by side, and breaks long ones. */
function factLines(facts: readonly string[]): readonly string[] {
  const lines: string[] = []
  for (const fact of facts.map((one) => plainLine(one, 160))) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + fact.length + 3 <= FACT_LINE)
      lines[lines.length - 1] = `${last} · ${fact}`
    else lines.push(...wrapped(fact, FACT_LINE))
  }
  return lines
}

function limited(lines: readonly string[], most: number): readonly string[] {
  const rest = lines.length - most
  return rest > 0 ? [...lines.slice(0, most - 1), `… and ${rest + 1} more lines`] : lines
}

/** Breaks a text at spaces, into lines of at most `length` characters. */
function wrapped(text: string, length: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').map((one) => plainLine(one, length))) {
    if (line !== '' && line.length + 1 + word.length > length) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}
