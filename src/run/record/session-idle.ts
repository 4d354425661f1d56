/** A session that was not used for this long has ended (AAIF §4.5: its memory must not outlive it). */
export const SESSION_IDLE_MS = 24 * 60 * 60 * 1000
