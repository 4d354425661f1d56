import { exactText } from '../../document/exact-numbers.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import type { Plan } from '../../plan/plan.ts'
import { destinationsIn, destinationText, keysIn } from '../../policy/destination/destination.ts'
import type { RunState, UserMessage } from '../state.ts'

/**
 * A fenced text of the system prompt (see `system-prompt.ts`). Its name is a hash of its content, so the text
 * cannot close its own fence.
 */
const FENCED = /<(data-[0-9a-f]{16})>\n[\s\S]*?\n<\/\1>/g

/**
 * Checks whether a write goes to a destination that the user has not named, after the run has read text that
 * could have named it: a tool's result, a fetched text, memory, another agent. That is the sign of an
 * injected instruction. As a heuristic it leads to a question for a person, not to a refusal.
 * @returns why a person must look at the call, or null
 */
export function taintOf(plan: Plan, state: RunState, args: JsonObject): string | null {
  const wanted = destinationsIn(args)
  if (wanted.length === 0) return null
  const texts = untrustedTexts(plan, state)
  if (texts.length === 0) return null
  const named = new Set(userNamedDestinations(state))
  const unnamed = wanted.filter(({ key }) => !named.has(key))
  if (unnamed.length === 0) return null
  const untrusted = texts.map(destinationText)
  const read = new Set(texts.flatMap(keysIn))
  const foreign = unnamed.find(({ key }) => read.has(key) || untrusted.some((text) => text.includes(key)))
  if (foreign !== undefined)
    return `${JSON.stringify(foreign.key)} was named by a tool's result, a text or a memory, and not by the user: it may be an injected instruction`
  // If the destination was transformed or assembled from parts, require that the definition's author named
  // it.
  const author = new Set(keysIn(plan.system_prompt.replaceAll(FENCED, '')))
  const invented = unnamed.find(({ key, bare }) => !bare && !author.has(key))
  return invented === undefined
    ? null
    : `${JSON.stringify(invented.key)} was named neither by the user nor by the agent's author: it may be an injected instruction`
}

/**
 * Returns the destinations that the user has named. The input of a sub-agent was written by another agent's
 * model, which may have followed an injected instruction: of that input, only destinations count that the
 * caller knows from the user.
 */
export function userNamedDestinations(state: RunState): readonly string[] {
  if (state.depth > 0) return state.named
  const byTrigger = (state.triggered && state.turn === 1) || saidByTrigger(state)
  const named = byTrigger ? [] : [...keysIn(state.input)]
  const first = triggerMessage(state)
  for (const message of state.messages.toArray()) {
    if (message.role === 'user' && message !== first && message.repair !== true && !isUntrusted(message))
      named.push(...keysIn(message.text))
  }
  return [...new Set(named)]
}

/** Returns all text from untrusted sources. */
function untrustedTexts(plan: Plan, state: RunState): readonly string[] {
  const fenced = plan.system_prompt.match(FENCED) ?? []
  const texts: string[] = [...fenced]
  for (const { declared, description } of plan.tools) if (declared !== undefined) texts.push(description)
  if (state.depth > 0) texts.push(textOf(state.input))
  const first = triggerMessage(state)
  if (first !== undefined) texts.push(first.text)
  for (const message of state.messages.toArray()) {
    if (message.role === 'tool') texts.push(textOf(message.result))
    if (message.role === 'user' && isUntrusted(message)) texts.push(message.text)
  }
  for (const call of state.calls) if (call.result !== undefined) texts.push(textOf(call.result))
  return texts
}

/**
 * Returns the input of a run that a trigger began. It is untrusted: for example, any user who may create a
 * file chooses its name.
 */
function triggerMessage({ triggered, messages }: RunState): UserMessage | undefined {
  if (!triggered) return undefined
  return messages
    .toArray()
    .find((message): message is UserMessage => message.role === 'user' && !isRelayed(message))
}

/** Returns true if a trigger has taken the message that began the turn. */
function saidByTrigger({ messages, turn_start }: RunState): boolean {
  const said = messages.toArray()[turn_start.messages]
  return said?.role === 'user' && said.triggered === true
}

function isUntrusted(message: UserMessage): boolean {
  return message.triggered === true || isRelayed(message)
}

/** Returns true if the runtime inserted this message, to pass on memory items or another agent's answer. */
function isRelayed({ recalled, others }: UserMessage): boolean {
  return recalled !== undefined || others === true
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : exactText(value)
}
