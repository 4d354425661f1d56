import type { Json, JsonObject } from '../document/issue.ts'
import type { Plan } from '../plan/plan.ts'
import { foldText } from '../policy/pii/folded-text.ts'
import type { RunState } from './state.ts'

/** What a message is sent to: an address, a URL, a phone number, what stands for personal data; or a host, bare. */
const DESTINATION = new RegExp(
  [
    String.raw`(?<email>[\p{L}\p{N}_.+%-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)`,
    String.raw`(?<url>\b[a-z][a-z0-9+.-]*:[\\/]{2}[^\s"'<>\])}]+)`,
    String.raw`(?<ip>\b\d{1,3}(?:\.\d{1,3}){3}\b|\[[0-9a-f]*:[0-9a-f:.]+\])`,
    String.raw`(?<phone>(?:\+|\b00)\d[\d ()./-]{5,}\d)`,
    String.raw`(?<pii>\[[a-z][a-z0-9_-]*:\d+\]|pii:v1:[a-z0-9+/]{70,}==)`,
    String.raw`(?<host>(?<![\p{L}\p{N}.-])(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?![\p{L}\p{N}]))`,
  ].join('|'),
  'giu',
)

/** A fenced text of the system prompt (see `system-prompt.ts`): its name is made from its own hash, so it ends where it says. */
const FENCED = /<(data-[0-9a-f]{16})>\n[\s\S]*?\n<\/\1>/g

interface Destination {
  /** What it comes to, however it is written: of a URL its host. */
  readonly key: string
  /** A bare host may as well be the name of a file. */
  readonly bare: boolean
}

/**
 * Whether the arguments of a write name a destination that the user has not named, after something was read that
 * could have named it: a tool's result, a fetched text, memory, another agent. It is the mark of an injected
 * instruction, and a heuristic on purpose: it leads to a question, not to a refusal.
 * @returns why a person should look, or null
 */
export function taintOf(plan: Plan, state: RunState, args: JsonObject): string | null {
  const wanted = destinationsIn(args)
  if (wanted.length === 0) return null
  const heard = heardBy(plan, state).map(folded)
  if (heard.length === 0) return null
  const named = new Set(namedByUser(state))
  const unnamed = wanted.filter(({ key }) => !named.has(key))
  const foreign = unnamed.find(({ key }) => heard.some((text) => text.includes(key)))
  if (foreign !== undefined)
    return `${JSON.stringify(foreign.key)} was named by a tool's result, a text or a memory, and not by the user: it may be an injected instruction`
  // Spelled otherwise than it was heard, or put together from parts: then at least the author must have named it.
  const author = new Set(keysIn(plan.system_prompt.replaceAll(FENCED, '')))
  const invented = unnamed.find(({ key, bare }) => !bare && !author.has(key))
  return invented === undefined
    ? null
    : `${JSON.stringify(invented.key)} was named neither by the user nor by the agent's author: it may be an injected instruction`
}

/**
 * The destinations that the user has named. What a sub-agent is given was written by the model of another, which may
 * have been told to: of what it is told, only that counts which its caller knows from the user.
 */
export function namedByUser(state: RunState): readonly string[] {
  if (state.depth > 0) return state.named
  const said = [...keysIn(state.input)]
  for (let index = 0; index < state.messages.length; index++) {
    const message = state.messages.items[index]
    if (message?.role === 'user' && message.repair !== true && message.recalled === undefined)
      said.push(...keysIn(message.text))
  }
  return [...new Set(said)]
}

/** What strangers have said. */
function heardBy(plan: Plan, state: RunState): readonly string[] {
  const heard = plan.system_prompt.match(FENCED) ?? []
  const texts: string[] = [...heard]
  for (const { declared, description } of plan.tools) if (declared !== undefined) texts.push(description)
  if (state.depth > 0) texts.push(textOf(state.input))
  for (let index = 0; index < state.messages.length; index++) {
    const message = state.messages.items[index]
    if (message?.role === 'tool') texts.push(textOf(message.result))
    if (message?.role === 'user' && message.recalled !== undefined) texts.push(message.text)
  }
  for (const call of state.calls) if (call.result !== undefined) texts.push(textOf(call.result))
  return texts
}

function keysIn(value: Json): readonly string[] {
  return destinationsIn(value).map(({ key }) => key)
}

function destinationsIn(value: Json): readonly Destination[] {
  if (typeof value === 'string') return inText(value)
  if (typeof value === 'number' || value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) return value.flatMap((entry) => destinationsIn(entry as Json))
  return Object.entries(value).flatMap(([name, member]) => [...inText(name), ...destinationsIn(member)])
}

function inText(text: string): readonly Destination[] {
  return [...folded(text).matchAll(DESTINATION)].map((match): Destination => {
    const { url, phone, host } = match.groups ?? {}
    if (url !== undefined) {
      // A special scheme's rules for everybody: `ftp:\\host` is what a lenient reader takes it for.
      const at = URL.parse(url.replace(/^[^:]*:/, 'https:'))
      return { key: at === null || at.hostname === '' ? url : at.hostname.replace(/\.$/, ''), bare: false }
    }
    if (phone !== undefined) return { key: phone.replaceAll(/[^\d+]/g, ''), bare: false }
    return { key: match[0], bare: host !== undefined }
  })
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function folded(text: string): string {
  return foldText(text).text.toLowerCase()
}
