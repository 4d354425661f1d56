import { defined } from '../document/defined.ts'
import type { Json, JsonObject } from '../document/json.ts'
import { apply } from '../run/apply.ts'
import type { RunEvent } from '../run/event.ts'
import { initialState } from '../run/initial-state.ts'
import type { AssistantMessage, CallEntry, Message, RunState, ToolCall } from '../run/state.ts'

/** What an agent did, as far as another run of it can be compared: without ids, times and counts of tokens. */
export type RunStep =
  | { readonly type: 'input'; readonly input: Json }
  | { readonly type: 'answer'; readonly text: string; readonly calls: readonly JsonObject[] }
  | {
      readonly type: 'call'
      readonly tool: string
      readonly args: JsonObject
      readonly result: Json
      readonly error?: true
    }
  | { readonly type: 'decision'; readonly tool: string; readonly verdict: string }
  | { readonly type: 'end'; readonly status: string; readonly code?: string; readonly output?: Json }

/** A step that only one of two runs has, with its number in that run, from 1. */
export type StepChange =
  | { readonly first: { readonly n: number; readonly step: RunStep } }
  | { readonly second: { readonly n: number; readonly step: RunStep } }

/** Returns what a run did, in order. A restored run includes the conversation that it continues. */
export function stepsOf(events: readonly RunEvent[]): readonly RunStep[] {
  const steps: RunStep[] = []
  let state: RunState = initialState('', '', '')
  const made = new Map<string, ToolCall>()
  for (const event of events) {
    const next = apply(state, event)
    const { fact, decision } = event
    if (fact.type === 'run.started' || fact.type === 'user.said')
      steps.push({ type: 'input', input: fact.input })
    if (fact.type === 'messages.restored')
      for (const message of fact.messages) steps.push(restoredStep(message, made))
    if (fact.type === 'model.answered') steps.push(answerStep(fact.message))
    if (fact.type === 'person.decided') {
      const tool = state.calls.find(({ id }) => id === fact.call_id)?.tool
      if (tool !== undefined) steps.push({ type: 'decision', tool, verdict: fact.verdict })
    }
    for (const call of finishedBy(state, next)) steps.push(callStep(call))
    if (decision.end !== undefined) {
      const { status, output, error } = decision.end
      steps.push({ type: 'end', status, ...defined({ code: error?.code, output }) })
    }
    state = next
  }
  return steps
}

/** Returns the calls that an event has finished, in call order. A settled round has left the state. */
function finishedBy(before: RunState, after: RunState): readonly CallEntry[] {
  const open = new Set(before.calls.filter(({ status }) => status !== 'done').map(({ key }) => key))
  const known = new Set(before.calls.map(({ key }) => key))
  const seen = after.calls.filter(
    ({ key, status }) => status === 'done' && (open.has(key) || !known.has(key)),
  )
  const settled = after.messages
    .toArray()
    .slice(before.messages.length)
    .flatMap((message) => (message.role === 'tool' ? [message] : []))
  const last = settled.flatMap(({ call_id, result, error }): readonly CallEntry[] => {
    const call = before.calls.find(({ id, status }) => id === call_id && status !== 'done')
    return call === undefined ? [] : [{ ...call, status: 'done', result, ...defined({ error }) }]
  })
  return [...last, ...seen]
}

function callStep({ tool, args, result = null, error, agent }: CallEntry): RunStep {
  const given = agent === undefined ? args : { task: agent.input }
  return { type: 'call', tool, args: given, result, ...defined({ error }) }
}

function answerStep({ text, calls }: AssistantMessage): RunStep {
  return { type: 'answer', text, calls: calls.map(({ tool, args }) => ({ tool, args })) }
}

/** @param made the calls of earlier answers, by id, to which this adds those of the message */
function restoredStep(message: Message, made: Map<string, ToolCall>): RunStep {
  switch (message.role) {
    case 'user':
      return { type: 'input', input: message.text }
    case 'assistant':
      for (const call of message.calls) made.set(call.id, call)
      return answerStep(message)
    case 'tool': {
      const { tool, result, error } = message
      const args = made.get(message.call_id)?.args ?? {}
      return { type: 'call', tool, args, result, ...defined({ error }) }
    }
  }
}

/** Longer runs are compared step by step, because the table would take too much memory. */
const MOST_PAIRS = 4_000_000

/**
 * Compares what two runs did.
 * @returns the steps that only one of them has, in order; empty if the runs did the same
 */
export function compareSteps(first: readonly RunStep[], second: readonly RunStep[]): readonly StepChange[] {
  const [a, b] = [first.map(textOf), second.map(textOf)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  const [left, right] = [a.slice(start), b.slice(start)]
  const common = left.length * right.length > MOST_PAIRS ? [] : commonSteps(left, right)
  const changes: StepChange[] = []
  let [at, beside] = [0, 0]
  for (const [i, j] of [...common, [left.length, right.length] as const]) {
    for (; at < i; at++) changes.push({ first: { n: start + at + 1, step: first[start + at] as RunStep } })
    for (; beside < j; beside++)
      changes.push({ second: { n: start + beside + 1, step: second[start + beside] as RunStep } })
    at++
    beside++
  }
  return changes
}

function textOf(step: RunStep): string {
  return JSON.stringify(step)
}

/** Returns a longest list of index pairs of equal steps, in order. */
function commonSteps(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  const width = b.length + 1
  const lengths = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const pairs: (readonly [number, number])[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}
