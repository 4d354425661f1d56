import { checkCondition } from '../../condition/index.ts'
import { WaybillError } from '../../document/issue.ts'
import { CRON_HINT, isTimeZone, readCron } from '../../schema/cron-schedule.ts'
import type { TriggerKind, TriggerSettings } from './trigger.ts'

/** The members of each kind. */
export const MEMBERS: { readonly [K in TriggerKind]: readonly (keyof TriggerSettings)[] } = {
  schedule: ['filter', 'overlap', 'schedule', 'timezone', 'missed', 'catch_up_seconds', 'input'],
  webhook: ['filter', 'overlap', 'format', 'headers', 'events'],
  message: ['filter'],
  event: ['filter', 'overlap', 'event', 'of_agent', 'statuses'],
  agent_handoff: ['of_agent'],
}

const ALL: readonly (keyof TriggerSettings)[] = [...new Set(Object.values(MEMBERS).flat())]

/** The only event so far. */
export const RUN_ENDED = 'run.ended'

/** They authenticate the sender, so neither a condition nor a run gets them. */
const SECRET_HEADER =
  /^(?:authorization|proxy-authorization|cookie|x-api-key|webhook-signature|x-hub-signature.*)$/

/** Returns the settings of a trigger without other members. @throws TRIGGER_INVALID */
export function checkedSettings(kind: TriggerKind, given: TriggerSettings): TriggerSettings {
  for (const name of ALL) {
    if (given[name] === undefined || MEMBERS[kind].includes(name)) continue
    const known = MEMBERS[kind].join(', ')
    throw invalid(name, `a trigger of kind ${kind} has no ${name}`, `leave it out; this kind has ${known}`)
  }
  const { filter, schedule, timezone = 'UTC', headers = [] } = given
  const wrong =
    filter === undefined ? undefined : checkCondition(filter).find(({ severity }) => severity === 'error')
  if (wrong !== undefined)
    throw invalid('filter', `the filter cannot be evaluated: ${wrong.message}`, wrong.hint)
  if (kind === 'schedule') {
    if (!isTimeZone(timezone))
      throw invalid(
        'timezone',
        `${JSON.stringify(timezone)} is not a time zone`,
        'use a name such as Europe/Berlin',
      )
    const read = schedule === undefined ? undefined : readCron(schedule, timezone)
    if (read === undefined) throw invalid('schedule', 'a trigger of kind schedule has a schedule', CRON_HINT)
    if (!read.ok) throw invalid('schedule', `the schedule "${schedule}" ${read.reason}`, CRON_HINT)
  }
  const { event = RUN_ENDED } = given
  if (event !== RUN_ENDED)
    throw invalid('event', `there are no events ${JSON.stringify(event.slice(0, 100))}`, `use ${RUN_ENDED}`)
  const secret = headers.find((name) => SECRET_HEADER.test(name))
  if (secret !== undefined)
    throw invalid(
      'headers',
      `the header ${secret} may contain a secret`,
      'name headers that contain no secret',
    )
  return Object.fromEntries(ALL.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))
}

/** Returns what happens while an earlier run is active. */
export function overlapOf(kind: TriggerKind, { overlap }: TriggerSettings) {
  return overlap ?? (kind === 'schedule' ? 'queue' : 'allow')
}

function invalid(member: string, message: string, hint?: string): WaybillError {
  return new WaybillError('TRIGGER_INVALID', {
    at: `/${member}`,
    message: message.slice(0, 400),
    hint: hint ?? 'see the guide to triggers',
    rule: 'SPEC-D-29',
  })
}
