import type { AgentGraph, GraphEdge, GraphNode } from '../../plan/agent-graph.ts'
import { columnsOf, fitColumns } from '../terminal/fit-columns.ts'
import type { Paint, Tone } from '../terminal/paint.ts'

/** Without a terminal, lines are cut only where they help no reader. */
const PIPED_WIDTH = 400
/** The least room of a text, however deep it is in the tree. */
const LEAST_ROOM = 20

/** One line of the tree, with the lines below it. */
interface Row {
  readonly lead: string
  readonly title: string
  readonly note: string
  readonly tone: Tone
  readonly rows: readonly Row[]
}

/**
 * Returns the graph as a tree. An agent that is called from several places is drawn in full at its first place.
 * @param width columns of the terminal; absent: it is not shown on one
 */
export function textGraph({ nodes, edges }: AgentGraph, paint: Paint, width = PIPED_WIDTH): string {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const below = Map.groupBy(edges, ({ from }) => from)
  const above = Map.groupBy(edges, ({ to }) => to)
  const drawn = new Set<string>()
  const rowOf = (node: GraphNode, lead: string): Row => {
    const isAgain = drawn.has(node.id)
    drawn.add(node.id)
    const facts = node.kind === 'agent' && isAgain ? ['see above'] : node.facts
    return {
      lead,
      title: node.title,
      note: facts.join(' · '),
      tone: toneOf(node),
      rows: isAgain || node.kind !== 'agent' ? [] : rowsBelow(node),
    }
  }
  const rowsBelow = ({ id }: GraphNode): readonly Row[] => {
    const starts = (above.get(id) ?? []).filter(({ kind }) => kind === 'start')
    const triggers = starts.flatMap(({ from, labels }) => {
      const trigger = byId.get(from)
      if (trigger === undefined) return []
      const row = rowOf(trigger, 'started by')
      return [{ ...row, note: [row.note, ...labels].filter((part) => part !== '').join(' · ') }]
    })
    return [...triggers, ...flattened(below.get(id) ?? []).flatMap((edge) => rowBelow(edge))]
  }
  const rowBelow = (edge: GraphEdge): readonly Row[] => {
    const node = byId.get(edge.to)
    if (node === undefined) return []
    const row = rowOf(node, leadOf(edge))
    return [edge.kind === 'call' || edge.kind === 'handoff' ? { ...row, title: `→ ${row.title}` } : row]
  }
  /** The fallbacks of a model are in a chain, and are shown one below the other. */
  const flattened = (own: readonly GraphEdge[]): readonly GraphEdge[] =>
    own.flatMap((edge) => [
      edge,
      ...(edge.kind === 'model' || edge.kind === 'fallback' ? flattened(below.get(edge.to) ?? []) : []),
    ])
  const [root] = nodes
  if (root === undefined) return ''
  const lines = linesOf(rowOf(root, ''), '', '', paint, width)
  return `${lines.join('\n')}\n`
}

function leadOf({ kind, labels }: GraphEdge): string {
  const said = labels.join('; ')
  switch (kind) {
    case 'model':
      return said === '' ? 'model' : `model ${said}`
    case 'fallback':
      return 'fallback'
    case 'tool':
    case 'memory':
      return kind
    case 'call':
    case 'handoff':
      return said
    case 'start':
      return said
  }
}

function toneOf({ kind, effect, asks }: GraphNode): Tone {
  if (kind === 'agent') return 'strong'
  if (kind === 'missing') return 'bad'
  return effect === 'write' ? (asks === true ? 'accent' : 'warn') : 'plain'
}

function linesOf(row: Row, first: string, rest: string, paint: Paint, width: number): readonly string[] {
  const room = Math.max(LEAST_ROOM, width - columnsOf(first))
  const last = row.rows.length - 1
  return [
    `${paint('faint', first)}${lineOf(row, room, paint)}`,
    ...row.rows.flatMap((child, index) =>
      linesOf(
        child,
        `${rest}${index === last ? '└─ ' : '├─ '}`,
        `${rest}${index === last ? '   ' : '│  '}`,
        paint,
        width,
      ),
    ),
  ]
}

/** The title is kept before the lead, and the lead before the note, if there is not enough room. */
function lineOf({ lead, title, note, tone }: Row, room: number, paint: Paint): string {
  const name = fitColumns(title, room)
  const before = fitColumns(lead, Math.max(0, room - columnsOf(name) - 1))
  const used = columnsOf(name) + (before === '' ? 0 : columnsOf(before) + 1)
  const left = room - used - 2
  const after = note === '' || left < 2 ? '' : fitColumns(note, left)
  return [
    before === '' ? '' : `${paint('faint', before)} `,
    paint(tone, name),
    after === '' ? '' : `  ${paint('faint', after)}`,
  ].join('')
}
