import { existsSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The user that runs PostgreSQL; empty if it is that of this process. */
export interface ServerUser {
  readonly uid?: number
  readonly gid?: number
}

/** On Linux systems without `nobody` in /etc/passwd. */
const OVERFLOW_ID = 65_534

/**
 * Returns the user that runs PostgreSQL, which refuses to run as root: for a process of root the owner of the data, or
 * `nobody` if they are new or belong to root.
 */
export function serverUser(data: string): ServerUser {
  if (process.getuid?.() !== 0) return {}
  const owner = existsSync(data) ? statSync(data) : null
  return owner !== null && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : unprivileged()
}

function unprivileged(): ServerUser {
  const users = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : ''
  const [, uid = OVERFLOW_ID, gid = OVERFLOW_ID] = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(users) ?? [] // words-ok
  // On macOS these ids are negative in this file.
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
}

/** Makes the server's user the owner of a file, or of a folder with its contents. Links are not followed. */
export function giveTo({ uid, gid }: ServerUser, path: string): void {
  if (uid === undefined || gid === undefined) return
  lchownSync(path, uid, gid)
  if (!statSync(path).isDirectory()) return
  for (const entry of readdirSync(path, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(path, entry), uid, gid)
}
