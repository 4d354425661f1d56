/**
 * Returns the message of a thrown value of any type. Never throws: code of the operator may throw values whose members
 * throw, and values that cannot be converted to a string.
 */
export function messageOf(error: unknown): string {
  try {
    // Not only of this class: an error may come from another realm.
    const message = typeof error === 'object' ? (error as { message?: unknown } | null)?.message : undefined
    return typeof message === 'string' ? message : String(error)
  } catch {
    return 'an error without a readable message'
  }
}
