import { createRequire } from 'node:module'
import { Document } from '../../document/document.ts'
import type { Finding } from '../../document/finding.ts'
import type { Issue } from '../../document/issue.ts'
import { isObject, type Json } from '../../document/json.ts'
import { lazyModule } from '../../document/lazy-module.ts'
import type { JudgeOptions } from '../kinds.ts'
import { findLikelyTypos } from '../likely-typos.ts'
import { placeFindings } from '../place-findings.ts'
import type * as Explain from './explain-task-errors.ts'
import { validate } from './generated/task.validate.js'
import { checkDelivery } from './rules/delivery.ts'
import type { Rule } from './rules/rule.ts'
import { checkSecrets } from './rules/secrets.ts'
import { checkStrictReceivers } from './rules/strict-receivers.ts'
import { unknownVersion } from './rules/version.ts'
import { checkWork } from './rules/work.ts'
import { taskSchema } from './task.schema.ts'

const require = createRequire(import.meta.url)
const loadExplain = lazyModule<typeof Explain>(() => require('./explain-task-errors.ts'))

const RULES: readonly Rule[] = [checkStrictReceivers, checkWork, checkDelivery, checkSecrets]

/**
 * Validates a task (IAP 0.2) and returns all issues in reading order. An unsupported version gives only that issue. If
 * no issue is an error, the value is a `Task`.
 */
export function validateTask(input: Document | Json, options: JudgeOptions = {}): Issue[] {
  const document = input instanceof Document ? input : undefined
  const value = input instanceof Document ? input.value : input
  return [...(document?.warnings ?? []), ...placeFindings(judge(value, options), document)]
}

function judge(value: Json, options: JudgeOptions): Finding[] {
  const refused = validate(value) ? [] : explain(value)
  if (!isObject(value)) return refused
  const foreign = unknownVersion(value)
  if (foreign !== undefined) return [foreign]
  return [
    ...refused,
    ...RULES.flatMap((rule) => [...rule(value, options)]),
    ...findLikelyTypos(taskSchema, value, 'IAP-task-11'),
  ]
}

function explain(value: Json): Finding[] {
  const { explainTaskErrors } = loadExplain()
  return explainTaskErrors(validate.errors ?? [], value)
}
