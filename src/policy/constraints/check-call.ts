import type { Json, JsonObject } from '../../document/json.ts'
import type { ConstraintRule } from './constraint-rule.ts'
import { showsPhrase } from './phrase.ts'

/** A tool call, with the history of the run, as input of a rule. */
export interface CallInQuestion {
  readonly tool: string
  readonly args: JsonObject
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Returns the number of earlier calls of each tool in this run. */
  readonly called: (tool: string) => number
  /** Returns true if a call of the tool has succeeded in this run. */
  readonly succeeded: (tool: string) => boolean
}

/** Returns how a tool call violates a rule, or null. */
export function breachOfCall(rule: ConstraintRule, call: CallInQuestion): string | null {
  if ('tool' in rule && rule.tool !== null && rule.tool !== call.tool) return null
  switch (rule.kind) {
    case 'never_call':
      return `${call.tool} must never be called`
    case 'call_after':
      return call.succeeded(rule.first) ? null : `${rule.first} must succeed before ${call.tool} is called`
    case 'call_count':
      return call.called(call.tool) >= rule.max
        ? `${call.tool} may be called at most ${rule.max} times in a run, which is used up`
        : null
    case 'call_time':
      return inWindow(rule, call.at) ? null : `${call.tool} may not be called at this time`
    case 'items': {
      const size = sizeOf(call.args[rule.argument])
      return size > rule.max
        ? `${rule.argument} has ${size} entries, but at most ${rule.max} are allowed`
        : null
    }
    case 'argument':
      return argumentFits(rule, argumentAt(call.args, rule.argument))
        ? null
        : `${rule.argument} does not meet the condition of the rule`
    case 'contains':
      // A phrase that an answer must not contain must not be sent in a call either.
      return !rule.must && textsIn(call.args).some((text) => showsPhrase(text, rule.phrase))
        ? `the arguments contain ${JSON.stringify(rule.phrase)}`
        : null
    default:
      return null
  }
}

/** Returns all strings in the arguments of a call: values and member names. */
function textsIn(value: Json): readonly string[] {
  if (value === null || typeof value !== 'object') return [String(value)]
  if (Array.isArray(value)) return value.flatMap((entry) => textsIn(entry as Json))
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member as Json)])
}

function inWindow(rule: Extract<ConstraintRule, { kind: 'call_time' }>, at: number): boolean {
  const date = new Date(at)
  const minute = date.getUTCHours() * 60 + date.getUTCMinutes()
  const day = date.getUTCDay()
  if (rule.weekdays && (day === 0 || day === 6)) return false
  return rule.from <= rule.to
    ? minute >= rule.from && minute < rule.to
    : minute >= rule.from || minute < rule.to
}

function sizeOf(value: Json | undefined): number {
  if (value === undefined || value === null) return 0
  if (Array.isArray(value)) return value.length
  if (typeof value === 'string') return value.split(/[,;]/).filter((part) => part.trim() !== '').length
  return 1
}

function argumentAt(args: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = args
  for (const step of path.split('.')) {
    if (value === null || typeof value !== 'object' || Array.isArray(value) || !Object.hasOwn(value, step))
      return undefined
    value = (value as JsonObject)[step]
  }
  return value
}

function argumentFits(rule: Extract<ConstraintRule, { kind: 'argument' }>, value: Json | undefined): boolean {
  // Every entry of a list must match; a missing argument does not match.
  if (Array.isArray(value))
    return value.length > 0 && value.every((entry) => argumentFits(rule, entry as Json))
  if (rule.test === 'below') return typeof value === 'number' && value <= Number(rule.value)
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false
  const text = String(value).trim().toLowerCase()
  if (rule.argument === 'to' && /[,;]/.test(text))
    return text.split(/[,;]/).every((part) => argumentFits(rule, part))
  const wanted = rule.value.toLowerCase()
  if (rule.test === 'is') return text === wanted
  return rule.test === 'starts' ? text.startsWith(wanted) : text.endsWith(wanted)
}
