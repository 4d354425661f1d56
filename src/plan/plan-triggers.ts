import { createRequire } from 'node:module'
import { checkCondition } from '../condition/check-condition.ts'
import { compileCondition } from '../condition/compile-condition.ts'
import { defined } from '../document/defined.ts'
import type { Json, JsonObject } from '../document/json.ts'
import { lazyModule } from '../document/lazy-module.ts'
import type * as Cron from '../schema/cron-schedule.ts'
import type { AgentDefinition, Trigger } from '../spec/aaif/generated/agent.ts'
import type { PlannedTrigger } from './plan.ts'

const require = createRequire(import.meta.url)
const loadCron = lazyModule<typeof Cron>(() => require('../schema/cron-schedule.ts'))

/**
 * Returns the triggers of a definition. The format has no member for the path of a `file_change`: `event_name` contains
 * the path; without it, the whole folder of the definition is watched.
 */
export function planTriggers({ agent }: AgentDefinition): readonly PlannedTrigger[] {
  return (agent.events?.triggers ?? []).map((trigger, index): PlannedTrigger => {
    const reason = whyNot(trigger)
    return {
      pointer: `/agent/events/triggers/${index}`,
      type: trigger.type,
      ...defined({ schedule: trigger.schedule }),
      ...(trigger.type === 'file_change' && { path: trigger.event_name ?? '.' }),
      ...defined({ filter: trigger.filter, reason }),
    }
  })
}

function whyNot({ type, schedule, filter }: Trigger): string | undefined {
  // A filter in plain text cannot be evaluated, and such a filter must not start a run (AAIF §5).
  if (typeof filter === 'string')
    return `its filter "${filter.slice(0, 80)}" is plain text and cannot be evaluated; write it as { lang, expr }`
  const wrong =
    filter === undefined ? undefined : checkCondition(filter).find((one) => one.severity === 'error')
  if (wrong !== undefined) return `its filter cannot be evaluated: ${wrong.message}`
  switch (type) {
    case 'schedule':
      return schedule === undefined ? 'it has no schedule' : whyNoSchedule(schedule)
    case 'file_change':
      return undefined
    case 'manual':
      return 'it is started by a person: use `waybill run`'
    case 'webhook':
    case 'message':
    case 'event':
    case 'agent_handoff':
      return `a trigger of type ${type} needs the server, which receives events`
  }
}

/** Returns why it is not a schedule; a definition that was not validated may contain any text. */
function whyNoSchedule(schedule: string): string | undefined {
  const read = loadCron().readCron(schedule)
  return read.ok ? undefined : `the schedule "${schedule.slice(0, 80)}" ${read.reason}`
}

/**
 * Evaluates the filter of a trigger on a payload. Its members are top-level names, and the whole payload is `input`.
 * @returns null if the payload starts a run, else the reason why not
 */
export function heldBack({ filter }: PlannedTrigger, payload: JsonObject): string | null {
  if (filter === undefined) return null
  const { outcome, reason } = compileCondition(filter, 'typed').evaluate(payload as Json)
  switch (outcome) {
    case 'true':
      return null
    case 'false':
      return 'its filter does not match'
    case 'unevaluable':
      return `its filter cannot be evaluated: ${reason}`
  }
}
