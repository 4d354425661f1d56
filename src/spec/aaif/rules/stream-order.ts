import type { Finding } from '../../../document/finding.ts'
import type { Json } from '../../../document/json.ts'

/** A line of the stream as far as it is known: lines that are no messages have no type. */
export interface StreamLine {
  readonly type: string | undefined
  readonly value: Json
}

/** The order of the lines as a whole (§8.3). Every line counts, also one with faults of its own. */
export function* checkStreamOrder(lines: readonly StreamLine[]): Iterable<Finding> {
  const end = lines.findIndex(({ type }) => type === 'handoff_complete' || type === 'handoff_error')
  yield* checkBeginning(end === -1 ? lines : lines.slice(0, end + 1))
  yield* checkChunks(lines)
  yield* checkEnd(lines, end)
}

function* checkBeginning(lines: readonly StreamLine[]): Iterable<Finding> {
  const rule = 'AAIF-8.3-07'
  const [first] = lines
  if (first === undefined || (first.type !== 'handoff_init' && first.type !== undefined)) {
    yield {
      severity: 'error',
      code: 'STREAM_NOT_BEGUN',
      pointer: first === undefined ? '' : '/0',
      message: 'a stream begins with handoff_init',
      hint: 'send handoff_init with the migration_token first: nothing is taken before it is verified',
      rule,
    }
  }
  for (const [index, { type }] of lines.entries()) {
    if (index === 0 || type !== 'handoff_init') continue
    yield {
      severity: 'error',
      code: 'STREAM_BEGUN_AGAIN',
      pointer: `/${index}`,
      message: 'a stream has one handoff_init, and this is another',
      hint: 'begin a stream of its own for each handoff',
      rule,
    }
  }
}

function* checkChunks(lines: readonly StreamLine[]): Iterable<Finding> {
  let expected = 0
  for (const [line, { type, value }] of lines.entries()) {
    if (type !== 'context_chunk') continue
    const { index } = value as { index?: Json }
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) {
      // What is no index at all is told by the schema stage, and its chunk counts as the next one.
      expected++
      continue
    }
    if (index !== expected) {
      yield {
        severity: 'error',
        code: 'CHUNK_OUT_OF_ORDER',
        pointer: `/${line}/index`,
        message: `this is chunk ${index}, and chunk ${expected} is expected`,
        hint: 'number the chunks 0, 1, 2, … and send each once, in this order',
        rule: 'SPEC-S-04',
      }
    }
    expected = index + 1
  }
}

function* checkEnd(lines: readonly StreamLine[], end: number): Iterable<Finding> {
  if (end === -1) {
    if (lines.length === 0) return
    yield {
      severity: 'error',
      code: 'STREAM_NOT_ENDED',
      pointer: `/${lines.length - 1}`,
      message: 'the stream ends with neither handoff_complete nor handoff_error',
      hint: 'send it again: what was received counts for nothing',
      rule: 'AAIF-8.3-11',
    }
    return
  }
  if (end === lines.length - 1) return
  const complete = lines[end]?.type === 'handoff_complete'
  yield {
    severity: complete ? 'error' : 'warning',
    code: complete ? 'LINE_AFTER_COMPLETE' : 'LINE_AFTER_ERROR',
    pointer: `/${end + 1}`,
    message: complete
      ? 'handoff_complete ends the stream, and a line follows it'
      : 'the handoff failed, so this line and all after it count for nothing',
    hint: complete ? 'send everything before handoff_complete' : 'begin a new stream to try again',
    rule: complete ? 'AAIF-8.3-13' : 'AAIF-8.3-09',
  }
}
