import type { Fault } from '../../../document/issue.ts'
import { WaybillError } from '../../../document/issue.ts'
import { messageOf } from '../../../document/message-of.ts'

const ELSEWHERE = 'or set DATABASE_URL to a PostgreSQL server'

export function notEmbedded(
  message: string,
  fix: string,
  fault: Fault = 'usage',
  cause?: unknown,
): WaybillError {
  return new WaybillError('DATABASE_NOT_EMBEDDED', { fault, message, hint: `${fix}, ${ELSEWHERE}`, cause })
}

/** Returns the error for a failed start, from the output of PostgreSQL or an error of the file system. */
export function notStarted(folder: string, output: string, cause?: unknown): WaybillError {
  const last = output.trim().split('\n').slice(-5).join(' · ')
  if (/No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/.test(output))
    return notEmbedded(
      `the disk of ${folder} is full: the embedded PostgreSQL cannot start (${last})`,
      'free disk space and start again',
      'failed',
      cause,
    )
  if (/Permission denied|EACCES|EPERM/.test(output))
    return notEmbedded(
      `the embedded PostgreSQL has no access to ${folder} (${last})`,
      'let its user (`nobody` when Waybill is started as root) enter each folder of this path, choose another folder such as /var/lib/waybill', // words-ok
      'failed',
      cause,
    )
  return notEmbedded(
    `the embedded PostgreSQL does not start: ${last}`,
    `read ${folder}/postgres.log`,
    'failed',
    cause,
  )
}

/** Runs work on the files of the folder, and names the folder if the file system refuses it. */
export function onFiles<T>(folder: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    if (cause instanceof WaybillError) throw cause
    throw notStarted(folder, messageOf(cause), cause)
  }
}
