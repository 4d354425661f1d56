import { sha256 } from '../document/canonical.ts'
import { WaybillError } from '../document/issue.ts'
import { messageOf } from '../document/message-of.ts'
import { eachRun } from '../run/record/each-run.ts'
import { encodeEvent } from '../run/record/event-line.ts'
import type { Records } from '../run/record/records.ts'
import {
  type AuditEntry,
  type AuditKeys,
  type AuditProblem,
  type AuditVerdict,
  nextKeyOf,
  parseEntry,
  verifyAudit,
} from '../trust/audit-chain.ts'

const PAGE = 5_000

/** The log entries of one run. */
interface LoggedRun {
  /** Digest by sequence number. */
  readonly events: Map<number, string>
  removed: boolean
}

/**
 * Checks the audit log of a home: each entry, the chain and its head, and every entry against the record that it
 * refers to. Removals are entries; a run that is missing without one is a gap, and so is an audited event without
 * an entry.
 */
export async function verifyHomeAudit(
  records: Pick<Records, 'audit' | 'runs'>,
  keys: AuditKeys,
): Promise<AuditVerdict> {
  const text = await logText(records)
  const head = await headOf(records)
  const verdict = verifyAudit(text, keys, head ?? undefined)
  const headless: AuditProblem[] =
    head === null && verdict.entries > 0
      ? [{ code: 'AUDIT_HEAD', message: 'the head of the log is missing' }]
      : []
  const problems = [...verdict.problems, ...headless, ...(await gaps(records, runsIn(text)))]
  return { ...verdict, ok: problems.length === 0, problems }
}

/** Returns the thumbprint of the key that signs the log now; undefined if there is no log, or no readable end of it. */
export async function signerOfLog(records: Pick<Records, 'audit'>): Promise<string | undefined> {
  return nextKeyOf((await headOf(records)) ?? {})
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
export async function logText({ audit }: Pick<Records, 'audit'>): Promise<string> {
  const texts: string[] = []
  for (let after = 0; ; ) {
    const lines = await audit.lines(after, PAGE)
    for (const line of lines) texts.push(`${line}\n`)
    if (lines.length < PAGE) return texts.join('')
    after += lines.length
  }
}

function runsIn(text: string): ReadonlyMap<string, LoggedRun> {
  const runs = new Map<string, LoggedRun>()
  for (const line of text.split('\n')) {
    const fact = line === '' ? undefined : parseEntry(line)?.fact
    if (fact === undefined || typeof fact.run_id !== 'string') continue
    const run = runs.get(fact.run_id) ?? { events: new Map(), removed: false }
    runs.set(fact.run_id, run)
    if (fact.kind === 'run.removed') run.removed = true
    if (typeof fact.seq === 'number' && typeof fact.event === 'string') run.events.set(fact.seq, fact.event)
  }
  return runs
}

async function gaps(
  records: Pick<Records, 'runs'>,
  logged: ReadonlyMap<string, LoggedRun>,
): Promise<readonly AuditProblem[]> {
  const problems: AuditProblem[] = []
  const seen = new Set<string>()
  for await (const { run_id, imported, damaged } of eachRun(records)) {
    seen.add(run_id)
    const log = logged.get(run_id)
    // A run that cannot be read cannot be compared: `runs list` shows it as damaged.
    if (imported || (damaged !== undefined && log === undefined)) continue
    problems.push(...(await gapsOf(records, run_id, log)))
  }
  for (const [run_id, { removed, events }] of logged) {
    if (seen.has(run_id) || removed || events.size === 0) continue
    problems.push({
      code: 'AUDIT_GAP',
      message: `run ${run_id} is in the log and not on record, and no entry says that it was removed`,
    })
  }
  return problems
}

async function gapsOf(
  { runs }: Pick<Records, 'runs'>,
  runId: string,
  log: LoggedRun | undefined,
): Promise<readonly AuditProblem[]> {
  try {
    const { plan } = await runs.read(runId)
    const audited = plan.audit && !plan.rehearsal
    if (!audited && (log === undefined || log.events.size === 0)) return []
    const problems: AuditProblem[] = []
    const left = new Map(log?.events)
    for (const event of await runs.events(runId)) {
      const digest = left.get(event.seq)
      left.delete(event.seq)
      if (digest === undefined) {
        if (audited)
          problems.push({ code: 'AUDIT_GAP', message: `event ${event.seq} of run ${runId} has no entry` })
      } else if (digest !== sha256(encodeEvent(event))) {
        problems.push({
          code: 'AUDIT_EVENT_CHANGED',
          message: `event ${event.seq} of run ${runId} differs from the one in the log`,
        })
      }
    }
    for (const seq of left.keys())
      problems.push({
        code: 'AUDIT_GAP',
        message: `event ${seq} of run ${runId} is in the log and not on record`,
      })
    return problems
  } catch (error) {
    const why = messageOf(error)
    return [{ code: 'AUDIT_EVENT_CHANGED', message: `run ${runId} cannot be compared with the log: ${why}` }]
  }
}
