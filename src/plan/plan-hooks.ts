import type { OperatorSettings } from './operator-settings.ts'
import type { HookName, PlannedHook } from './plan.ts'
import type { Snapshot } from './snapshot.ts'

export const HOOKS: readonly HookName[] = ['on_start', 'on_complete', 'on_error', 'on_tool_call']

/** Returns the hooks of a run. Each is a function in the module of the operator; a definition only names them. */
export function planHooks(
  { definition, hooks = [] }: Snapshot,
  { rehearsal }: OperatorSettings,
): readonly PlannedHook[] {
  const { events } = definition.agent
  return HOOKS.flatMap((hook): PlannedHook[] => {
    const name = events?.[hook]
    if (name === undefined || !(rehearsal || hooks.includes(name))) return []
    return [{ hook, name, ...(rehearsal && { doubled: true as const }) }]
  })
}
