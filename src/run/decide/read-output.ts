import { parseExact } from '../../document/exact-numbers.ts'
import type { Json } from '../../document/json.ts'
import type { Program } from '../../plan/plan.ts'

export type ReadOutput =
  | { readonly ok: true; readonly output: Json }
  | { readonly ok: false; readonly breach: string }

/**
 * Reads a final answer in the form that the plan promises (AAIF §4.2 response_format, io.output_schema). With
 * an output schema the value is parsed; otherwise the text itself is the output.
 */
export function readOutput(program: Program, text: string): ReadOutput {
  const { output } = program.plan
  if (output.format !== 'json' && program.checkOutput === null) return { ok: true, output: text }
  const bare = withoutFence(text)
  let value: Json
  try {
    value = parseExact(bare)
  } catch (cause) {
    return { ok: false, breach: `Your answer is not JSON: ${(cause as Error).message}.` }
  }
  if (program.checkOutput === null) return { ok: true, output: bare }
  const breach = program.checkOutput(value)
  return breach === null
    ? { ok: true, output: value }
    : { ok: false, breach: `Your answer does not match the output schema: ${breach}.` }
}

/** Models often wrap JSON in a Markdown fence even if the prompt forbids it. */
function withoutFence(text: string): string {
  const trimmed = text.trim()
  const fenced = /^```(?:json)?\s*\n([\s\S]*)\n```$/.exec(trimmed)
  return fenced?.[1] ?? trimmed
}
