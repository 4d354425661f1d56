import { canonicalize } from '../document/canonical.ts'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import type { PlanMeaning } from './plan-meaning.ts'

/**
 * Returns what changed between a reviewed plan and the plan of a run, in words, one text for each difference. The
 * texts of an agent begin with its alias, except those of the started agent. Empty: the plans mean the same.
 */
export function planChanges(before: PlanMeaning, after: PlanMeaning): readonly string[] {
  const paths = [...new Set([...Object.keys(before.agents), ...Object.keys(after.agents)])].sort()
  const ofAgents = paths.flatMap((path) => {
    const was = own(before.agents, path)
    const is = own(after.agents, path)
    const name = path === '' ? '' : `sub-agent ${path}: `
    if (was === undefined) return [`${name}added`]
    if (is === undefined) return [`${name}removed`]
    return changesOf(was, is).map((change) => `${name}${change}`)
  })
  return [...ofAgents, ...changesOf(before.operator, after.operator)]
}

/** The noun for one item of a list or of a table, by the member of the plan. */
const NOUNS: Readonly<Record<string, string>> = {
  models: 'model',
  tools: 'tool',
  subagents: 'sub-agent',
  memory: 'memory',
  triggers: 'trigger',
  hooks: 'hook',
  extensions: 'extension',
  constraints: 'constraint',
  secrets: 'secret',
  hosts: 'host',
  denied_hosts: 'denied host',
  secret_grants: 'permission to send',
  unasked_calls: 'calls without approval:',
  not_applied: 'not applied:',
  refusals: 'refusal',
  aging: 'context',
  mcp_servers: 'MCP server',
  functions: 'function',
  key_bindings: 'key of',
}

/** Other names of members. */
const WORDS: Readonly<Record<string, string>> = {
  system_prompt: 'instructions',
  eligible: 'can be used',
  works: 'can start runs here',
  leads_to: 'leads to',
  agent_name: 'name',
  agent_version: 'version',
  read_only: 'reads only',
}

const GATES: Readonly<Record<string, string>> = {
  allow: '`allowed`',
  ask: '`needs approval`',
  deny: '`denied`',
}

function changesOf(before: JsonObject, after: JsonObject): readonly string[] {
  return membersOf(before, after).flatMap((member) => {
    const noun = own(NOUNS, member)
    const was = own(before, member)
    const is = own(after, member)
    return noun === undefined ? changed(wordOf(member), was, is) : itemChanges(noun, was, is)
  })
}

function membersOf(before: JsonObject, after: JsonObject): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
}

/** Names come from definitions, and `constructor` is an inherited member of each object. */
function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function wordOf(member: string): string {
  return own(WORDS, member) ?? member.replaceAll('_', ' ')
}

function itemChanges(noun: string, before: Json | undefined, after: Json | undefined): readonly string[] {
  const was = itemsOf(before)
  const is = itemsOf(after)
  const changes: string[] = []
  for (const [key, item] of was) {
    const now = is.get(key)
    if (now === undefined) changes.push(`${noun} ${key} removed`)
    else changes.push(...partChanges(`${noun} ${key}`, item, now))
  }
  for (const [key, item] of is) if (!was.has(key)) changes.push(`${noun} ${key} added${gateOf(item)}`)
  const common = (items: ReadonlyMap<string, Json>, other: ReadonlyMap<string, Json>) =>
    [...items.keys()].filter((key) => other.has(key)).join(', ')
  const order = common(was, is)
  const now = common(is, was)
  if (order !== now && Array.isArray(before)) changes.push(`${noun}: the order was ${order}, is ${now}`)
  return changes
}

function gateOf(item: Json): string {
  const gate = isObject(item) ? item.gate : undefined
  return typeof gate === 'string' ? ` (${gateText(gate)})` : ''
}

/** Returns the items of a list by their names, or the members of a table. */
function itemsOf(value: Json | undefined): ReadonlyMap<string, Json> {
  if (isObject(value)) return new Map(Object.entries(value))
  const items = new Map<string, Json>()
  for (const item of Array.isArray(value) ? value : []) {
    const name = nameOf(item)
    let key = name
    for (let n = 2; items.has(key); n += 1) key = `${name} #${n}`
    items.set(key, item)
  }
  return items
}

function nameOf(item: Json): string {
  if (!isObject(item)) return String(item)
  const { provider, provider_id, model, scope, key } = item
  if (model !== undefined) return `${provider_id ?? provider}/${model}`
  if (scope !== undefined) return `${scope} ${key}`
  return String(item.alias ?? item.hook ?? item.pointer ?? item.name ?? item.text ?? item.url)
}

function partChanges(label: string, before: Json, after: Json): readonly string[] {
  if (!isObject(before) || !isObject(after)) return changed(label, before, after)
  return membersOf(before, after).flatMap((member) => {
    const was = own(before, member)
    const is = own(after, member)
    if (member === 'gate' && was !== is) return [`${label}: was ${gateText(was)}, is ${gateText(is)}`]
    return changed(`${label}: ${wordOf(member)}`, was, is)
  })
}

function gateText(gate: Json | undefined): string {
  return own(GATES, String(gate)) ?? String(gate)
}

/** A longer text is compared line by line, and a longer value is not quoted. */
const LONGEST_QUOTE = 80

function changed(label: string, before: Json | undefined, after: Json | undefined): readonly string[] {
  if (equal(before, after)) return []
  if (isObject(before) && isObject(after))
    return membersOf(before, after).flatMap((member) =>
      changed(`${label}: ${wordOf(member)}`, own(before, member), own(after, member)),
    )
  if (typeof before === 'string' && typeof after === 'string' && before.length + after.length > LONGEST_QUOTE)
    return [`${label} changed\n${lineChanges(before, after).join('\n')}`]
  const was = quoted(before)
  const is = quoted(after)
  return [was === null || is === null ? `${label} changed` : `${label}: was ${was}, is ${is}`]
}

function quoted(value: Json | undefined): string | null {
  if (value === undefined) return 'absent'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST_QUOTE || text.includes('\n') ? null : text
}

const MOST_LINES = 6
const LONGEST_LINE = 160

/** Returns the removed and added lines; equal lines at the beginning and the end are left out. */
export function lineChanges(before: string, after: string): readonly string[] {
  const was = before.split('\n')
  const is = after.split('\n')
  let from = 0
  while (from < was.length && from < is.length && was[from] === is[from]) from += 1
  let end = 0
  while (end < was.length - from && end < is.length - from && was.at(-1 - end) === is.at(-1 - end)) end += 1
  return [...shown('-', was.slice(from, was.length - end)), ...shown('+', is.slice(from, is.length - end))]
}

function shown(mark: string, lines: readonly string[]): readonly string[] {
  const cut = lines.slice(0, MOST_LINES).map((line) => `${mark} ${line.slice(0, LONGEST_LINE)}`)
  return lines.length > MOST_LINES ? [...cut, `${mark} … ${lines.length - MOST_LINES} more lines`] : cut
}

function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return canonicalize(a) === canonicalize(b)
}
