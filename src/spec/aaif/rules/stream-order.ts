import type { Finding } from '../../../document/finding.ts'
import type { Json } from '../../../document/json.ts'

/** A line of the stream; lines that are not messages have no type. */
export interface StreamLine {
  readonly type: string | undefined
  readonly value: Json
}

/** Checks the order of all lines (§8.3). Lines with errors count as well. */
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
      hint: 'send handoff_init with the migration_token first: receivers verify the token before they accept other lines',
      rule,
    }
  }
  for (const [index, { type }] of lines.entries()) {
    if (index === 0 || type !== 'handoff_init') continue
    yield {
      severity: 'error',
      code: 'STREAM_BEGUN_AGAIN',
      pointer: `/${index}`,
      message: 'a stream has only one handoff_init; this is a second one',
      hint: 'start a new stream for each handoff',
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
      // The schema reports an invalid index; its chunk counts as the next one.
      expected++
      continue
    }
    if (index !== expected) {
      yield {
        severity: 'error',
        code: 'CHUNK_OUT_OF_ORDER',
        pointer: `/${line}/index`,
        message: `this is chunk ${index}, but chunk ${expected} is expected`,
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
      hint: 'send the stream again: receivers discard an incomplete stream',
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
      ? 'a line follows handoff_complete, which must be the last line'
      : 'the handoff failed, so receivers ignore this line and all lines after it',
    hint: complete ? 'send everything before handoff_complete' : 'start a new stream',
    rule: complete ? 'AAIF-8.3-13' : 'AAIF-8.3-09',
  }
}
