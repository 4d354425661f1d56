import type { Finding } from '../../document/finding.ts'
import type { Issue } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { appendStep } from '../../document/json-pointer.ts'
import { readDocument } from '../../document/read-document.ts'

/** A card as it is validated: parsed from its string, without optional members that are null. */
export interface OpenedCard {
  readonly card: Json
  /** Findings from opening the card. Pointers refer to the card. */
  readonly findings: readonly Finding[]
}

/**
 * Opens both forms of a card (AgentCard §3): the object, or a JSON string that contains it. Removes optional members
 * that are null, with a warning, because some authors write null for absent values. A string that does not contain an
 * object is returned unchanged, with errors.
 */
export function openCard(value: Json): OpenedCard {
  if (typeof value !== 'string') return withoutNulls(value)
  const notJson: Finding = {
    severity: 'error',
    code: 'CARD_NOT_OBJECT',
    pointer: '',
    message:
      'an agent card is a JSON object, or a string that contains one; this string does not contain an object',
    hint: 'write the object: {"agent_id": …, "name": …}',
    rule: 'CARD-2-03',
  }
  if (!/^\s*\{/.test(value)) return { card: value, findings: [notJson] }
  const read = readDocument(value, { encoding: 'json' })
  if (read.document === undefined) return { card: value, findings: read.issues.map(insideText) }
  const { card, findings } = withoutNulls(read.document.value)
  return { card, findings: [...read.document.warnings.map(insideText), ...findings] }
}

function insideText({ severity, code, message, hint, line, column }: Issue): Finding {
  const place = `line ${line}, column ${column} of the embedded text`
  return { severity, code, pointer: '', message: `${message} (${place})`, hint, rule: 'CARD-2-03' }
}

/** Optional members by the pointer of their object; `*` is any array index. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  '': ['pricing', 'metadata', 'goal_subscriptions'],
  '/capabilities/*': ['description', 'input_schema', 'output_schema', 'tags'],
  '/endpoint': ['auth'],
  '/endpoint/auth': ['scheme'],
  '/pricing': ['base_cost_joules', 'per_token_joules'],
  '/metadata': ['pacr:trust_tier', 'pacr:substrate_scope'],
  '/goal_subscriptions/*': ['description', 'priority'],
}
/** Members that are such objects. */
const INNER = ['capabilities', 'endpoint', 'auth', 'pricing', 'metadata', 'goal_subscriptions']

function withoutNulls(root: Json): OpenedCard {
  const findings: Finding[] = []
  const strip = (value: Json, place: string, pointer: string): Json => {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) {
      return value.map((item, index) => strip(item as Json, `${place}/*`, appendStep(pointer, index)))
    }
    const optional = OPTIONAL[place]
    if (optional === undefined) return value
    const kept: [string, Json][] = []
    for (const [name, member] of Object.entries(value as JsonObject)) {
      const at = appendStep(pointer, name)
      if (member === null && optional.includes(name)) findings.push(nullMember(name, at))
      else kept.push([name, INNER.includes(name) ? strip(member, `${place}/${name}`, at) : member])
    }
    return Object.fromEntries(kept)
  }
  const card = strip(root, '', '')
  return { card, findings }
}

function nullMember(name: string, pointer: string): Finding {
  return {
    severity: 'warning',
    code: 'NULL_AS_ABSENT',
    pointer,
    message: `${name} is null, which counts as absent`,
    hint: `remove "${name}": the draft does not allow null here`,
    rule: 'CARD-2-04',
  }
}
