import { createRequire } from 'node:module'
import type { Document } from '../../document/document.ts'
import type { Finding } from '../../document/finding.ts'
import type { Issue } from '../../document/issue.ts'
import { isObject, type Json } from '../../document/json.ts'
import { lazyModule } from '../../document/lazy-module.ts'
import { suggest } from '../../document/suggest.ts'
import type * as Explain from './explain-message-errors.ts'
import type { HandoffMessage } from './generated/handoff-message.ts'
import { validate } from './generated/handoff-message.validate.js'
import { HANDOFF_MESSAGES } from './handoff-message.schema.ts'
import { issuesOf, unique } from './judge-document.ts'
import { checkSecrets } from './rules/secrets.ts'
import { checkMessageFormats, checkMessageMembers } from './rules/stream-formats.ts'
import { checkStreamOrder, type StreamLine } from './rules/stream-order.ts'

const require = createRequire(import.meta.url)
const loadExplain = lazyModule<typeof Explain>(() => require('./explain-message-errors.ts'))

/**
 * Validates a complete streaming handoff (AAIF §8.3), given as the array of lines that `readLines` returns, and returns
 * all issues. Does not verify its migration_token and checksum; the receiver does. If no issue is an error, the value
 * is an array of `HandoffMessage`.
 */
export function validateHandoffStream(input: Document | Json): Issue[] {
  return issuesOf(input, (value) => {
    if (!Array.isArray(value)) return [notLines]
    const lines = (value as readonly Json[]).map(lineOf)
    const findings = lines.flatMap(({ value: message }, index) =>
      judgeLine(message).map((finding) => ({
        ...finding,
        pointer: `/${index}${finding.pointer}`,
      })),
    )
    const secrets = checkSecrets(value, /^\/\d+\/migration_token$/)
    return unique([...findings, ...checkStreamOrder(lines), ...secrets])
  })
}

const notLines: Finding = {
  severity: 'error',
  code: 'STREAM_NOT_LINES',
  pointer: '',
  message: 'a streaming handoff has one JSON object per line',
  hint: 'save it as .ndjson, with each message on a separate line',
  rule: 'AAIF-8.3-02',
}

function lineOf(value: Json): StreamLine {
  const type = isObject(value) && Object.hasOwn(value, 'type') ? value.type : undefined
  return { type: typeof type === 'string' ? type : undefined, value }
}

/** Returns an issue for a line that is not a message. */
function untyped(value: Json): Finding {
  const rule = 'AAIF-8.3-02'
  if (!isObject(value)) {
    return {
      severity: 'error',
      code: 'LINE_NOT_OBJECT',
      pointer: '',
      message: 'each line must be a JSON object',
      hint: 'write {"type": …} on each line',
      rule,
    }
  }
  const missing = !Object.hasOwn(value, 'type')
  return {
    severity: 'error',
    code: missing ? 'REQUIRED_MISSING' : 'WRONG_TYPE',
    pointer: '/type',
    ...(missing && { mark: 'parent' as const }),
    message: missing ? 'the message has no type' : 'the type of a message is a string',
    hint: `add "type": one of ${Object.keys(HANDOFF_MESSAGES).join(', ')}`,
    rule,
  }
}

/** Judges one line by itself, without its place in the stream. If no finding is an error, it is a `HandoffMessage`. */
export function judgeLine(value: Json): readonly Finding[] {
  const { type } = lineOf(value)
  return type === undefined ? [untyped(value)] : judgeMessage(value, type)
}

function judgeMessage(value: Json, type: string): Finding[] {
  const types = Object.keys(HANDOFF_MESSAGES)
  if (!types.includes(type)) {
    const meant = suggest(type, types)
    return [
      {
        severity: 'error',
        code: 'NOT_IN_ENUM',
        pointer: '/type',
        message: `the type of a message must be one of ${types.join(', ')}`,
        hint:
          meant === undefined ? 'write one of these, in exactly this spelling' : `did you mean "${meant}"?`,
        rule: 'AAIF-8.3-03',
      },
    ]
  }
  if (validate(value)) {
    const message = value as unknown as HandoffMessage
    return [...checkMessageFormats(message), ...checkMessageMembers(message)]
  }
  const { explainMessageErrors } = loadExplain()
  return explainMessageErrors(validate.errors ?? [], value, type)
}
