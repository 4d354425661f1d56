import { html, type Markup } from '../../../document/markup.ts'
import type { RecordedTrace } from '../../../run/trace/read-trace.ts'
import { spanLabel, spanRows } from '../../run-view/trace-tree.ts'
import { duration } from '../../terminal/amounts.ts'

/** Returns the timeline of a run and of its sub-agents' runs: a bar for each span. */
export function timeBars({ spans, until }: RecordedTrace): Markup | readonly Markup[] {
  if (spans.length === 0) return []
  const from = Math.min(...spans.map(({ start }) => start))
  const to = Math.max(from + 1, until, ...spans.map(({ start, end }) => end ?? start))
  const share = (ms: number) => `${((100 * ms) / (to - from)).toFixed(2)}%`
  const rows = spanRows(spans).map(({ span, lead }) => {
    const end = span.end ?? until
    return html`<tr><td class="tree">${lead}${spanLabel(span)}</td><td class="faint">${duration(Math.max(0, end - span.start))}</td><td><span class="track"><span class="bar${span.error === undefined ? '' : ' failed'}" style="margin-left:${share(span.start - from)};width:${share(Math.max(0, end - span.start))}"></span></span></td></tr>`
  })
  return html`<h2>Timeline</h2><table class="bars">${rows}</table>`
}
