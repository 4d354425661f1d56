import type { Box, Line, Point } from './svg-layout.ts'

/** The side of a box that an edge leaves or enters. */
interface Port {
  readonly line: Line
  readonly isEnd: boolean
  readonly box: Box
  readonly right: boolean
  /** Where the edge goes from there: ports are in this order, so that edges do not cross at the box. */
  readonly towards: number
}

/**
 * Returns the path of each edge. An edge is straight where it passes a column of boxes or labels, in the gap that the
 * layout keeps free for it, and a curve between two columns. So no edge crosses a box.
 */
export function svgRoutes(boxes: readonly Box[], lines: readonly Line[]): ReadonlyMap<Line, string> {
  const byId = new Map(boxes.map((box) => [box.node.id, box]))
  const widths = columnWidths(boxes, lines)
  const ports = lines.flatMap((line) => portsOf(line, byId))
  const places = new Map<Line, { start?: Point; end?: Point }>()
  for (const group of Map.groupBy(ports, ({ box, right }) => `${box.node.id} ${right}`).values()) {
    const sorted = group.toSorted((a, b) => a.towards - b.towards)
    for (const [index, { line, isEnd, box, right }] of sorted.entries()) {
      const x = box.x + (right ? box.width / 2 : -box.width / 2)
      const y = box.y + ((index + 1) / (sorted.length + 1) - 0.5) * box.height
      places.set(line, { ...places.get(line), [isEnd ? 'end' : 'start']: { x, y } })
    }
  }
  return new Map(
    lines.map((line) => {
      const { start, end } = places.get(line) ?? {}
      const [box, target] = [byId.get(line.edge.from), byId.get(line.edge.to)]
      if (box === undefined || target === undefined) return [line, '']
      if (box === target || start === undefined || end === undefined) return [line, loopPath(line, box)]
      return [line, columnPath(line, { start, end, from: box.x, to: target.x }, widths)]
    }),
  )
}

/** Returns half the width of each column, by the middle of the column. */
function columnWidths(boxes: readonly Box[], lines: readonly Line[]): ReadonlyMap<number, number> {
  const widths = new Map<number, number>()
  const widen = (x: number, width: number) =>
    widths.set(Math.round(x), Math.max(widths.get(Math.round(x)) ?? 0, width / 2))
  for (const { x, width } of boxes) widen(x, width)
  for (const { label } of lines) if (label !== undefined) widen(label.x, label.width)
  return widths
}

function portsOf(line: Line, byId: ReadonlyMap<string, Box>): readonly Port[] {
  const [source, target] = [byId.get(line.edge.from), byId.get(line.edge.to)]
  if (source === undefined || target === undefined || source === target) return []
  const forwards = target.x > source.x
  const inner = line.points.slice(1, -1)
  return [
    { line, isEnd: false, box: source, right: forwards, towards: (inner[0] ?? target).y },
    { line, isEnd: true, box: target, right: !forwards, towards: (inner.at(-1) ?? source).y },
  ]
}

interface Ends {
  readonly start: Point
  readonly end: Point
  /** The middles of the columns of both boxes. */
  readonly from: number
  readonly to: number
}

function columnPath(
  { points }: Line,
  { start, end, from, to }: Ends,
  widths: ReadonlyMap<number, number>,
): string {
  const direction = end.x > start.x ? 1 : -1
  const edgeOf = (x: number, side: 1 | -1) => x + side * direction * (widths.get(Math.round(x)) ?? 0)
  let path = `M${spot(start)}`
  let at: Point = { x: edgeOf(from, 1), y: start.y }
  path += `L${spot(at)}`
  const stops = [...points.slice(1, -1), { x: to, y: end.y }]
  for (const stop of stops) {
    const enter = { x: edgeOf(stop.x, -1), y: stop.y }
    const middle = (at.x + enter.x) / 2
    path += `C${spot({ x: middle, y: at.y })} ${spot({ x: middle, y: enter.y })} ${spot(enter)}`
    at = stop.x === to ? end : { x: edgeOf(stop.x, 1), y: stop.y }
    path += `L${spot(at)}`
  }
  return path
}

/** The radius of the corners of a loop, and the height of a loop without a label, in pixels. */
const CORNER = 8
const LOOP_HEIGHT = 20

/** Returns the path of an edge from a box to itself: below the box, through the middle of its label. */
function loopPath({ label }: Line, { x, y, width, height }: Box): string {
  const bottom = y + height / 2
  const low = label?.y ?? bottom + LOOP_HEIGHT
  const side = Math.max(width, (label?.width ?? 0) + 30) / 2 - 4
  const [right, left] = [x + width / 2 - CORNER, x - width / 2 + CORNER]
  return [
    `M${spot({ x: right, y: bottom })}`,
    `C${spot({ x: x + side, y: low })} ${spot({ x: x + side, y: low })} ${spot({ x: x + side - CORNER, y: low })}`,
    `L${spot({ x: x - side + CORNER, y: low })}`,
    `C${spot({ x: x - side, y: low })} ${spot({ x: left, y: low })} ${spot({ x: left, y: bottom })}`,
  ].join('')
}

function spot({ x, y }: Point): string {
  return `${rounded(x)} ${rounded(y)}`
}

/** To a tenth of a pixel, so that the file is short. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
