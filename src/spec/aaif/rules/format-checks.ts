import type { Finding } from '../../../document/finding.ts'
import { lastStep } from '../../../document/json-pointer.ts'

/** `format` is an annotation: a value that does not match gives a warning and is used unchanged (SPEC-D-25). */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const DATE_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

export function* checkUuid(pointer: string, value: string | undefined): Iterable<Finding> {
  if (value === undefined || UUID.test(value)) return
  yield mismatch(
    pointer,
    `${lastStep(pointer)} is not a UUID`,
    'use a UUID in new documents; do not change this id if others already use it',
  )
}

export function* checkTime(pointer: string, value: string | undefined): Iterable<Finding> {
  if (value === undefined || isTime(value)) return
  yield mismatch(pointer, `${lastStep(pointer)} is not a date and time`, 'write it like 2026-01-31T09:00:00Z')
}

export function* checkAddress(pointer: string, value: string | undefined): Iterable<Finding> {
  if (value === undefined || URL.canParse(value)) return
  yield mismatch(
    pointer,
    `${lastStep(pointer)} is not an absolute URL`,
    'write it with its scheme, such as https://…',
  )
}

/** Returns true for a date and time of RFC 3339. */
export function isTime(value: string): boolean {
  return DATE_TIME.test(value)
}

/** Gives an error if an end is not after its start; skipped unless both are valid times. */
export function* checkOrder(
  earlier: readonly [pointer: string, value: string | undefined],
  later: readonly [pointer: string, value: string | undefined],
  rule: string,
): Iterable<Finding> {
  if (earlier[1] === undefined || later[1] === undefined || !isTime(earlier[1]) || !isTime(later[1])) return
  if (Date.parse(later[1]) > Date.parse(earlier[1])) return
  yield {
    severity: 'warning',
    code: 'TIME_ORDER',
    pointer: later[0],
    message: `${lastStep(later[0])} is not after ${lastStep(earlier[0])}`,
    hint: 'correct one of the two',
    rule,
  }
}

function mismatch(pointer: string, message: string, hint: string): Finding {
  return { severity: 'warning', code: 'FORMAT_MISMATCH', pointer, message, hint, rule: 'SPEC-D-25' }
}
