import type { Json, JsonObject } from '../../document/json.ts'
import type { Plan } from '../../plan/plan.ts'
import { destinationsIn, destinationText, keysIn } from '../../policy/destination.ts'
import type { RunState, UserMessage } from '../state.ts'

/** A fenced text of the system prompt (see `system-prompt.ts`): its name is made from its own hash, so it ends where it says. */
const FENCED = /<(data-[0-9a-f]{16})>\n[\s\S]*?\n<\/\1>/g

/**
 * Whether the arguments of a write name a destination that the user has not named, after something was read that
 * could have named it: a tool's result, a fetched text, memory, another agent. It is the mark of an injected
 * instruction, and a heuristic on purpose: it leads to a question, not to a refusal.
 * @returns why a person should look, or null
 */
export function taintOf(plan: Plan, state: RunState, args: JsonObject): string | null {
  const wanted = destinationsIn(args)
  if (wanted.length === 0) return null
  const heard = heardBy(plan, state).map(destinationText)
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
  const byTrigger = state.triggered && state.turn === 1
  const said = byTrigger ? [] : [...keysIn(state.input)]
  const first = triggerMessage(state)
  for (const message of state.messages.toArray()) {
    if (message.role === 'user' && message !== first && message.repair !== true && !isTold(message))
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
  const first = triggerMessage(state)
  if (first !== undefined) texts.push(first.text)
  for (const message of state.messages.toArray()) {
    if (message.role === 'tool') texts.push(textOf(message.result))
    if (message.role === 'user' && isTold(message)) texts.push(message.text)
  }
  for (const call of state.calls) if (call.result !== undefined) texts.push(textOf(call.result))
  return texts
}

/** The input of a run that a trigger began: the name of a file, for one, is anybody's who may put one there. */
function triggerMessage({ triggered, messages }: RunState): UserMessage | undefined {
  if (!triggered) return undefined
  return messages
    .toArray()
    .find((message): message is UserMessage => message.role === 'user' && !isTold(message))
}

/** Whether the runtime has written it, to tell what somebody else has said. */
function isTold({ recalled, others }: UserMessage): boolean {
  return recalled !== undefined || others === true
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
