import type { AnyCode } from '../../document/codes.ts'
import type { Program } from '../../plan/plan.ts'
import type { Decision, FactOf } from '../event.ts'
import { declaredItems, itemToSave, memoryAct, usableMemory, withItems } from '../kept-items.ts'
import type { CallEntry, MemoryItem, RunState, RunWarning } from '../state.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { nextQuestion } from './next-question.ts'
import { recalledText, toldName } from './recalled-text.ts'

type MemoryRead = FactOf<'memory.read'>

/** The first question of a turn to the agent's own model; what is remembered is looked up before it. */
export function firstQuestion(program: Program, state: RunState, at: number): Decision {
  if (usableMemory(program.plan).length > 0) return { recall: true }
  return mergeDecisions(tell(state, passedOn(state)), nextQuestion(program, state, at))
}

/** @returns null when another turn has begun since it was asked for, or the run is paused and asks again */
export function memoryRead(program: Program, state: RunState, fact: MemoryRead, at: number): Decision | null {
  if (!state.recalling || fact.turn !== state.turn || state.status === 'paused') return null
  // A memory that fails is said and the run goes on: what it does not know it can still ask.
  const warnings = fact.warnings ?? []
  return mergeDecisions(
    warnings.length > 0 ? { warnings } : {},
    tell(state, [...passedOn(state), ...fact.items]),
    nextQuestion(program, state, at),
  )
}

/** What the record itself begins to hold with a run: declared items that live there, and what a caller passed on. */
export function firstItems(program: Program, fact: FactOf<'run.started'>, at: number): readonly MemoryItem[] {
  const passed = (fact.memory?.items ?? []).map(
    (item): MemoryItem => ({ ...item, scope: 'task', passed: true }),
  )
  return withItems(declaredItems(program.plan, at), passed)
}

/** An item that a call has just kept in the record of the run. */
export function remembered(program: Program, call: CallEntry, at: number): Decision {
  if (memoryAct(program.tool.get(call.tool)) !== 'save') return {}
  const { entry, item } = itemToSave(program.plan, call.args, at)
  return entry.kept_in === 'in_memory' ? { remember: [item] } : {}
}

/** The model learns of a failed call from its result; the person must learn of what was not remembered. */
export function memoryFailed(
  program: Program,
  call: CallEntry,
  failure: { readonly code: AnyCode; readonly message: string },
): readonly RunWarning[] {
  if (memoryAct(program.tool.get(call.tool)) === null) return []
  return [{ code: failure.code, message: `${call.tool}: ${failure.message}` }]
}

function passedOn(state: RunState): readonly MemoryItem[] {
  return state.memory.filter((item) => item.passed === true)
}

/** Tells the model what this conversation has not told it yet. */
function tell(state: RunState, items: readonly MemoryItem[]): Decision {
  const told = new Set<string>()
  for (let index = 0; index < state.messages.length; index++) {
    const message = state.messages.at(index)
    if (message?.role === 'user') for (const name of message.recalled ?? []) told.add(name)
  }
  const fresh = items.filter((item) => {
    const name = toldName(item)
    if (told.has(name)) return false
    told.add(name)
    return true
  })
  if (fresh.length === 0) return {}
  return { recalled: { text: recalledText(fresh), items: fresh.map(toldName) } }
}
