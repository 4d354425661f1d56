import { createRequire } from 'node:module'
import { Document } from '../../document/document.ts'
import type { Finding } from '../../document/finding.ts'
import type { Issue } from '../../document/issue.ts'
import { isObject, type Json } from '../../document/json.ts'
import { lazyModule } from '../../document/lazy-module.ts'
import { findLikelyTypos } from '../likely-typos.ts'
import { placeFindings } from '../place-findings.ts'
import type * as Explain from './explain-task-errors.ts'
import { validate } from './generated/result.validate.js'
import { resultSchema } from './result.schema.ts'
import { checkResult } from './rules/result.ts'
import { checkSecrets } from './rules/secrets.ts'
import { unknownVersion } from './rules/version.ts'

const require = createRequire(import.meta.url)
const loadExplain = lazyModule<typeof Explain>(() => require('./explain-task-errors.ts'))

/**
 * Validates the result of a task (IAP 0.2) and returns all issues in reading order. If no issue is an error, the value
 * is a `TaskResult`.
 */
export function validateResult(input: Document | Json): Issue[] {
  const document = input instanceof Document ? input : undefined
  const value = input instanceof Document ? input.value : input
  return [...(document?.warnings ?? []), ...placeFindings(judge(value), document)]
}

function judge(value: Json): Finding[] {
  const refused = validate(value) ? [] : explain(value)
  if (!isObject(value)) return refused
  const foreign = unknownVersion(value)
  if (foreign !== undefined) return [foreign]
  return [
    ...refused,
    ...checkResult(value),
    ...checkSecrets(value),
    ...findLikelyTypos(resultSchema, value, 'IAP-task-11'),
  ]
}

function explain(value: Json): Finding[] {
  const { explainResultErrors } = loadExplain()
  return explainResultErrors(validate.errors ?? [], value)
}
