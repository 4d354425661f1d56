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
import { forgiveRegistered } from './registries/forgive-registered.ts'
import { type Registered, registered } from './registries/registered.ts'
import { checkConditions } from './rules/conditions.ts'
import { checkExtensions } from './rules/extensions.ts'
import { checkFormats } from './rules/formats.ts'
import { checkOrchestration } from './rules/orchestration.ts'
import { checkRegisteredWords } from './rules/registered-words.ts'
import type { Rule } from './rules/rule.ts'
import { checkSecrets } from './rules/secrets.ts'
import { checkToolAuth } from './rules/tool-auth.ts'
import { checkTools } from './rules/tools.ts'
import { checkUserSchemas } from './rules/user-schemas.ts'
import { checkVocabularyUse } from './rules/vocabulary-use.ts'

const require = createRequire(import.meta.url)
const loadExplain = lazyModule<typeof Explain>(() => require('./explain-agent-errors.ts'))

const RULES: readonly Rule[] = [
  checkFormats,
  checkConditions,
  checkTools,
  checkToolAuth,
  checkOrchestration,
  checkVocabularyUse,
  checkRegisteredWords,
  checkExtensions,
  checkUserSchemas,
]

/**
 * Everything there is to say about an agent definition (AAIF §4), in reading order. What is no AAIF at all gives that
 * one issue; else the schema stage, and when it is clean the rules that a schema cannot say. Secrets are looked for
 * in any case. Without errors among the issues the value is an `AgentDefinition`, but for words that a loaded registry
 * adds to its vocabularies (§10).
 * @throws WaybillError when one of `options.registries` is no valid registry.
 */
export function validateAgentDefinition(input: Document | Json, options: JudgeOptions = {}): Issue[] {
  const words = registered(options.registries)
  return issuesOf(input, (value) => judge(value, words))
}

function judge(value: Json, words: Registered): Finding[] {
  const foreign = notAaif(value, { name: 'an agent definition', rule: 'AAIF-4-01' })
  if (foreign !== undefined) return [foreign]
  const secrets = checkSecrets(value)
  if (!validate(value)) {
    const { errors, findings } = forgiveRegistered(validate.errors ?? [], value, words)
    if (errors.length > 0 || findings.length > 0) {
      return unique([...explain(errors, value), ...findings, ...secrets])
    }
  }
  // The schema stage has just proved it, with the help of the registries.
  const definition = value as unknown as AgentDefinition
  return unique([...findingsOf(RULES, definition, words), ...secrets])
}

function explain(errors: readonly ErrorObject[], value: Json): Finding[] {
  if (errors.length === 0) return []
  const { explainAgentErrors } = loadExplain()
  return explainAgentErrors(errors, value)
}
