import { escapeMarkup } from '../../document/escape-markup.ts'
import type { AgentGraph, GraphNode } from '../../plan/agent-graph.ts'
import { plainLine } from '../terminal/plain-text.ts'
import {
  type Box,
  FACT_SIZE,
  KIND_HEIGHT,
  LINE_HEIGHT,
  type Line,
  PADDING,
  svgLayout,
  TITLE_SIZE,
} from './svg-layout.ts'
import { rounded, svgRoutes } from './svg-routes.ts'

/**
 * Returns the graph as an SVG picture in one piece: without script, links and fonts, with its own background and with
 * colours for light and for dark pages. The same graph gives the same bytes.
 */
export function svgGraph(graph: AgentGraph): string {
  const { width, height, boxes, lines } = svgLayout(graph)
  const routes = svgRoutes(boxes, lines)
  const size = { width: Math.ceil(width), height: Math.ceil(height) }
  const name = `Graph of the agent ${plainLine(graph.nodes[0]?.title ?? '', 100)}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" role="img">`,
    `<title>${escapeMarkup(name)}</title>`,
    `<style>${STYLE}</style>`,
    MARKERS,
    `<rect class="page" width="100%" height="100%"/>`,
    ...lines.map((line) => lineElement(line, routes.get(line) ?? '')),
    ...lines.map(labelElement),
    ...boxes.map(boxElement),
    '</svg>',
    '',
  ].join('\n')
}

const LIGHT = {
  page: '#ffffff',
  text: '#1c2430',
  faint: '#5b6675',
  line: '#7a8696',
  agent: '#2f5fd0',
  model: '#7a48c9',
  tool: '#2d7d46',
  write: '#b45f06',
  memory: '#0f7f8c',
  trigger: '#8a6d00',
  missing: '#c0362c',
  card: '#f7f9fc',
}
const DARK: typeof LIGHT = {
  page: '#14181f',
  text: '#e8edf4',
  faint: '#a3afbf',
  line: '#8190a3',
  agent: '#86a8ff',
  model: '#c09bff',
  tool: '#7fd09a',
  write: '#f0aa5a',
  memory: '#6fd0db',
  trigger: '#e0c35a',
  missing: '#ff8a80',
  card: '#1d232d',
}

function coloursOf(colours: typeof LIGHT): string {
  const strokes = (['agent', 'model', 'tool', 'write', 'memory', 'trigger', 'missing'] as const).map(
    (kind) => `.${kind} rect{stroke:${colours[kind]}}.${kind} .kind{fill:${colours[kind]}}`,
  )
  return [
    `.page,.label rect{fill:${colours.page}}`,
    `text{fill:${colours.text}}`,
    `.fact,.label text{fill:${colours.faint}}`,
    `.edge{stroke:${colours.line}}`,
    `marker path{fill:${colours.line}}`,
    `.node rect{fill:${colours.card}}`,
    ...strokes,
  ].join('')
}

const STYLE = [
  'text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;direction:ltr;unicode-bidi:isolate;white-space:pre}',
  `.title{font-size:${TITLE_SIZE}px;font-weight:600}`,
  `.fact,.label text{font-size:${FACT_SIZE}px}`,
  '.kind{font-size:9px;letter-spacing:.6px}',
  '.edge{fill:none;stroke-width:1.3}',
  '.seldom{stroke-dasharray:5 4}',
  '.node rect{stroke-width:1.3}',
  '.agent rect{stroke-width:2.2}',
  '.missing rect{stroke-dasharray:5 4}',
  coloursOf(LIGHT),
  `@media (prefers-color-scheme:dark){${coloursOf(DARK)}}`,
].join('')

const MARKERS =
  '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 .8 8 4 0 7.2z"/></marker></defs>'

const KINDS: Readonly<Record<GraphNode['kind'], string>> = {
  agent: 'AGENT',
  missing: 'SUB-AGENT NOT FOUND',
  model: 'MODEL',
  tool: 'TOOL',
  memory: 'MEMORY',
  trigger: 'TRIGGER',
}

function boxElement({ node, title, facts, x, y, width, height }: Box): string {
  const [left, top] = [x - width / 2, y - height / 2]
  const className = node.effect === 'write' ? 'write' : node.kind
  const text = (name: string, at: number, content: string) =>
    `<text class="${name}" x="${rounded(left + PADDING)}" y="${rounded(top + at)}">${escapeMarkup(content)}</text>`
  const titleAt = KIND_HEIGHT + PADDING / 2 + TITLE_SIZE - 2
  return [
    `<g class="node ${className}">`,
    `<title>${escapeMarkup([node.title, ...node.facts].map((part) => plainLine(part, 500)).join('\n'))}</title>`,
    `<rect x="${rounded(left)}" y="${rounded(top)}" width="${width}" height="${height}" rx="${node.kind === 'model' ? 16 : 7}"/>`,
    text('kind', KIND_HEIGHT + 1, KINDS[node.kind]),
    text('title', titleAt, title),
    ...facts.map((fact, index) => text('fact', titleAt + LINE_HEIGHT * (index + 1), fact)),
    '</g>',
  ].join('')
}

function lineElement({ edge }: Line, path: string): string {
  const seldom = edge.seldom === true ? ' seldom' : ''
  return `<path class="edge${seldom}" d="${path}" marker-end="url(#arrow)"/>`
}

function labelElement({ label }: Line): string {
  if (label === undefined) return ''
  const { x, y, lines, width, height } = label
  const top = y - height / 2
  return [
    '<g class="label">',
    `<rect x="${rounded(x - width / 2 - 3)}" y="${rounded(top)}" width="${width + 6}" height="${height}" rx="3"/>`,
    ...lines.map(
      (line, index) =>
        `<text text-anchor="middle" x="${rounded(x)}" y="${rounded(top + LINE_HEIGHT * index + 12)}">${escapeMarkup(line)}</text>`,
    ),
    '</g>',
  ].join('')
}
