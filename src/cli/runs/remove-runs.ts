import { type ErrorObject, WaybillError } from '../../document/issue.ts'
import { isAuditedRun } from '../../run/record/audit-facts.ts'
import { eachRun } from '../../run/record/each-run.ts'
import { findRun } from '../../session/find-run.ts'
import type { Home } from '../../session/home.ts'
import { EXIT, type ExitCode, type Io, isInteractive } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { personName } from '../person-name.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { type PlaceOptions, withRecords } from '../remote/with-records.ts'
import { errorText } from '../report-error.ts'
import { count } from '../terminal/amounts.ts'
import { confirmDeliberately } from '../terminal/choose-deliberately.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

interface Options extends PlaceOptions {
  readonly all?: boolean
  readonly yes?: boolean
  readonly json?: boolean
  readonly format?: string
}

/** Removes runs, and reports the runs that it had to keep (`waybill runs rm`). */
export function removeRuns(wanted: readonly string[], options: Options, io: Io): Promise<ExitCode> {
  return withRecords(options, io, (home, server) => removeFrom(home, server, wanted, options, io))
}

async function removeFrom(
  home: Home,
  server: ServerClient | undefined,
  wanted: readonly string[],
  options: Options,
  io: Io,
): Promise<ExitCode> {
  const json = wantsJson(options)
  if (options.all === true ? wanted.length > 0 : wanted.length === 0) {
    throw usageError('give either ids of runs or --all', '`waybill runs list` shows the ids')
  }
  const ids =
    options.all === true
      ? await Array.fromAsync(eachRun(home, { roots: true }), ({ run_id }) => run_id)
      : [...new Set(await Promise.all(wanted.map((part) => findRun(home, part))))]
  if (
    options.all === true &&
    options.yes !== true &&
    ids.length > 0 &&
    !(await confirmed(ids.length, json, io))
  )
    return EXIT.no
  const removed: string[] = []
  const kept: { readonly run_id: string; readonly error: ErrorObject }[] = []
  for (const id of ids) {
    try {
      if (server === undefined) await removeHere(home, id, personName(io.env))
      else await server.send('DELETE', `/v1/runs/${encodeURIComponent(id)}`)
      removed.push(id)
    } catch (error) {
      if (!(error instanceof WaybillError)) throw error
      kept.push({ run_id: id, error: error.toJSON() })
    }
  }
  if (json) io.out(`${jsonText({ removed, kept })}\n`)
  else {
    for (const { error } of kept) io.err(errorText(error, io.color))
    io.err(`${count(removed.length, 'run')} removed${kept.length > 0 ? `, ${kept.length} kept` : ''}\n`)
  }
  return kept.length > 0 ? EXIT.no : EXIT.ok
}

async function removeHere(home: Home, id: string, by: string): Promise<void> {
  const audited = await isAudited(home, id)
  const at = new Date().toISOString()
  const gone = await home.runs.remove(id, (ids) =>
    audited ? ids.map((run_id) => ({ at, kind: 'run.removed', run_id, by })) : [],
  )
  for (const run_id of gone) home.piiKeys.remove(run_id)
}

/** Returns whether the audit log mentions the run. The entries remain after the record is removed. */
async function isAudited({ runs, audit }: Home, id: string): Promise<boolean> {
  try {
    return isAuditedRun(await runs.read(id))
  } catch {
    // The plan cannot be read, so an existing log may mention this run.
    return (await audit.head()) !== null
  }
}

async function confirmed(amount: number, json: boolean, io: Io): Promise<boolean> {
  if (!isInteractive(io, json)) throw usageError('removing all runs needs a confirmation', 'add --yes')
  return confirmDeliberately(`Remove ${count(amount, 'run')} and all their data?`, io)
}
