import { userInfo } from 'node:os'

/** Returns the name of the current user, for recorded decisions. */
export function personName(env: Readonly<Record<string, string | undefined>>): string {
  try {
    return userInfo().username
  } catch {
    // Some containers have an account without a name.
    return env.USER || env.LOGNAME || 'unknown'
  }
}
