import { createHash } from 'node:crypto'

/**
 * The id of a sub-agent's run: a UUID (version 8, RFC 9562) that begins with its parent's time, so that runs still
 * sort by when they began, and otherwise follows from the parent and the call's key alone. A parent that is resumed
 * thus finds the very run that it had started.
 */
export function agentRunId(parentRunId: string, key: string): string {
  const digest = createHash('sha256').update(`${parentRunId}\n${key}`).digest('hex')
  const time = /^[0-9a-f]{8}-[0-9a-f]{4}/.test(parentRunId)
    ? parentRunId.slice(0, 13)
    : `${digest.slice(40, 48)}-${digest.slice(48, 52)}`
  const variant = '89ab'[Number.parseInt(digest[3] ?? '0', 16) % 4]
  return `${time}-8${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`
}
