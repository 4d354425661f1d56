import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { itemsAt, memberOf, textAt } from '../../loose-members.ts'
import { readTimestamp } from '../../timestamp.ts'

const PLACES: readonly (readonly [owner: string, members: readonly string[]])[] = [
  ['artifact', ['created_at', 'updated_at']],
  ['lifecycle', ['expires_at']],
  ['handoff', ['response_deadline']],
]
const SECTION_TIMES = ['created_at', 'updated_at', 'approval_requested_at', 'decided_at']
const TASK_TIMES = ['started_at', 'completed_at']

/** Checks that every time is an ISO 8601 date and time (§2.2 and the tables of the other sections). */
export function* checkTimestamps(envelope: JsonObject): Iterable<Finding> {
  for (const [owner, members] of PLACES) {
    for (const member of members) yield* checkTime(memberOf(envelope, owner), `/${owner}`, member)
  }
  for (const [i, section] of itemsAt(envelope, 'sections').entries()) {
    const task = textAt(section, 'type') === 'task'
    for (const member of task ? [...SECTION_TIMES, ...TASK_TIMES] : SECTION_TIMES) {
      yield* checkTime(section, `/sections/${i}`, member)
    }
    if (task) yield* checkOrder(section as JsonObject, `/sections/${i}`)
  }
}

function* checkTime(owner: Parameters<typeof textAt>[0], at: string, member: string): Iterable<Finding> {
  const text = textAt(owner, member)
  if (text === undefined) return
  const base = { pointer: `${at}/${member}`, rule: 'AAH-2.2-06', hint: 'write it like 2026-01-31T09:00:00Z' }
  const time = readTimestamp(text)
  if (time === undefined) {
    yield {
      ...base,
      severity: 'error',
      code: 'TIMESTAMP_UNREADABLE',
      message: `${member} is not a date and time`,
    }
  } else if (!time.exact) {
    const message = `${member} has no time or no time zone: it is read as UTC`
    yield { ...base, severity: 'warning', code: 'TIMESTAMP_VAGUE', message }
  }
}

function* checkOrder(section: JsonObject, at: string): Iterable<Finding> {
  const started = readTimestamp(textAt(section, 'started_at') ?? '')
  const completed = readTimestamp(textAt(section, 'completed_at') ?? '')
  if (started === undefined || completed === undefined || completed.ms >= started.ms) return
  yield {
    severity: 'warning',
    code: 'COMPLETED_BEFORE_STARTED',
    pointer: `${at}/completed_at`,
    message: 'the task was completed before it was started',
    hint: 'swap started_at and completed_at, or correct the wrong one',
    rule: 'AAH-2.5.2-04',
  }
}
