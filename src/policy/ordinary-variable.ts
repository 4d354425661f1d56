/** Variables that describe a machine and its user, and are not secrets. */
const ORDINARY =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_[A-Z]+|TZ|TMPDIR|PWD|CI|NO_COLOR|DEBUG|NODE_ENV|NODE_OPTIONS|XDG_[A-Z_]+)$/

/** Returns whether an environment variable describes the machine or its user. All others are treated as secrets. */
export function isOrdinaryVariable(name: string): boolean {
  return ORDINARY.test(name)
}
