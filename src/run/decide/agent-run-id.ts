import { createHash } from 'node:crypto'

/**
 * Returns the id of a sub-agent's run: a UUID (version 8, RFC 9562) whose first bytes are the parent's
 * creation time, so that runs sort by creation. The rest is derived from the parent's id and the call's key
 * only, so a parent that is resumed finds the run that it had started.
 */
export function agentRunId(parentRunId: string, key: string): string {
  const digest = createHash('sha256').update(`${parentRunId}\n${key}`).digest('hex')
  const time = /^[0-9a-f]{8}-[0-9a-f]{4}/.test(parentRunId)
    ? parentRunId.slice(0, 13)
    : `${digest.slice(40, 48)}-${digest.slice(48, 52)}`
  const variant = '89ab'[Number.parseInt(digest[3] ?? '0', 16) % 4]
  return `${time}-8${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`
}
