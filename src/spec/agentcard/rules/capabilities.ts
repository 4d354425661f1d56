import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { itemsAt, textAt } from '../../loose-members.ts'
import { CAPABILITY_ID } from '../agent-card.schema.ts'
import { capabilitiesOf } from '../capabilities-of.ts'
import { NAMESPACES } from '../vocabulary.ts'

const ID = new RegExp(CAPABILITY_ID)

/** Checks recommendations for capabilities (§2.4), and limits that other readers enforce. */
export function* checkCapabilities(card: JsonObject): Iterable<Finding> {
  const seen = new Map<string, string>()
  for (const { pointer, capability } of capabilitiesOf(card)) {
    const id = textAt(capability, 'id')
    if (id !== undefined) yield* checkId(id, `${pointer}/id`, seen)
    yield* checkDescription(capability, pointer)
    yield* checkTags(capability, pointer)
  }
}

function* checkId(id: string, pointer: string, seen: Map<string, string>): Iterable<Finding> {
  const first = seen.get(id)
  if (first === undefined) seen.set(id, pointer)
  else {
    yield {
      severity: 'warning',
      code: 'CAPABILITY_REPEATED',
      pointer,
      message: `${first} has the same id: callers cannot distinguish the two`,
      hint: 'give each capability a unique id',
      rule: 'WB-CARD-01',
    }
  }
  if (id.length > 128) yield tooLong(pointer, 'a capability id', 128)
  if (isNamespaced(id) || !ID.test(id)) return
  yield {
    severity: 'info',
    code: 'NAMESPACE_UNUSUAL',
    pointer,
    message: 'this id is not in a namespace that all readers know',
    hint: `begin it with ${NAMESPACES.map((name) => `${name}.`).join(', ')}, or with your reversed domain, such as com.example.`,
    rule: 'CARD-2.4-04',
  }
}

/**
 * Returns true for a conventional or a private namespace; a private one is a reversed domain with at least two labels
 * before the name.
 */
function isNamespaced(id: string): boolean {
  const [namespace = '', ...rest] = id.split('.')
  if (NAMESPACES.includes(namespace)) return rest.some((label) => label !== '')
  return /^[a-z]{2,24}$/.test(namespace) && rest.length >= 2 && rest.every((label) => label !== '')
}

function* checkDescription(capability: JsonObject, pointer: string): Iterable<Finding> {
  const description = Object.hasOwn(capability, 'description') ? capability.description : ''
  if (typeof description !== 'string') return
  if (description.length > 512 && [...description].length > 512) {
    yield tooLong(`${pointer}/description`, 'a description', 512)
  }
  if (description.trim() !== '') return
  yield {
    severity: 'warning',
    code: 'DESCRIPTION_MISSING',
    pointer: `${pointer}/description`,
    mark: Object.hasOwn(capability, 'description') ? 'value' : 'parent',
    message: 'this capability has no description, which models and people need to choose it',
    hint: 'describe its function, input and output in one to three sentences',
    rule: 'CARD-2.4-06',
  }
}

function* checkTags(capability: JsonObject, pointer: string): Iterable<Finding> {
  const tags = itemsAt(capability, 'tags')
  const seen = new Set<unknown>()
  for (const [index, tag] of tags.entries()) {
    if (typeof tag !== 'string') continue
    const place = `${pointer}/tags/${index}`
    if (tag.length > 64 && [...tag].length > 64) yield tooLong(place, 'a tag', 64)
    if (seen.has(tag)) {
      yield {
        severity: 'warning',
        code: 'TAG_REPEATED',
        pointer: place,
        message: 'this tag is a duplicate, which some readers refuse',
        hint: 'keep one of them',
        rule: 'WB-CARD-02',
      }
    }
    seen.add(tag)
  }
}

function tooLong(pointer: string, what: string, limit: number): Finding {
  return {
    severity: 'warning',
    code: 'LONG_FOR_OTHERS',
    pointer,
    message: `${what} of more than ${limit} characters is allowed, but some readers refuse it`,
    hint: `shorten it to ${limit} characters`,
    rule: 'WB-CARD-02',
  }
}
