import { userInfo } from 'node:os'

/** Who sits at this terminal, for the record of decisions. */
export function personName(env: Readonly<Record<string, string | undefined>>): string {
  try {
    return userInfo().username
  } catch {
    // An account without a name, as in some containers.
    return env.USER || env.LOGNAME || 'unknown'
  }
}
