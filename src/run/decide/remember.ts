import type { AnyCode } from '../../document/codes.ts'
import type { Program } from '../../plan/plan.ts'
import type { Decision, FactOf } from '../event.ts'
import { declaredItems, itemToSave, memoryAct, withItems } from '../kept-items.ts'
import type { CallEntry, MemoryItem, RunWarning } from '../state.ts'

/**
 * Returns the items that the run's own record holds from its start: declared items, and items passed on by a
 * caller.
 */
export function firstItems(program: Program, fact: FactOf<'run.started'>, at: number): readonly MemoryItem[] {
  const passed = (fact.memory?.items ?? []).map(
    (item): MemoryItem => ({ ...item, scope: 'task', passed: true }),
  )
  return withItems(declaredItems(program.plan, at), passed)
}

/** Keeps the item of a successful `memory_save` in the run's own record, if its entry is kept there. */
export function saveToRecord(program: Program, call: CallEntry, at: number): Decision {
  if (memoryAct(program.tool.get(call.tool)) !== 'save') return {}
  const { entry, item } = itemToSave(program.plan, call.args, at)
  return entry.kept_in === 'in_memory' ? { remember: [item] } : {}
}

/** Returns a warning for a failed memory call: its result informs the model only, and not the person. */
export function memoryWarnings(
  program: Program,
  call: CallEntry,
  failure: { readonly code: AnyCode; readonly message: string },
): readonly RunWarning[] {
  if (memoryAct(program.tool.get(call.tool)) === null) return []
  return [{ code: failure.code, message: `${call.tool}: ${failure.message}` }]
}
