import { createHash } from 'node:crypto'

/**
 * Keys of users, which are outside of the database and of its backups: a backup encrypts the rows of a user with the key
 * of that user, so that destroying the key removes the user from all backups.
 */
export interface SubjectKey {
  /** Differs from that of a destroyed key of the same subject. */
  readonly id: string
  readonly key: Buffer
}

export interface SubjectKeys {
  /** Returns the key of a subject, which is created if there is none. @param name without a dot */
  create(name: string): SubjectKey
  /** Returns undefined if there is no such key, or if it was destroyed. */
  read(id: string): Buffer | undefined
  /** Destroys the key of a subject if it was created before a moment. @param before milliseconds since the epoch */
  destroy(name: string, before: number): void
  /** Writes all changes to disk. A backup whose keys are not stored could not be restored. */
  save(): void
}

/** Returns the name of the key of a user: a digest, so that neither key files nor backups contain the user's id. */
export function subjectOf(org: string, user: string): string {
  const hex = (text: string) => Buffer.from(text, 'utf8').toString('hex')
  return subjectName(`${hex(org)}:${hex(user)}`)
}

/** @param subject organisation and user, as `HEX:HEX` of their bytes in UTF-8 */
export function subjectName(subject: string): string {
  return createHash('sha256').update(`waybill subject ${subject}`).digest('hex')
}
