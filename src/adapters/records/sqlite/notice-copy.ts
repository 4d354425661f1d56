import { randomBytes } from 'node:crypto'
import { realpathSync, statfsSync, statSync } from 'node:fs'
import { WaybillError } from '../../../document/issue.ts'
import type { AuditChain } from './audit-chain-rows.ts'
import { Group } from './group-commit.ts'
import type { Queries } from './queries.ts'
import type { WriteStamps } from './write-stamps.ts'

/** What was noticed about a database that is a copy. */
export interface NoticedCopy {
  readonly generation: number
  /** How many runs were active. */
  readonly runs: number
  readonly why: string
}

interface HomeRow {
  readonly id: string
  readonly generation: number
  readonly place: string
  readonly inode: string
  readonly born: string
  readonly writes: number
}

type FileIdentity = Pick<HomeRow, 'place' | 'inode' | 'born'>

/**
 * Compares the database with the file that it says it is and with the stamps outside of it. A copy gets a new identity
 * and the next generation, and its active runs are marked, in one transaction with an audit entry.
 * @returns null if it is not a copy
 * @throws SQLITE_BUSY
 */
export function noticeCopy(
  q: Queries,
  file: string,
  stamps: WriteStamps,
  chain: AuditChain,
): NoticedCopy | null {
  const own = identityOf(file)
  const row = homeRow(q)
  if (row !== undefined && reasonOf(row, own, stamps) === null && row.place === own.place) return null
  q.exec('BEGIN IMMEDIATE')
  try {
    const noticed = noticeLocked(q, own, stamps, chain)
    q.exec('COMMIT')
    return noticed
  } catch (error) {
    q.rollBack()
    throw error
  }
}

/** Read again under the lock: another process may have noticed it, or have raised the counter and then its stamp. */
function noticeLocked(
  q: Queries,
  own: FileIdentity,
  stamps: WriteStamps,
  chain: AuditChain,
): NoticedCopy | null {
  const row = homeRow(q)
  const id = randomBytes(16).toString('hex')
  if (row === undefined) {
    q.run('INSERT INTO home VALUES (1, ?, 1, ?, ?, ?, 0)', id, own.place, own.inode, own.born)
    return null
  }
  const why = reasonOf(row, own, stamps)
  if (why === null) {
    q.run('UPDATE home SET place = ?', own.place)
    return null
  }
  const generation = row.generation + 1
  q.run(
    'UPDATE home SET id = ?, generation = ?, place = ?, inode = ?, born = ?, writes = 0',
    ...[id, generation, own.place, own.inode, own.born],
  )
  const runs = q.run(
    `INSERT OR REPLACE INTO copied_runs (run, generation)
     SELECT r.id, ? FROM runs AS r JOIN progress AS p ON p.run = r.id WHERE r.imported = 0 AND p.stop_reason IS NULL`,
    generation,
  )
  q.run(
    'INSERT OR REPLACE INTO copied_batches SELECT DISTINCT batch, ? FROM runs WHERE batch IS NOT NULL',
    generation,
  )
  audit(q, chain, { generation, runs, why })
  // In the place of the former home there is no other one that continues.
  stamps.begin(id, row.place === own.place ? row.id : undefined)
  return { generation, runs, why }
}

/** Counts a write that is about to leave. @returns what to stamp after the commit */
export function countWrite(q: Queries): { readonly id: string; readonly writes: number } | undefined {
  q.run('UPDATE home SET writes = writes + 1')
  return homeRow(q)
}

/** Returns the generation in which a run was marked; see `OpenRun.copied`. */
export function copiedIn(q: Queries, run: number): number | undefined {
  return q.get<{ generation: number }>('SELECT generation FROM copied_runs WHERE run = ?', run)?.generation
}

/** Marks a new run of a batch that was begun before: the newer database may have it already. */
export function batchCopied(q: Queries, run: number, batch: string | undefined): number | undefined {
  if (batch === undefined) return undefined
  q.run(
    'INSERT OR IGNORE INTO copied_runs SELECT ?, generation FROM copied_batches WHERE batch = ?',
    run,
    batch,
  )
  return copiedIn(q, run)
}

/** Returns the generation of the home of a database, from 1. */
export function generationOf(q: Queries): number {
  return homeRow(q)?.generation ?? 1
}

function homeRow(q: Queries): HomeRow | undefined {
  return q.get<HomeRow>('SELECT id, generation, place, inode, born, writes FROM home')
}

function reasonOf(row: HomeRow, own: FileIdentity, stamps: WriteStamps): string | null {
  if (row.inode !== '' && own.inode !== '' && row.inode !== own.inode) return 'it is another file than it was'
  if (row.born !== '' && own.born !== '' && row.born !== own.born) return 'it is another file than it was'
  return stamps.highest(row.id) > row.writes ? 'writes have left this home that it does not know' : null
}

/** File systems whose inode numbers do not last: FAT, exFAT and FUSE. */
const PASSING_INODES: ReadonlySet<number> = new Set([0x4d44, 0x2011bab0, 0x65735546])

/** Returns what tells a file from its copies; empty members are not known. The device may change with a restart. */
function identityOf(file: string): FileIdentity {
  const { ino, birthtimeNs } = statSync(file, { bigint: true })
  const lasts = !PASSING_INODES.has(Number(statfsSync(file).type) >>> 0)
  return {
    place: realpathSync(file),
    inode: lasts ? String(ino) : '',
    // An inode number is used again soon after its file was removed. 0: the file system does not know the time.
    born: lasts && birthtimeNs > 0n ? String(birthtimeNs) : '',
  }
}

/** A log that cannot be continued must not hide the copy: `audit verify` reports the log. */
function audit(q: Queries, chain: AuditChain, noticed: NoticedCopy): void {
  try {
    chain.append(new Group(q), [
      { at: new Date().toISOString(), kind: 'home.restored', by: 'the home', ...noticed },
    ])
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
  }
}
