import type { KeyObject } from 'node:crypto'
import { auditDamaged } from '../../../run/record/record-errors.ts'
import {
  type AuditFact,
  BEFORE_FIRST,
  type ChainEnd,
  type EntryMaker,
  entryMaker,
  parseEntry,
} from '../../../trust/audit-chain.ts'
import type { Group } from './group-commit.ts'
import type { Queries } from './queries.ts'

/** Writes the entries of the audit log in the transaction of the audited change. */
export class AuditChain {
  readonly #nextEntry: EntryMaker

  /** @param openKey see {@link entryMaker} */
  constructor(openKey: (keyId?: string) => KeyObject) {
    this.#nextEntry = entryMaker(openKey)
  }

  /** @throws AUDIT_DAMAGED if the end of the log does not match its head; audited actions are then refused */
  append(group: Group, facts: readonly AuditFact[]): void {
    if (facts.length === 0) return
    const { q } = group
    let last = group.auditEnd ?? lastEntry(q)
    let line = ''
    for (const fact of facts) {
      const entry = this.#nextEntry(fact, last)
      line = JSON.stringify(entry)
      q.run('INSERT INTO audit VALUES (?, ?)', entry.n, line)
      last = entry
    }
    q.run('INSERT INTO audit_head VALUES (1, ?) ON CONFLICT DO UPDATE SET line = excluded.line', line)
    group.auditEnd = last
  }
}

function lastEntry(q: Queries): ChainEnd {
  const last = q.get<{ n: number; line: string }>('SELECT n, line FROM audit ORDER BY n DESC LIMIT 1')
  const head = q.get<{ line: string }>('SELECT line FROM audit_head')
  if (last === undefined && head === undefined) return BEFORE_FIRST
  if (last === undefined) throw auditDamaged('its entries are missing')
  if (head === undefined) throw auditDamaged('its head is missing')
  const entry = parseEntry(last.line)
  if (entry === null || entry.n !== last.n) throw auditDamaged('its last line is not a valid entry')
  if (last.line !== head.line)
    throw auditDamaged(`it ends at entry ${entry.n}, but its head is entry ${parseEntry(head.line)?.n}`)
  return entry
}
