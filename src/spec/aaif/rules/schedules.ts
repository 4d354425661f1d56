import { createRequire } from 'node:module'
import type { Finding } from '../../../document/finding.ts'
import { lazyModule } from '../../../document/lazy-module.ts'
import type * as Cron from '../../../schema/cron-schedule.ts'
import type { AgentDefinition } from '../generated/agent.ts'

const require = createRequire(import.meta.url)
const loadCron = lazyModule<typeof Cron>(() => require('../../../schema/cron-schedule.ts'))

/** Checks the schedules of triggers: exactly those are valid that `waybill watch` accepts. */
export function* checkSchedules({ agent }: AgentDefinition): Iterable<Finding> {
  for (const [index, { type, schedule }] of (agent.events?.triggers ?? []).entries()) {
    if (type !== 'schedule' || schedule === undefined) continue
    const { CRON_HINT, readCron } = loadCron()
    const read = readCron(schedule)
    if (read.ok) continue
    yield {
      severity: 'error',
      code: 'TRIGGER_INVALID',
      pointer: `/agent/events/triggers/${index}/schedule`,
      message: `the schedule "${schedule.slice(0, 80)}" ${read.reason.slice(0, 200)}`,
      hint: CRON_HINT,
      rule: 'SPEC-D-29',
    }
  }
}
