import type { KeyObject } from 'node:crypto'
import { canonicalize, sha256 } from '../document/canonical.ts'
import { WaybillError } from '../document/issue.ts'
import type { Json, JsonObject } from '../document/json.ts'
import { strictJson } from '../document/strict-json.ts'
import { keyIdOf, signEd25519 } from './ed25519.ts'

/** One audited fact; content that may be sensitive is recorded as a digest. */
export interface AuditFact {
  /** ISO 8601, UTC. */
  readonly at: string
  /** E.g. `run.started`, `call.sent`, `person.decided`, `run.refused`. */
  readonly kind: string
  readonly [member: string]: Json
}

/** One line of an audit log (AAIF §4.9 audit_log): chained to the previous entry, and signed. */
export interface AuditEntry {
  readonly v: 1
  /** From 1, without gaps. */
  readonly n: number
  readonly fact: AuditFact
  /** `hash` of the previous entry; 64 zeros in the first entry. */
  readonly prev: string
  /** SHA-256 (hex) of the canonical form of `{v, n, fact, prev}`. */
  readonly hash: string
  /** RFC 7638 thumbprint of the signing key. */
  readonly key: string
  /** Base64 Ed25519 signature over the bytes of `hash`. */
  readonly sig: string
}

export const NO_ENTRY = '0'.repeat(64)

/** The fact by which the key of a log announces the next one: its member `key` is the thumbprint of the new key. */
export const KEY_ROTATED = 'audit.key_rotated'

/** The end of a chain: its last entry, or {@link BEFORE_FIRST}. */
export type ChainEnd = Pick<AuditEntry, 'n' | 'hash'> & Partial<Pick<AuditEntry, 'key' | 'fact'>>

export const BEFORE_FIRST: ChainEnd = { n: 0, hash: NO_ENTRY }

/** Makes the next signed entry of a chain. @throws AUDIT_KEY_WRONG */
export type EntryMaker = (fact: AuditFact, last: ChainEnd) => AuditEntry

/** Returns the thumbprint of the key that must sign the entry after this one; any key may sign the first. */
export function nextKeyOf({ key, fact }: Partial<Pick<AuditEntry, 'key' | 'fact'>>): string | undefined {
  return fact?.kind === KEY_ROTATED && typeof fact.key === 'string' ? fact.key : key
}

/**
 * Returns a function that makes signed entries. A chain is continued only with the key that signed its last entry, or
 * that its last entry announces, so that a key that was exchanged or created again cannot continue the log unnoticed.
 * @param openKey called with the first entry, and after a rotation; gets the thumbprint of the key that must sign
 */
export function entryMaker(openKey: (keyId?: string) => KeyObject): EntryMaker {
  let signer: { readonly key: KeyObject; readonly id: string } | undefined
  return (fact, last) => {
    const due = nextKeyOf(last)
    if (signer === undefined || (due !== undefined && signer.id !== due)) {
      const key = openKey(due)
      signer = { key, id: keyIdOf(key) }
    }
    if (due !== undefined && signer.id !== due)
      throw auditKeyWrong(`the log is signed with the key ${due}, and the key of this home is ${signer.id}`)
    const body = { v: 1 as const, n: last.n + 1, fact, prev: last.hash }
    const hash = hashOf(body)
    const sig = signEd25519(Buffer.from(hash, 'hex'), signer.key).toString('base64')
    return { ...body, hash, key: signer.id, sig }
  }
}

/** @param why why the log accepts no entries */
export function auditKeyWrong(why: string): WaybillError {
  return new WaybillError('AUDIT_KEY_WRONG', {
    fault: 'refused',
    message: `the audit log cannot be continued: ${why}`,
    hint: 'restore the key files of the log (keys/audit*.key and keys/audit*.pub) from a backup; if the key is lost or revoked, export the log as evidence and begin a new home',
    rule: 'AAIF-4.9-08',
  })
}

/** Returns the hash that an entry with this content must have. */
export function hashOf({ v, n, fact, prev }: Pick<AuditEntry, 'v' | 'n' | 'fact' | 'prev'>): string {
  return sha256(canonicalize({ v, n, fact: fact as JsonObject, prev }))
}

/** Reads a line of a log; null if it is not an entry. */
export function parseEntry(line: string): AuditEntry | null {
  try {
    const entry = strictJson(line) as unknown as AuditEntry
    const whole =
      entry.v === 1 &&
      Number.isSafeInteger(entry.n) &&
      typeof entry.fact === 'object' &&
      entry.fact !== null &&
      [entry.prev, entry.hash, entry.key, entry.sig].every((part) => typeof part === 'string') &&
      Object.keys(entry).length === 7
    return whole ? entry : null
  } catch {
    return null
  }
}
