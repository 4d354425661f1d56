import type { Json } from './json.ts'

/** What a parsed value shows about the text it came from. */
export interface ValueCheck {
  /** Members that survived parsing; fewer than were written means duplicate names. */
  members: number
  /** Whether some string, name or number cannot be carried exactly: worth a second, slower look at the text. */
  suspect: boolean
}

/** Looks over a parsed JSON value. The caller has bounded its depth. */
export function checkValue(value: Json): ValueCheck {
  const check: ValueCheck = { members: 0, suspect: false }
  visit(value, check)
  return check
}

function visit(value: Json, check: ValueCheck): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) check.suspect = true
  } else if (typeof value === 'number') {
    if (!isExact(value)) check.suspect = true
  } else if (Array.isArray(value)) {
    for (const item of value) visit(item, check)
  } else if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      check.members++
      if (!name.isWellFormed()) check.suspect = true
      visit(member, check)
    }
  }
}

/** Whether a number surely means what was written: finite, and within 2^53 when it is an integer. */
export function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}
