/** A span as far as a tree shows it; those of a record and those that a collector received both fit. */
export interface TreeSpan {
  readonly id: string
  readonly parent: string | null
  readonly name: string
  readonly start: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly failed: boolean
}

/** A tree is a text with one span a line, below what it belongs to; what failed begins with `!`. */
function node(label: string, parts: readonly string[]): string {
  return [label, ...parts.flatMap((part) => part.split('\n').map((line) => `  ${line}`))].join('\n')
}

export const run = (name: string, ...parts: string[]) => node(`run ${name}`, parts)
export const agent = (alias: string, ...parts: string[]) => node(`agent ${alias}`, parts)
export const model = (name: string) => `model ${name}`
export const tool = (name: string, ...parts: string[]) => node(`tool ${name}`, parts)
export const failed = (tree: string) => `!${tree}`

/** @throws when a span's parent is missing, or there is no single root */
export function treeOf(spans: readonly TreeSpan[]): string {
  const roots = spans.filter(({ parent }) => parent === null || parent === '')
  const [root] = roots
  if (root === undefined || roots.length > 1) throw new Error(`${roots.length} spans at the top`)
  const text = draw(root, spans)
  const drawn = text.split('\n').length
  if (drawn !== spans.length) throw new Error(`${spans.length - drawn} spans below none that is there`)
  return text
}

function draw(span: TreeSpan, all: readonly TreeSpan[]): string {
  const parts = all
    .filter(({ parent }) => parent === span.id)
    // Of those that began at once, which is a matter of one event, the name decides.
    .sort((a, b) => a.start - b.start || (labelOf(a) < labelOf(b) ? -1 : 1))
  return node(
    `${span.failed ? '!' : ''}${labelOf(span)}`,
    parts.map((part) => draw(part, all)),
  )
}

function labelOf({ name, attributes }: TreeSpan): string {
  switch (name) {
    case 'aaif.agent.run':
      return `run ${attributes['agent.name']}`
    case 'aaif.agent.llm_call':
      return `model ${attributes['llm.model']}`
    case 'aaif.agent.tool_call':
      return `tool ${attributes['tool.name']}`
    case 'aaif.agent.handoff':
      return `agent ${attributes['waybill.target_agent.alias']}`
    default:
      return name.replace('aaif.agent.', '').replace('_', ' ')
  }
}
