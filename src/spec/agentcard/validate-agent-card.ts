import { createRequire } from 'node:module'
import { Document } from '../../document/document.ts'
import type { Finding } from '../../document/finding.ts'
import type { Issue } from '../../document/issue.ts'
import { isObject, type Json } from '../../document/json.ts'
import { lazyModule } from '../../document/lazy-module.ts'
import type { JudgeOptions } from '../kinds.ts'
import { findLikelyTypos } from '../likely-typos.ts'
import { placeFindings } from '../place-findings.ts'
import { agentCardSchema } from './agent-card.schema.ts'
import type * as Explain from './explain-card-errors.ts'
import { validate } from './generated/agent-card.validate.js'
import { openCard } from './open-card.ts'
import { checkCapabilities } from './rules/capabilities.ts'
import { checkEndpoint } from './rules/endpoint.ts'
import { checkIdentity } from './rules/identity.ts'
import { checkMetadata } from './rules/metadata.ts'
import { checkPersonalData } from './rules/personal-data.ts'
import { checkPricing } from './rules/pricing.ts'
import type { Rule, Strictness } from './rules/rule.ts'
import { checkSchemas } from './rules/schemas.ts'
import { checkSecrets } from './rules/secrets.ts'

const require = createRequire(import.meta.url)
const loadExplain = lazyModule<typeof Explain>(() => require('./explain-card-errors.ts'))

const RULES: readonly Rule[] = [
  checkIdentity,
  checkCapabilities,
  checkSchemas,
  checkEndpoint,
  checkPricing,
  checkMetadata,
  checkPersonalData,
  checkSecrets,
]

/**
 * Validates an agent card (AgentCard §5 and the MUSTs of §2), given as the object or a string that contains it, and
 * returns all issues in reading order. The rules that a schema cannot express are also applied to a card with schema
 * errors, so that all problems are reported at once. Unknown members are ignored at every level. If no issue is an
 * error, `openCard` returns an `AgentCard`.
 * @param options `lenient`: deviations that the dialect of the community repository allows are warnings.
 */
export function validateAgentCard(input: Document | Json, options: JudgeOptions = {}): Issue[] {
  const document = input instanceof Document ? input : undefined
  const value = input instanceof Document ? input.value : input
  const lenient = options.lenient ?? false
  const findings = [
    ...encodingOf(document, lenient),
    ...judge(value, { lenient, findSchema: options.findSchema }),
  ]
  const issues = placeFindings(findings, document)
  return document === undefined || document.warnings.length === 0 ? issues : [...document.warnings, ...issues]
}

function judge(value: Json, strictness: Strictness): Finding[] {
  const { card, findings } = openCard(value)
  if (typeof card === 'string') return [...findings]
  const schema = validate(card) ? [] : explain(card, strictness.lenient)
  if (!isObject(card)) return schema
  // Authors choose the keys of metadata; reserved keys have a separate rule.
  const typos = findLikelyTypos(agentCardSchema, card, 'CARD-1.1-03').filter(
    ({ pointer }) => !pointer.startsWith('/metadata/'),
  )
  return [...findings, ...schema, ...RULES.flatMap((rule) => [...rule(card, strictness)]), ...typos]
}

function explain(card: Json, lenient: boolean): Finding[] {
  const { explainCardErrors } = loadExplain()
  return explainCardErrors(validate.errors ?? [], card, lenient)
}

/** Returns an error if a card is not JSON (§3); readers need not support other encodings. */
function encodingOf(document: Document | undefined, lenient: boolean): Finding[] {
  if (document === undefined || document.encoding === 'json') return []
  const { encoding } = document
  return [
    {
      severity: lenient ? 'warning' : 'error',
      code: 'CARD_NOT_JSON',
      pointer: '',
      message: `an agent card must be JSON, not ${encoding === 'yaml' ? 'YAML' : encoding === 'cbor' ? 'CBOR' : 'MessagePack'}`,
      hint: 'convert it to JSON: waybill transcode FILE --to json',
      rule: 'CARD-2-03',
    },
  ]
}
