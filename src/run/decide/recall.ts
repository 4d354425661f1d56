import type { Program } from '../../plan/plan.ts'
import type { Decision, FactOf } from '../event.ts'
import { usableMemory } from '../kept-items.ts'
import type { MemoryItem, RunState } from '../state.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { nextQuestion } from './next-question.ts'
import { recalledItemName, recalledText } from './recalled-text.ts'

type MemoryRead = FactOf<'memory.read'>

/**
 * Asks the agent's own model for the first time in a turn. If the plan has memory, the memory is read first.
 */
export function firstQuestion(program: Program, state: RunState, at: number): Decision {
  if (usableMemory(program.plan).length > 0) return { recall: true }
  return mergeDecisions(addItems(state, passedOn(state)), nextQuestion(program, state, at))
}

/**
 * Asks the agent's own model, with the memory items that were read.
 * @returns null if another turn has begun since the read, or if the run is paused (it reads again on resume)
 */
export function memoryRead(program: Program, state: RunState, fact: MemoryRead, at: number): Decision | null {
  if (!state.recalling || fact.turn !== state.turn || state.status === 'paused') return null
  // A failed read gives a warning and does not end the run: the model can still search the memory.
  const warnings = fact.warnings ?? []
  return mergeDecisions(
    warnings.length > 0 ? { warnings } : {},
    addItems(state, [...passedOn(state), ...fact.items]),
    nextQuestion(program, state, at),
  )
}

function passedOn(state: RunState): readonly MemoryItem[] {
  return state.memory.filter((item) => item.passed === true)
}

/** Adds the items to the conversation that are not in it yet. */
function addItems(state: RunState, items: readonly MemoryItem[]): Decision {
  const known = new Set<string>()
  for (const message of state.messages.toArray()) {
    if (message.role === 'user') for (const name of message.recalled ?? []) known.add(name)
  }
  const fresh = items.filter((item) => {
    const name = recalledItemName(item)
    if (known.has(name)) return false
    known.add(name)
    return true
  })
  if (fresh.length === 0) return {}
  return { recalled: { text: recalledText(fresh), items: fresh.map(recalledItemName) } }
}
