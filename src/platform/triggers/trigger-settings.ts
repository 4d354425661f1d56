import { checkCondition } from '../../condition/index.ts'
import { WaybillError } from '../../document/issue.ts'
import { toPointer } from '../../document/json-pointer.ts'
import { CRON_HINT, isTimeZone, readCron } from '../../schema/cron-schedule.ts'
import { RUN_ENDED, settingNames, type TriggerKind, type TriggerSettings } from './trigger.ts'

/** They authenticate the sender, so neither a condition nor a run gets them. */
const SECRET_HEADER =
  /^(?:authorization|proxy-authorization|cookie|x-api-key|webhook-signature|x-hub-signature.*)$/

/** Returns the settings of a trigger in one order, without members that are undefined. @throws TRIGGER_INVALID */
export function checkSettings(kind: TriggerKind, given: TriggerSettings): TriggerSettings {
  const names = settingNames(kind)
  const members = Object.entries(given).filter(([, value]) => value !== undefined)
  const unknown = members.find(([name]) => !names.includes(name))
  if (unknown !== undefined)
    throw invalid(
      unknown[0],
      `a trigger of kind ${kind} has no ${unknown[0]}`,
      `leave it out; this kind has ${names.join(', ')}`,
    )
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
  return Object.fromEntries(members.toSorted(([a], [b]) => names.indexOf(a) - names.indexOf(b)))
}

/** Returns what happens while an earlier run is active. */
export function overlapOf(kind: TriggerKind, { overlap }: TriggerSettings) {
  return overlap ?? (kind === 'schedule' ? 'queue' : 'allow')
}

function invalid(member: string, message: string, hint?: string): WaybillError {
  return new WaybillError('TRIGGER_INVALID', {
    at: toPointer([member]),
    message: message.slice(0, 400),
    hint: hint ?? 'see the guide to triggers',
    rule: 'SPEC-D-29',
  })
}
