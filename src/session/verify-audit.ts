import { sha256 } from '../document/canonical.ts'
import { WaybillError } from '../document/issue.ts'
import { messageOf } from '../document/message-of.ts'
import { eachRun } from '../run/record/each-run.ts'
import { encodeEvent } from '../run/record/event-line.ts'
import type { Records } from '../run/record/records.ts'
import { type AuditEntry, nextKeyOf } from '../trust/audit-chain.ts'
import {
  type AuditKeys,
  type AuditProblem,
  type AuditVerdict,
  ChainCheck,
} from '../trust/verify-audit-chain.ts'
import type { Home } from './home.ts'
import { type LoggedRun, LoggedRuns, LogReader } from './logged-runs.ts'

/** Log entries that are compared with the records at a time; a longer log is read again for each part of its runs. */
const PART = 100_000

/** Problems that a verdict lists. The others are counted. */
const LISTED = 1_000

type Verified = Pick<Records, 'audit' | 'runs'>

/**
 * Checks the audit log of a home: each entry, the chain and its head, and every entry against the record that it
 * refers to. Removals are entries; a run that is missing without one is a gap, and so is an audited event without
 * an entry. Runs may continue meanwhile. Memory is bounded: the log is read in pages.
 * @param part entries that are compared at a time
 */
export async function verifyHomeAudit(
  records: Verified,
  keys: AuditKeys,
  part = PART,
): Promise<AuditVerdict> {
  const { problems: broken, ...chain } = await verifiedChain(records, keys)
  const problems: AuditProblem[] = []
  let found = 0
  const add = (problem: AuditProblem): void => {
    if (++found <= LISTED) problems.push(problem)
  }
  for (const problem of broken) add(problem)
  const parts = Math.max(1, Math.ceil(chain.entries / part))
  for (let n = 0; n < parts; n++)
    for await (const problem of gaps(records, new LoggedRuns(records, n, parts))) add(problem)
  const notListed = found - problems.length + (chain.not_listed ?? 0)
  return {
    ...chain,
    ok: found === 0,
    problems,
    ...(notListed > 0 && { not_listed: notListed }),
  }
}

/** Returns the keys that may sign a log: the own keys, and trusted keys that are not limited to some documents. */
export function auditKeysOf({ trust }: Pick<Home, 'trust'>): AuditKeys {
  const known = trust
    .keys()
    .filter(
      ({ revokedAt, signsFor: { authoredBy, sourcePlatform } }) =>
        revokedAt === undefined && authoredBy === undefined && sourcePlatform === undefined,
    )
  return (keyId) => known.find((key) => key.keyId === keyId)?.publicKey
}

/** Returns the thumbprint of the key that signs the log now; undefined if there is no log, or no readable end of it. */
export async function signerOfLog(records: Pick<Records, 'audit'>): Promise<string | undefined> {
  return nextKeyOf((await headOf(records)) ?? {})
}

async function verifiedChain(records: Verified, keys: AuditKeys): Promise<AuditVerdict> {
  // Entries may be appended while the log is read, so the head is read before and after it.
  const before = await headOf(records)
  const check = new ChainCheck(keys, { listed: LISTED, ...(before !== null && { head: before }) })
  for await (const line of new LogReader(records).rest()) check.add(line)
  const after = await headOf(records)
  const { signer: _signer, ...verdict } = check.end(after ?? undefined)
  if (after !== null || verdict.entries === 0) return verdict
  const problem = { code: 'AUDIT_HEAD' as const, message: 'the head of the log is missing' }
  return { ...verdict, ok: false, problems: [...verdict.problems, problem] }
}

/** @returns null if there is no readable head; the reason is reported as a problem of the log */
async function headOf({ audit }: Pick<Records, 'audit'>): Promise<AuditEntry | null> {
  try {
    return await audit.head()
  } catch (error) {
    if (error instanceof WaybillError && error.code === 'AUDIT_DAMAGED') return null
    throw error
  }
}

/** Returns the whole log, one entry per line. */
export async function logText(records: Pick<Records, 'audit'>): Promise<string> {
  const texts: string[] = []
  for await (const line of new LogReader(records).rest()) texts.push(`${line}\n`)
  return texts.join('')
}

async function* gaps(records: Verified, log: LoggedRuns): AsyncGenerator<AuditProblem> {
  await log.catchUp()
  for await (const { run_id, imported, damaged } of eachRun(records)) {
    if (!log.has(run_id)) continue
    const logged = log.of(run_id)
    // A run that cannot be read cannot be compared: `runs list` shows it as damaged.
    if (!imported && (damaged === undefined || logged !== undefined))
      yield* await gapsOf(records, run_id, log)
    else if (logged !== undefined) logged.compared = true
  }
  await log.catchUp()
  for (const [run_id, { compared, removed, events }] of log.all()) {
    // A run that is newer than the list is on record.
    if (compared || removed || events.size === 0 || (await records.runs.has(run_id))) continue
    yield {
      code: 'AUDIT_GAP',
      message: `run ${run_id} is in the log and not on record, and no entry says that it was removed`,
    }
  }
}

async function gapsOf(
  { runs }: Pick<Records, 'runs'>,
  runId: string,
  log: LoggedRuns,
): Promise<readonly AuditProblem[]> {
  try {
    const { plan } = await runs.read(runId)
    const audited = plan.audit && !plan.rehearsal
    const logged = log.of(runId)
    if (!audited && (logged === undefined || logged.events.size === 0)) return []
    const left = new Map(logged?.events)
    const digests = new Map<number, string>()
    for (const event of await runs.events(runId)) {
      digests.set(event.seq, sha256(encodeEvent(event)))
      left.delete(event.seq)
    }
    // An event is stored with its entry, so the entries of events that were appended meanwhile are in the log now.
    if (audited && [...digests.keys()].some((seq) => logged?.events.has(seq) !== true)) await log.catchUp()
    const known = log.of(runId)
    if (known !== undefined) known.compared = true
    return [
      ...changes(runId, digests, known, audited),
      ...[...left.keys()].map((seq) => notOnRecord(runId, seq)),
    ]
  } catch (error) {
    // It was removed after it was listed; the log is checked for the entry that says so.
    if (error instanceof WaybillError && error.code === 'RUN_NOT_FOUND') return []
    const logged = log.of(runId)
    if (logged !== undefined) logged.compared = true
    const why = messageOf(error)
    return [{ code: 'AUDIT_EVENT_CHANGED', message: `run ${runId} cannot be compared with the log: ${why}` }]
  }
}

function* changes(
  runId: string,
  digests: ReadonlyMap<number, string>,
  logged: LoggedRun | undefined,
  audited: boolean,
): Generator<AuditProblem> {
  for (const [seq, digest] of digests) {
    const entry = logged?.events.get(seq)
    if (entry === undefined && audited)
      yield { code: 'AUDIT_GAP', message: `event ${seq} of run ${runId} has no entry` }
    else if (entry !== undefined && entry !== digest)
      yield {
        code: 'AUDIT_EVENT_CHANGED',
        message: `event ${seq} of run ${runId} differs from the one in the log`,
      }
  }
}

function notOnRecord(runId: string, seq: number): AuditProblem {
  return { code: 'AUDIT_GAP', message: `event ${seq} of run ${runId} is in the log and not on record` }
}
