import type { KeyObject } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../document/issue.ts'
import { type AuditEntry, type AuditFact, NO_ENTRY, nextEntry, parseEntry } from '../../trust/audit-chain.ts'
import { takeLockWithin } from './process-lock.ts'

const LOG = 'audit.ndjson'
const HEAD = 'head.json'
const WAIT_MS = 5_000

/**
 * The audit log of this home: append-only, chained and signed (AAIF §4.9). Several processes may write to it, one
 * at a time. An entry is announced in the head before it is written: after a crash in between it is completed.
 */
export class AuditLog {
  readonly #folder: string
  readonly #openKey: () => KeyObject
  #key: KeyObject | undefined

  /**
   * @param folder made (0700) with the first entry
   * @param openKey gives the key that signs; called with the first entry
   */
  constructor(folder: string, openKey: () => KeyObject) {
    this.#folder = folder
    this.#openKey = openKey
  }

  /**
   * Appends entries; they are on disk when it returns.
   * @throws AUDIT_DAMAGED when the log does not end as its head says: then nothing more is done unaudited
   */
  append(facts: readonly AuditFact[]): void {
    if (facts.length === 0) return
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    this.#key ??= this.#openKey()
    const key = this.#key
    const release = this.#lock()
    const fd = openSync(join(this.#folder, LOG), 'a', 0o600)
    try {
      let last = this.#lastEntry(fd)
      for (const fact of facts) {
        const entry = nextEntry(fact, last, key)
        this.#announce(entry)
        writeSync(fd, `${JSON.stringify(entry)}\n`)
        last = entry
      }
      fsyncSync(fd)
    } finally {
      closeSync(fd)
      release()
    }
  }

  /** Where the log ends; completes the entry that a crash kept from being written. */
  #lastEntry(fd: number): { readonly n: number; readonly hash: string } {
    const path = join(this.#folder, LOG)
    const text = tailOf(path)
    const cut = text.lastIndexOf('\n') + 1
    // Half a line was never an entry: what it was to be stands in the head.
    if (cut < text.length) truncateSync(path, statSync(path).size - Buffer.byteLength(text.slice(cut)))
    const line = text.slice(0, cut).trimEnd().split('\n').at(-1) ?? ''
    const written = line === '' ? { n: 0, hash: NO_ENTRY } : parseEntry(line)
    const head = readHead(this.#folder)
    if (written === null) throw damaged('its last line is no entry')
    if (head === null) {
      if (written.n === 0) return written
      throw damaged('its head is missing')
    }
    if (head.n === written.n && head.hash === written.hash) return written
    if (head.n === written.n + 1 && head.prev === written.hash) {
      writeSync(fd, `${JSON.stringify(head)}\n`)
      return head
    }
    throw damaged(`it ends at entry ${written.n}, and its head is entry ${head.n}`)
  }

  #announce(entry: AuditEntry): void {
    const next = join(this.#folder, `${HEAD}.${process.pid}`)
    writeFileSync(next, JSON.stringify(entry), { mode: 0o600 })
    renameSync(next, join(this.#folder, HEAD))
  }

  #lock(): () => void {
    const lock = takeLockWithin(this.#folder, 'lock', WAIT_MS)
    if (lock.taken) return lock.release
    throw new WaybillError('AUDIT_LOCKED', {
      fault: 'failed',
      message: `the audit log is held by ${lock.by === undefined ? 'another process' : `process ${lock.by.pid}`}`,
      hint: 'wait for it: nothing is done that cannot be audited',
      rule: 'AAIF-4.9-08',
    })
  }
}

export function readHead(folder: string): AuditEntry | null {
  const path = join(folder, HEAD)
  return existsSync(path) ? parseEntry(readFileSync(path, 'utf8')) : null
}

export function auditLogPath(folder: string): string {
  return join(folder, LOG)
}

/** The end of the log, enough for its last lines. */
function tailOf(path: string): string {
  const size = statSync(path).size
  const length = Math.min(size, 1024 * 1024)
  const buffer = Buffer.alloc(length)
  const fd = openSync(path, 'r')
  try {
    readSync(fd, buffer, 0, length, size - length)
  } finally {
    closeSync(fd)
  }
  return buffer.toString('utf8')
}

function damaged(why: string): WaybillError {
  return new WaybillError('AUDIT_DAMAGED', {
    fault: 'refused',
    message: `the audit log cannot be continued: ${why}`,
    hint: '`waybill audit verify` says where; keep the file as evidence, move it away, and begin a new log',
    rule: 'AAIF-4.9-08',
  })
}
