import { type CompiledCondition, compileCondition } from '../condition/compile-condition.ts'
import { defined } from '../document/defined.ts'
import type { Json, JsonObject } from '../document/json.ts'
import type { AgentDefinition, Trigger } from '../spec/aaif/generated/agent.ts'

/** What starts an agent by itself (AAIF events.triggers), as far as it needs nothing but this machine. */
export interface PlannedTrigger {
  /** JSON Pointer into the definition. */
  readonly pointer: string
  readonly type: Trigger['type']
  readonly schedule?: string
  /** Of file_change: what is watched, relative to the definition's folder. */
  readonly path?: string
  readonly filter?: CompiledCondition
  /** Why it never starts a run here. */
  readonly reason?: string
}

/**
 * Reads the triggers of a definition. The format has no member for the path of a `file_change`; its `event_name`
 * names it, and without one it is the whole folder of the definition.
 */
export function planTriggers({ agent }: AgentDefinition): readonly PlannedTrigger[] {
  return (agent.events?.triggers ?? []).map((trigger, index): PlannedTrigger => {
    const reason = whyNot(trigger)
    return {
      pointer: `/agent/events/triggers/${index}`,
      type: trigger.type,
      ...defined({ schedule: trigger.schedule }),
      ...(trigger.type === 'file_change' && { path: trigger.event_name ?? '.' }),
      ...(trigger.filter !== undefined && { filter: compileCondition(trigger.filter) }),
      ...defined({ reason }),
    }
  })
}

function whyNot({ type, schedule, filter }: Trigger): string | undefined {
  // Words for people decide nothing, and what nobody can decide must not start anything (AAIF §5).
  if (typeof filter === 'string')
    return `its filter "${filter.slice(0, 80)}" is a text, which cannot be decided; write it as { lang, expr }`
  switch (type) {
    case 'schedule':
      return schedule === undefined ? 'it has no schedule' : undefined
    case 'file_change':
      return undefined
    case 'manual':
      return 'a person starts it: waybill run'
    case 'webhook':
    case 'message':
    case 'event':
    case 'agent_handoff':
      return `a trigger of type ${type} needs the server, which takes in what others send`
  }
}

/**
 * Whether a trigger's filter lets this payload start a run; its members are top-level names, and the whole is `input`.
 * @returns null when it does, else why not
 */
export function heldBack({ filter }: PlannedTrigger, payload: JsonObject): string | null {
  if (filter === undefined) return null
  const { outcome, reason } = filter.evaluate(payload as Json)
  switch (outcome) {
    case 'true':
      return null
    case 'false':
      return 'its filter does not hold'
    case 'unevaluable':
      return `its filter cannot be decided: ${reason}`
  }
}
