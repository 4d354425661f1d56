/** How long a host may send nothing, before its answer and between two parts of it, in milliseconds. */
export const IDLE_TIMEOUT_MS = 300_000
