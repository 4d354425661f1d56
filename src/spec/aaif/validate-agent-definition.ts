import { createRequire } from 'node:module'
import type { ErrorObject } from 'ajv'
import type { Document } from '../../document/document.ts'
import type { Finding } from '../../document/finding.ts'
import type { Issue } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { lazyModule } from '../../document/lazy-module.ts'
import type { JudgeOptions } from '../kinds.ts'
import type * as Explain from './explain-agent-errors.ts'
import type { AgentDefinition } from './generated/agent.ts'
import { validate } from './generated/agent.validate.js'
import { findingsOf, issuesOf, notAaif, unique } from './judge-document.ts'
import { applyRegistries } from './registries/apply-registries.ts'
import { type Registered, registered } from './registries/registered.ts'
import { checkConditions } from './rules/conditions.ts'
import { checkExtensions } from './rules/extensions.ts'
import { checkFormats } from './rules/formats.ts'
import { checkOrchestration } from './rules/orchestration.ts'
import type { Rule } from './rules/rule.ts'
import { checkSchedules } from './rules/schedules.ts'
import { checkSecrets } from './rules/secrets.ts'
import { checkToolAuth } from './rules/tool-auth.ts'
import { checkTools } from './rules/tools.ts'
import { checkUnusualValues } from './rules/unusual-values.ts'
import { checkUserSchemas } from './rules/user-schemas.ts'
import { checkValueStatus } from './rules/value-status.ts'
import { checkVocabularyUse } from './rules/vocabulary-use.ts'

const require = createRequire(import.meta.url)
const loadExplain = lazyModule<typeof Explain>(() => require('./explain-agent-errors.ts'))

const RULES: readonly Rule[] = [
  checkFormats,
  checkConditions,
  checkTools,
  checkToolAuth,
  checkOrchestration,
  checkSchedules,
  checkVocabularyUse,
  checkValueStatus,
  checkExtensions,
  checkUnusualValues,
]

/**
 * Validates an agent definition (AAIF §4) and returns all issues in reading order. A document that is not AAIF gives
 * only that issue; otherwise the schema is checked, and if it finds no error, the rules that a schema cannot express.
 * Secrets are searched for in any case. If no issue is an error, the value is an `AgentDefinition`, except for values
 * that a loaded registry adds (§10).
 * @throws WaybillError if one of `options.registries` is not a valid registry.
 */
export function validateAgentDefinition(input: Document | Json, options: JudgeOptions = {}): Issue[] {
  const words = registered(options.registries)
  return issuesOf(input, (value) => judge(value, words, options))
}

function judge(value: Json, words: Registered, { findSchema }: JudgeOptions): Finding[] {
  const foreign = notAaif(value, { name: 'an agent definition', rule: 'AAIF-4-01' })
  if (foreign !== undefined) return [foreign]
  const secrets = checkSecrets(value)
  if (!validate(value)) {
    const { errors, findings } = applyRegistries(validate.errors ?? [], value, words)
    if (errors.length > 0 || findings.length > 0) {
      return unique([...explain(errors, value), ...findings, ...secrets])
    }
  }
  // Proved by the schema and the registries above.
  const definition = value as unknown as AgentDefinition
  return unique([
    ...findingsOf(RULES, definition, words),
    ...checkUserSchemas(definition, findSchema),
    ...secrets,
  ])
}

function explain(errors: readonly ErrorObject[], value: Json): Finding[] {
  if (errors.length === 0) return []
  const { explainAgentErrors } = loadExplain()
  return explainAgentErrors(errors, value)
}
