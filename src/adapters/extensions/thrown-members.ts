import type { AnyCode } from '../../document/codes.ts'

const MEMBERS = ['name', 'code', 'kind', 'outcome', 'retryAfterMs'] as const

/**
 * Returns the members of a thrown value by which failures are recognised. Never throws: an extension may throw any
 * value, also one whose members throw.
 */
export function thrownMembers(error: unknown): Readonly<Partial<Record<(typeof MEMBERS)[number], unknown>>> {
  try {
    const source = Object(error) as Readonly<Record<string, unknown>>
    return Object.fromEntries(MEMBERS.map((member) => [member, source[member]]))
  } catch {
    return {}
  }
}

/** Codes are names: they are part of spans and of tables, so no other text may take their place. */
export function isCode(value: unknown): value is AnyCode {
  return typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,99}$/.test(value)
}
