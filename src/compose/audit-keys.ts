import type { KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditRecords } from '../run/record/records.ts'
import { auditKeyWrong, KEY_ROTATED, nextKeyOf } from '../trust/audit-chain.ts'
import { keyIdOf } from '../trust/ed25519.ts'
import { createKey, listOwnKeys, type OwnKey, openPrivateKey } from '../trust/key-file.ts'
import { readTrustedKeys } from '../trust/trust-store.ts'

/** Name of the first key of an audit log; the keys after rotations are called `audit-2`, `audit-3` and so on. */
const FIRST = 'audit'
const NAME = /^audit(?:-[1-9]\d*)?$/

/** Returns whether Waybill made the own key of this name for the audit log: documents are not signed with it. */
export function isAuditKeyName(name: string): boolean {
  return NAME.test(name)
}

/** The keys in a home that sign its audit log. The log itself says which of them signs its next entry. */
export interface AuditKeyFiles {
  /**
   * Opens a private key.
   * @param keyId thumbprint of the key; if there is no entry yet, the first key, created with the first entry
   * @throws AUDIT_KEY_WRONG if it is missing; KEY_EXPOSED
   */
  open(keyId?: string): KeyObject
  /** Opens a private key that signs a new entry. @throws AUDIT_KEY_WRONG also if the key was revoked */
  signer(keyId?: string): KeyObject
  /** As `signer`, but never creates or returns another key. @throws AUDIT_KEY_WRONG */
  exact(keyId: string): KeyObject
}

/** @param home the home folder of Waybill */
export function auditKeys(home: string): AuditKeyFiles {
  const folder = join(home, 'keys')
  const open = (keyId?: string): KeyObject => {
    const own = keyId === undefined ? undefined : keyOf(home, keyId)
    if (own !== undefined) return openPrivateKey(folder, own.name)
    if (!existsSync(join(folder, `${FIRST}.key`))) {
      if (existsSync(join(folder, `${FIRST}.pub`))) throw auditKeyWrong('keys/audit.key is missing')
      if (keyId !== undefined) throw auditKeyWrong(`its key ${keyId} is not in the folder keys/`)
      createKey(folder, FIRST)
    }
    return openPrivateKey(folder, FIRST)
  }
  const signer = (keyId?: string): KeyObject => {
    const key = open(keyId)
    const id = keyIdOf(key)
    const { revokedAt } = readTrustedKeys(home).find((known) => known.keyId === id) ?? {}
    if (revokedAt !== undefined) throw auditKeyWrong(`its key was revoked at ${revokedAt}`)
    return key
  }
  const exact = (keyId: string): KeyObject => {
    if (keyOf(home, keyId) === undefined) throw auditKeyWrong(`its key ${keyId} is not in the folder keys/`)
    return signer(keyId)
  }
  return { open, signer, exact }
}

/** Returns the keys of the audit log in a home, the newest one last. */
export function ownAuditKeys(home: string): readonly OwnKey[] {
  const place = ({ name }: OwnKey) => Number(name.slice(FIRST.length + 1))
  return listOwnKeys(join(home, 'keys'))
    .filter(({ name }) => isAuditKeyName(name))
    .sort((a, b) => place(a) - place(b))
}

function keyOf(home: string, keyId: string): OwnKey | undefined {
  return ownAuditKeys(home).find((own) => own.keyId === keyId)
}

export interface RotatedKey {
  /** Thumbprint of the key that signed the log until now. */
  readonly from: string
  /** The key that signs every entry from now on. */
  readonly to: OwnKey
}

/**
 * Gives the audit log of a home a new signing key. The rotation is one entry, signed by the old key, so a crash leaves
 * either the old key or the new one, and at worst a key file that no entry names.
 * @returns null if the log has no entry
 * @throws AUDIT_KEY_WRONG if the old key is missing or revoked: it must sign the announcement; AUDIT_DAMAGED
 */
export async function rotateAuditKey(
  home: string,
  audit: AuditRecords,
  { by, at }: { readonly by: string; readonly at: string },
): Promise<RotatedKey | null> {
  const head = await audit.head()
  const from = head === null ? undefined : nextKeyOf(head)
  if (from === undefined) return null
  // Before a key file is made that is not used.
  if (keyIdOf(auditKeys(home).signer(from)) !== from)
    throw auditKeyWrong(`its key ${from} is not in the folder keys/`)
  const to = createKey(join(home, 'keys'), unusedName(join(home, 'keys')))
  await audit.append([{ at, kind: KEY_ROTATED, key: to.keyId, by }])
  return { from, to }
}

function unusedName(folder: string): string {
  for (let n = 2; ; n++) {
    const name = `${FIRST}-${n}`
    if (!['key', 'pub'].some((half) => existsSync(join(folder, `${name}.${half}`)))) return name
  }
}
