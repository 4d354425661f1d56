import type { KeyObject } from 'node:crypto'
import type { Code } from '../document/codes.ts'
import { type AuditEntry, BEFORE_FIRST, type ChainEnd, hashOf, nextKeyOf, parseEntry } from './audit-chain.ts'
import { decodeBase64 } from './base64.ts'
import { verifyEd25519 } from './ed25519.ts'
import { isSigned, type Signature } from './signed-statement.ts'

export interface AuditProblem {
  /** Line of the log, from 1; absent if the problem concerns the whole log. */
  readonly line?: number
  readonly code: Extract<Code, `AUDIT_${string}`>
  readonly message: string
}

export interface AuditVerdict {
  readonly ok: boolean
  readonly entries: number
  /** `hash` of the last entry; `NO_ENTRY` if there is none. */
  readonly head: string
  readonly problems: readonly AuditProblem[]
  /** How many further problems were found; absent if all are listed. */
  readonly not_listed?: number
}

/** Also the thumbprint of the key that must sign what follows the last entry; absent if there is none. */
interface SignedVerdict extends AuditVerdict {
  readonly signer?: string
}

/** Returns the public key of a thumbprint, if it may sign audit logs. */
export type AuditKeys = (keyId: string) => KeyObject | undefined

/** The last line of an exported log: a signed statement of its last entry at the time of the export. */
export interface ExportHead extends Signature {
  readonly type: 'audit.head'
  readonly v: 1
  /** Of the last entry. */
  readonly n: number
  readonly hash: string
  /** When it was exported: ISO 8601, UTC. */
  readonly at: string
}

/** The statement in an exported log, without its signature. */
export function exportHead(end: { readonly n: number; readonly hash: string }, at: string) {
  return { type: 'audit.head', v: 1, n: end.n, hash: end.hash, at } as const
}

/** Verifies an exported log: its entries, and that it ends with the entry named in its signed head. */
export function verifyAuditExport(text: string, keys: AuditKeys): AuditVerdict {
  const end = text.trimEnd().lastIndexOf('\n') + 1
  const head = parseHead(text.slice(end).trimEnd())
  if (head === null) {
    const verdict = verifyAudit(text, keys)
    const problem = {
      code: 'AUDIT_TRUNCATED' as const,
      message: 'the exported log does not end with a signed head: it was truncated',
    }
    return { ...verdict, ok: false, problems: [...verdict.problems, problem] }
  }
  const { signer, ...verdict } = verifyChain(text.slice(0, end), keys)
  const key = keys(head.key)
  const problems: AuditProblem[] = [...verdict.problems]
  if (key === undefined || !isSigned(exportHead(head, head.at), head, key)) {
    problems.push({ code: 'AUDIT_HEAD', message: 'the signature of the exported head is not valid' })
  } else if (signer !== undefined && head.key !== signer) {
    const message = 'the exported head is signed with another key than the log'
    problems.push({ code: 'AUDIT_HEAD', message })
  } else if (head.hash !== verdict.head || head.n !== verdict.entries) {
    const message = `the exported log has ${verdict.entries} entries, but its head is of entry ${head.n}`
    problems.push({ code: 'AUDIT_TRUNCATED', message })
  }
  return { ...verdict, ok: problems.length === 0, problems }
}

/** Members of a signed head. */
const HEAD_MEMBERS = 7

function parseHead(line: string): ExportHead | null {
  try {
    const value = JSON.parse(line) as Partial<ExportHead>
    // Like entries, it has one exact text: a name that is written twice, or one that is not signed, is refused.
    const whole =
      JSON.stringify(value) === line &&
      Object.keys(value).length === HEAD_MEMBERS &&
      value.type === 'audit.head' &&
      value.v === 1 &&
      Number.isSafeInteger(value.n) &&
      [value.hash, value.at, value.key, value.sig].every((part) => typeof part === 'string')
    return whole ? (value as ExportHead) : null
  } catch {
    return null
  }
}

/**
 * Verifies an audit log line by line and finds the position of every change, insertion, deletion, reordering and
 * truncation.
 * @param head the last entry, stored separately from the log to detect truncation; absent for a log that was exported
 * alone
 */
export function verifyAudit(text: string, keys: AuditKeys, head?: AuditEntry): AuditVerdict {
  const { signer: _signer, ...verdict } = verifyChain(text, keys, head)
  return verdict
}

function verifyChain(text: string, keys: AuditKeys, head?: AuditEntry): SignedVerdict {
  const check = new ChainCheck(keys, head === undefined ? {} : { head })
  const lines = text.split('\n')
  const tail = lines.pop()
  for (const line of lines) check.add(line)
  if (tail !== undefined && tail !== '') check.cut()
  return check.end(head)
}

/** Verifies an audit log whose lines are given one after the other. */
export class ChainCheck {
  readonly #keys: AuditKeys
  readonly #listed: number
  readonly #head: AuditEntry | undefined
  /** The entry with the number of the head. */
  #atHead: ChainEnd | undefined
  readonly #problems: AuditProblem[] = []
  #found = 0
  #signer: string | undefined
  entries = 0
  /** The last entry that could be read. */
  last: ChainEnd = BEFORE_FIRST

  /**
   * @param options.listed the largest number of problems that are listed; the others are counted
   * @param options.head the head of the log, read before its lines
   */
  constructor(
    keys: AuditKeys,
    {
      listed = Number.POSITIVE_INFINITY,
      head,
    }: { readonly listed?: number; readonly head?: AuditEntry } = {},
  ) {
    this.#keys = keys
    this.#listed = listed
    this.#head = head
  }

  /** @param line an entry without its line break */
  add(line: string): void {
    const number = ++this.entries
    const entry = parseEntry(line)
    if (entry === null) {
      const message = 'the line is not an entry of an audit log'
      this.#report({ line: number, code: 'AUDIT_UNREADABLE', message })
      return
    }
    // Entries have one exact text; duplicate names, escapes and other line endings are refused.
    if (JSON.stringify(entry) !== line)
      this.#report({
        line: number,
        code: 'AUDIT_CHANGED',
        message: `the text of entry ${entry.n} was changed`,
      })
    for (const problem of checkEntry(entry, this.last, number, this.#keys)) this.#report(problem)
    this.#signer ??= entry.key
    if (entry.key !== this.#signer)
      this.#report({
        line: number,
        code: 'AUDIT_SIGNATURE',
        message: `entry ${entry.n} is signed with the key ${entry.key}, but the log with ${this.#signer}`,
      })
    else this.#signer = nextKeyOf(entry)
    this.last = { n: entry.n, hash: entry.hash }
    if (entry.n === this.#head?.n) this.#atHead = this.last
  }

  /** The line after the last one has no line break. */
  cut(): void {
    this.#report({
      line: this.entries + 1,
      code: 'AUDIT_UNREADABLE',
      message: 'the last line has no line break: it was truncated',
    })
  }

  /** @param later the head, read after the lines: they may not continue beyond it */
  end(later = this.#head): SignedVerdict {
    const { last } = this
    const problem =
      (this.#head && problemOfHead(this.#head, this.#atHead ?? last, this.#keys)) ??
      (later !== undefined && later.n <= last.n ? problemOfHead(later, last, this.#keys) : undefined)
    if (problem !== undefined) this.#report(problem)
    const notListed = this.#found - this.#problems.length
    return {
      ok: this.#found === 0,
      entries: this.entries,
      head: this.last.hash,
      problems: this.#problems,
      ...(notListed > 0 && { not_listed: notListed }),
      ...(this.#signer !== undefined && { signer: this.#signer }),
    }
  }

  #report(problem: AuditProblem): void {
    if (++this.#found <= this.#listed) this.#problems.push(problem)
  }
}

function checkEntry(
  entry: AuditEntry,
  last: { readonly n: number; readonly hash: string },
  line: number,
  keys: AuditKeys,
): AuditProblem[] {
  const problems: AuditProblem[] = []
  if (hashOf(entry) !== entry.hash) {
    problems.push({
      line,
      code: 'AUDIT_CHANGED',
      message: `entry ${entry.n} was changed after it was written`,
    })
  }
  if (entry.n !== last.n + 1) {
    problems.push(
      entry.n > last.n + 1
        ? {
            line,
            code: 'AUDIT_MISSING',
            message: `entries ${last.n + 1} to ${entry.n - 1} are missing before it`,
          }
        : { line, code: 'AUDIT_MISPLACED', message: `entry ${entry.n} follows entry ${last.n}` },
    )
  } else if (entry.prev !== last.hash) {
    problems.push({
      line,
      code: 'AUDIT_MISPLACED',
      message: `entry ${entry.n} does not contain the hash of the previous entry`,
    })
  }
  const key = keys(entry.key)
  if (key === undefined) {
    problems.push({
      line,
      code: 'AUDIT_SIGNATURE',
      message: `the key ${entry.key} is not trusted to sign audit logs`,
    })
  } else if (!signatureHolds(entry, key)) {
    problems.push({
      line,
      code: 'AUDIT_SIGNATURE',
      message: `the signature of entry ${entry.n} is not valid`,
    })
  }
  return problems
}

function signatureHolds(entry: AuditEntry, key: KeyObject): boolean {
  const signature = decodeBase64(entry.sig)
  return signature !== undefined && verifyEd25519(Buffer.from(entry.hash, 'hex'), signature, key)
}

/** Head and entries are stored in one transaction, so a crash cannot leave them inconsistent. */
function problemOfHead(head: AuditEntry, last: ChainEnd, keys: AuditKeys): AuditProblem | undefined {
  const key = keys(head.key)
  if (hashOf(head) !== head.hash || key === undefined || !signatureHolds(head, key))
    return { code: 'AUDIT_HEAD', message: 'the head of the log is not valid: it was changed or replaced' }
  if (head.n === last.n && head.hash === last.hash) return undefined
  return head.n > last.n
    ? {
        code: 'AUDIT_TRUNCATED',
        message: `the log ends at entry ${last.n}, but ${head.n} entries were written`,
      }
    : { code: 'AUDIT_HEAD', message: `the log has ${last.n} entries, but its head is of entry ${head.n}` }
}
