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
import type { Rule } from './rules/rule.ts'
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
 * Everything there is to say about an agent card (AgentCard §5 and the MUSTs of §2), in reading order: the object
 * itself or a string that holds it. The rules that a schema cannot say look at a card that is broken elsewhere too,
 * so that all problems come at once. Unknown members are ignored at every level. Without errors among the issues,
 * `openCard` gives an `AgentCard`.
 * @param options `lenient` makes warnings of what only the dialect of the community repository allows.
 */
export function validateAgentCard(input: Document | Json, options: JudgeOptions = {}): Issue[] {
  const document = input instanceof Document ? input : undefined
  const value = input instanceof Document ? input.value : input
  const lenient = options.lenient ?? false
  const findings = [...encodingOf(document, lenient), ...judge(value, lenient)]
  const issues = placeFindings(findings, document)
  return document === undefined || document.warnings.length === 0 ? issues : [...document.warnings, ...issues]
}

function judge(value: Json, lenient: boolean): Finding[] {
  const { card, findings } = openCard(value)
  if (typeof card === 'string') return [...findings]
  const schema = validate(card) ? [] : explain(card, lenient)
  if (!isObject(card)) return schema
  // Keys of metadata are of their authors' choice; the reserved ones have a rule of their own.
  const typos = findLikelyTypos(agentCardSchema, card, 'CARD-1.1-03').filter(
    ({ pointer }) => !pointer.startsWith('/metadata/'),
  )
  return [...findings, ...schema, ...RULES.flatMap((rule) => [...rule(card, { lenient })]), ...typos]
}

function explain(card: Json, lenient: boolean): Finding[] {
  const { explainCardErrors } = loadExplain()
  return explainCardErrors(validate.errors ?? [], card, lenient)
}

/** A card is JSON (§3): no reader need understand another encoding of it. */
function encodingOf(document: Document | undefined, lenient: boolean): Finding[] {
  if (document === undefined || document.encoding === 'json') return []
  const { encoding } = document
  return [
    {
      severity: lenient ? 'warning' : 'error',
      code: 'CARD_NOT_JSON',
      pointer: '',
      message: `an agent card is JSON, and this is ${encoding === 'yaml' ? 'YAML' : encoding === 'cbor' ? 'CBOR' : 'MessagePack'}`,
      hint: 'turn it into JSON: waybill transcode FILE --to json',
      rule: 'CARD-2-03',
    },
  ]
}
