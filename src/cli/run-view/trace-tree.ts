import type { Span } from '../../run/ports.ts'
import type { RecordedTrace } from '../../run/trace/read-trace.ts'
import { count, dollars, duration } from '../terminal/amounts.ts'
import { type Paint, painter, type Tone } from '../terminal/paint.ts'
import { plainLine } from '../terminal/plain-text.ts'

export interface TraceTextOptions {
  readonly color: boolean
  readonly columns?: number | undefined
}

interface Row {
  readonly span: Span
  /** The tree lines before the name. */
  readonly lead: string
}

const WIDEST = 120
const NARROWEST = 60

/** Returns a trace as a tree. A bar for each span shows its start and duration. */
export function traceText({ spans, until, untraced }: RecordedTrace, options: TraceTextOptions): string {
  const paint = painter(options.color)
  const notes = [...new Set(untraced)].map(
    (name) => `${paint('faint', `${plainLine(name)} is not traced (telemetry.tracing is false)`)}\n`,
  )
  const [first] = spans
  if (first === undefined) return notes.join('')
  const rows = spanRows(spans)
  const from = Math.min(...spans.map(({ start }) => start))
  const to = Math.max(from + 1, until, ...spans.map(({ start, end }) => end ?? start))
  const width = Math.min(WIDEST, Math.max(NARROWEST, options.columns ?? 100))
  const labels = rows.map(({ span, lead }) => lead + plainLine(spanLabel(span), Math.floor(width / 2)))
  const labelWidth = Math.max(...labels.map((label) => label.length))
  const barWidth = Math.max(10, width - labelWidth - 12)
  const lines = rows.map(({ span }, index) => {
    const label = (labels[index] ?? '').padEnd(labelWidth)
    const time = timeOf(span, until).padStart(9)
    const bar = barOf(span, { from, to, until, width: barWidth })
    const note = noteOf(span)
    const line = `${label} ${paint('faint', time)} ${paint(toneOf(span), bar)}`
    return note === '' ? line.trimEnd() : `${line.trimEnd()}  ${paintNote(span, note, paint)}`
  })
  return `${paint('faint', `trace ${first.trace_id}`)}\n${lines.join('\n')}\n${notes.join('')}`
}

/** Returns the spans depth first, children by start time. A span without its parent in the trace is a root. */
export function spanRows(spans: readonly Span[]): readonly Row[] {
  const ids = new Set(spans.map(({ span_id }) => span_id))
  const below = new Map<string | null, Span[]>()
  for (const span of [...spans].sort((a, b) => a.start - b.start || endOf(a) - endOf(b))) {
    const parent = span.parent_id !== null && ids.has(span.parent_id) ? span.parent_id : null
    below.set(parent, [...(below.get(parent) ?? []), span])
  }
  const rows: Row[] = []
  const add = (span: Span, lead: string, indent: string) => {
    rows.push({ span, lead })
    const children = below.get(span.span_id) ?? []
    for (const [index, child] of children.entries()) {
      const last = index === children.length - 1
      add(child, `${indent}${last ? '└ ' : '├ '}`, `${indent}${last ? '  ' : '│ '}`)
    }
  }
  for (const root of below.get(null) ?? []) add(root, '', '')
  return rows
}

function endOf({ end }: Span): number {
  return end ?? Number.MAX_SAFE_INTEGER
}

/** Returns what a span is called in a trace. */
export function spanLabel({ name, attributes }: Span): string {
  switch (name) {
    case 'aaif.agent.run':
      return `run ${attributes['agent.name']}`
    case 'aaif.agent.llm_call':
      return `model ${attributes['llm.provider']}/${attributes['llm.model']}`
    case 'aaif.agent.tool_call':
      return `tool ${attributes['tool.name']}`
    case 'aaif.agent.handoff':
      return `agent ${attributes['waybill.target_agent.alias']}`
    case 'aaif.agent.memory_read':
      return `memory read ${attributes['memory.scope']}`
    case 'aaif.agent.memory_write':
      return `memory write ${attributes['memory.scope']}`
  }
}

function timeOf({ start, end }: Span, until: number): string {
  return end === null ? `${duration(Math.max(0, until - start))}…` : duration(end - start)
}

function barOf(
  { start, end }: Span,
  scale: { readonly from: number; readonly to: number; readonly until: number; readonly width: number },
): string {
  const { from, to, until, width } = scale
  const place = (at: number) => Math.round(((at - from) / (to - from)) * width)
  const left = Math.min(width - 1, place(start))
  const right = Math.min(width, Math.max(left + 1, place(end ?? Math.max(until, start))))
  return `${' '.repeat(left)}${(end === null ? '▒' : '█').repeat(right - left)}${' '.repeat(width - right)}`
}

const TONES: Readonly<Record<Span['name'], Tone>> = {
  'aaif.agent.run': 'strong',
  'aaif.agent.llm_call': 'accent',
  'aaif.agent.tool_call': 'good',
  'aaif.agent.handoff': 'warn',
  'aaif.agent.memory_read': 'plain',
  'aaif.agent.memory_write': 'plain',
}

function toneOf({ name, error }: Span): Tone {
  return error === undefined ? TONES[name] : 'bad'
}

function noteOf({ name, attributes, error, end }: Span): string {
  if (error !== undefined) return plainLine(error)
  if (name !== 'aaif.agent.llm_call' || end === null) return ''
  const tokens = Number(attributes['llm.input_tokens']) + Number(attributes['llm.output_tokens'])
  const cost = attributes['waybill.cost_usd']
  return `${count(tokens, 'token')}${typeof cost === 'number' ? ` ${dollars(cost)}` : ''}`
}

function paintNote({ error }: Span, note: string, paint: Paint): string {
  return error === undefined ? paint('faint', note) : paint('bad', `✗ ${note}`)
}
