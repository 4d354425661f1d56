import { Document } from '../../document/document.ts'
import type { Finding } from '../../document/finding.ts'
import type { Issue, Json } from '../../document/issue.ts'
import { loadSibling } from '../../document/load-sibling.ts'
import { placeFindings } from '../../document/place-findings.ts'
import type * as Explain from './explain-agent-errors.ts'
import type { AgentDefinition } from './generated/agent.ts'
import { validate } from './generated/agent.validate.js'
import { checkConditions } from './rules/conditions.ts'
import { checkExtensions } from './rules/extensions.ts'
import { checkFormats } from './rules/formats.ts'
import { checkOrchestration } from './rules/orchestration.ts'
import type { Rule } from './rules/rule.ts'
import { checkSecrets } from './rules/secrets.ts'
import { checkToolAuth } from './rules/tool-auth.ts'
import { checkTools } from './rules/tools.ts'
import { checkUserSchemas } from './rules/user-schemas.ts'
import { checkVocabularyUse } from './rules/vocabulary-use.ts'
import { SC_STANDARD } from './vocabulary.ts'

const RULES: readonly Rule[] = [
  checkFormats,
  checkConditions,
  checkTools,
  checkToolAuth,
  checkOrchestration,
  checkVocabularyUse,
  checkExtensions,
  checkUserSchemas,
]

/**
 * Everything there is to say about an agent definition (AAIF §4), in reading order. What is no AAIF at all gives that
 * one issue; else the schema stage, and when it is clean the rules that a schema cannot say. Secrets are looked for
 * in any case. Without errors among the issues, the value is an `AgentDefinition`.
 */
export function validateAgentDefinition(input: Document | Json): Issue[] {
  const document = input instanceof Document ? input : undefined
  const value = input instanceof Document ? input.value : input
  const issues = placeFindings(judge(value), document)
  return document === undefined || document.warnings.length === 0 ? issues : [...document.warnings, ...issues]
}

function judge(value: Json): Finding[] {
  const foreign = notAaif(value)
  if (foreign !== undefined) return [foreign]
  const secrets = checkSecrets(value)
  if (!validate(value)) return unique([...explain(value), ...secrets])
  // The schema stage has just proved it.
  const definition = value as unknown as AgentDefinition
  return unique([...RULES.flatMap((rule) => [...rule(definition)]), ...secrets])
}

/** Whether a document is AAIF is decided before anything else is judged (AAIF-4.1-01). */
function notAaif(value: Json): Finding | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return {
      severity: 'error',
      code: 'NOT_AAIF',
      pointer: '',
      message: 'an agent definition is a JSON object',
      hint: 'begin with {"sc_standard": "SC-006", "agent": …}',
      rule: 'AAIF-4-01',
    }
  }
  if (!Object.hasOwn(value, 'sc_standard')) return undefined
  if ((value as { sc_standard?: Json }).sc_standard === SC_STANDARD) return undefined
  return {
    severity: 'error',
    code: 'NOT_AAIF',
    pointer: '/sc_standard',
    message: `this is not AAIF: sc_standard must be exactly "${SC_STANDARD}"`,
    hint: `write "sc_standard": "${SC_STANDARD}" if it is meant to be AAIF`,
    rule: 'AAIF-4.1-01',
  }
}

function explain(value: Json): Finding[] {
  const { explainAgentErrors } = loadSibling(import.meta.filename, './explain-agent-errors') as typeof Explain
  return explainAgentErrors(validate.errors ?? [], value)
}

/** Two rules may find the same thing at the same place. */
function unique(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ code, pointer, message }) => {
    const key = code === 'SECRET_INLINE' ? `${code} ${pointer}` : `${code} ${pointer} ${message}`
    return !seen.has(key) && seen.add(key) !== undefined
  })
}
