import type { Json, JsonObject } from '../document/issue.ts'
import type { RunState } from './state.ts'

/** What a message is sent to: an address, a URL, a host, a phone number, or what stands for personal data. */
const DESTINATION =
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?:\/\/[^\s"'<>\])}]+|\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b|\+\d[\d ()-]{6,}\d|\[[a-z][a-z0-9_-]*:\d+\]|pii:v1:[a-z0-9+/]{70,}==/gi

/**
 * Whether the arguments of a write name a destination that came from an untrusted source (a tool's result) and not
 * from the user: the mark of an injected instruction. A heuristic on purpose: it leads to a question, not to a refusal.
 * @returns why a person should look, or null
 */
export function taintOf(state: RunState, args: JsonObject): string | null {
  const wanted = destinationsIn(args)
  if (wanted.length === 0) return null
  const said: string[] = [comparable(textOf(state.input))]
  const heard: string[] = []
  for (let index = 0; index < state.messages.length; index++) {
    const message = state.messages.items[index]
    if (message?.role === 'user' && message.repair !== true) said.push(comparable(message.text))
    if (message?.role === 'tool') heard.push(comparable(textOf(message.result)))
  }
  for (const call of state.calls) if (call.result !== undefined) heard.push(comparable(textOf(call.result)))
  const foreign = wanted.find(
    (destination) =>
      !said.some((text) => text.includes(destination)) && heard.some((text) => text.includes(destination)),
  )
  return foreign === undefined
    ? null
    : `${JSON.stringify(foreign)} was named by a tool's result and not by the user: it may be an injected instruction`
}

function destinationsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return (value.match(DESTINATION) ?? []).map(comparable)
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap((member) => destinationsIn(member as Json))
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase()
}
