import { isObject, type Json, type JsonObject } from '../../document/json.ts'

/**
 * The members in which an answer has errors, warnings and findings. Others are content of users and agents, or signed
 * documents, whose texts must not change.
 */
const HOLDERS: ReadonlySet<string> = new Set([
  'error',
  'warnings',
  'details',
  'parts',
  'issues',
  'items',
  'results',
  'run',
  'plan',
  'agents',
  'models',
  'tools',
  'subagents',
  'degradations',
  'refusals',
  'triggers',
])

/** Members of what is signed or chained. */
const SIGNED = ['hash', 'sig', 'checksum', 'provenance'] as const

/** The texts of an error, a warning or a line of a plan that may name a way out. */
const TEXTS: ReadonlySet<string> = new Set(['hint', 'reason'])

/** Returns an answer in which the hints and reasons of errors, warnings and findings are changed. */
export function mapHints<T>(answer: T, change: (hint: string) => string): T {
  return mapped(answer as Json, change) as T
}

function mapped(value: Json, change: (hint: string) => string): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => mapped(item, change))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isObject(value) || isSigned(value)) return value
  let changed: JsonObject | undefined
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    const own =
      TEXTS.has(name) && typeof member === 'string'
        ? change(member)
        : HOLDERS.has(name)
          ? mapped(member, change)
          : member
    if (own !== member) changed = { ...(changed ?? value), [name]: own }
  }
  return changed ?? value
}

/** The `signature` of a plan is what a check has found, an object. */
function isSigned(value: JsonObject): boolean {
  return typeof value.signature === 'string' || SIGNED.some((name) => Object.hasOwn(value, name))
}
