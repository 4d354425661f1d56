/** The members of a span that a tree shows; spans of a record and spans that a collector received both have them. */
export interface TreeSpan {
  readonly id: string
  readonly parent: string | null
  readonly name: string
  readonly start: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly failed: boolean
}

/** A tree is a text with one span per line, indented below its parent; a failed span begins with `!`. */
function node(label: string, parts: readonly string[]): string {
  return [label, ...parts.flatMap((part) => part.split('\n').map((line) => `  ${line}`))].join('\n')
}

export const run = (name: string, ...parts: string[]) => node(`run ${name}`, parts)
export const agent = (alias: string, ...parts: string[]) => node(`agent ${alias}`, parts)
export const model = (name: string) => `model ${name}`
export const tool = (name: string, ...parts: string[]) => node(`tool ${name}`, parts)
export const failed = (tree: string) => `!${tree}`

/** @throws if a span's parent is missing, or if there is not exactly one root */
export function treeOf(spans: readonly TreeSpan[]): string {
  const roots = spans.filter(({ parent }) => parent === null || parent === '')
  const [root] = roots
  if (root === undefined || roots.length > 1) throw new Error(`${roots.length} spans at the top`)
  const text = draw(root, spans)
  const drawn = text.split('\n').length
  if (drawn !== spans.length) throw new Error(`${spans.length - drawn} spans without a parent`)
  return text
}

function draw(span: TreeSpan, all: readonly TreeSpan[]): string {
  const parts = all
    .filter(({ parent }) => parent === span.id)
    // Spans that began at the same time are ordered by name.
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
