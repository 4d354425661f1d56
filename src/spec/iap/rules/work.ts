import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { checkUserSchema } from '../../../schema/user-schema.ts'
import type { JudgeOptions } from '../../kinds.ts'
import { itemsAt, memberOf, objectAt, textAt } from '../../loose-members.ts'
import { durationText, formatDuration, isUnusualDuration, parseDuration } from '../duration.ts'
import { readOutputForm } from '../output-form.ts'

/** Checks the intent, the limits and the output of a task. */
export function* checkWork(task: JsonObject, { findSchema }: JudgeOptions = {}): Iterable<Finding> {
  yield* checkIntent(textAt(objectAt(task, 'task'), 'intent'))
  yield* checkLimits(objectAt(task, 'constraints'))
  yield* checkOutput(objectAt(task, 'output'), findSchema)
}

function* checkIntent(intent: string | undefined): Iterable<Finding> {
  if (intent === undefined || intent === '') return
  const base = { pointer: '/task/intent', rule: 'IAP-task-01' }
  if (intent.trim() === '') {
    yield {
      ...base,
      severity: 'error',
      code: 'INTENT_BLANK',
      message: 'the intent is blank',
      hint: 'describe the work in one line',
    }
  } else if (/[\r\n]/.test(intent.trimEnd())) {
    yield {
      ...base,
      severity: 'warning',
      code: 'INTENT_NOT_ONE_LINE',
      message: 'the intent has more than one line',
      hint: 'keep the first line, and move the rest to task.details',
    }
  }
}

function* checkLimits(constraints: JsonObject): Iterable<Finding> {
  const limit = textAt(constraints, 'time_limit')
  const ms = limit === undefined ? 0 : (parseDuration(limit) ?? 0)
  if (limit !== undefined && ms > 0 && isUnusualDuration(limit)) {
    yield {
      severity: 'warning',
      code: 'DURATION_UNUSUAL',
      pointer: '/constraints/time_limit',
      message: `time_limit is read as ${durationText(ms)}, and other receivers may not read it`,
      hint: `write "${formatDuration(ms)}"`,
      rule: 'IAP-constraints-01',
    }
  }
  if (limit !== undefined && ms <= 0) {
    yield {
      severity: 'error',
      code: 'DURATION_UNREADABLE',
      pointer: '/constraints/time_limit',
      message: 'time_limit is not a duration',
      hint: 'write a whole number above 0 with s, m, h or d, such as "30m", or an ISO 8601 duration such as "PT30M"',
      rule: 'IAP-constraints-01',
    }
  }
  const denied = new Set(itemsAt(constraints, 'tools_denied'))
  for (const [i, tool] of itemsAt(constraints, 'tools_allowed').entries()) {
    if (typeof tool !== 'string' || !denied.has(tool)) continue
    yield {
      severity: 'warning',
      code: 'TOOL_ALLOWED_AND_DENIED',
      pointer: `/constraints/tools_allowed/${i}`,
      message: 'the tool is also in tools_denied, so it may not be used',
      hint: 'remove it from one of the two lists',
      rule: 'IAP-constraints-04',
    }
  }
}

function* checkOutput(output: JsonObject, findSchema: JudgeOptions['findSchema']): Iterable<Finding> {
  const schema = memberOf(output, 'schema')
  if (schema === undefined) return
  const base = { severity: 'warning', pointer: '/output/schema', rule: 'IAP-output-02' } as const
  if (output.format !== 'json') {
    yield {
      ...base,
      code: 'OUTPUT_SCHEMA_UNUSED',
      message: 'a schema applies only to json, but this output has another format',
      hint: 'write "format": "json" if the output is JSON',
    }
  }
  const form = readOutputForm(schema)
  if (form.kind === 'json-schema') {
    for (const { pointer, message, hint, unavailable } of checkUserSchema(
      form.schema,
      undefined,
      findSchema,
    )) {
      if (unavailable === undefined) continue
      const inside = typeof schema === 'string' ? '' : pointer
      yield { ...base, pointer: base.pointer + inside, code: 'SCHEMA_DOUBTFUL', message, hint }
    }
  }
  if (form.kind !== 'unreadable') return
  yield {
    ...base,
    code: 'OUTPUT_SCHEMA_UNREADABLE',
    message: `this schema cannot be used for validation: ${form.reason}`,
    hint: 'write a JSON Schema, or a sketch such as {"summary": "string", "items": ["string"]}',
  }
}
