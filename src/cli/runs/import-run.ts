import { isAuditedRun } from '../../run/record/audit-facts.ts'
import { type ImportedExport, readExportedRun } from '../../session/export-run.ts'
import type { Home } from '../../session/home.ts'
import { shortRunId } from '../../session/short-run-id.ts'
import { readFileOrInput } from '../files/read-any-document.ts'
import { withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { personName } from '../person-name.ts'
import { count } from '../terminal/amounts.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText } from '../terminal/plain-text.ts'

interface Options {
  readonly json?: boolean
  readonly format?: string
}

/** Imports an exported run as evidence; it cannot be resumed (`waybill runs import`). */
export async function importRun(file: string, options: Options, io: Io): Promise<void> {
  const hint = 'give a file that `waybill runs export` wrote'
  const text = (await readFileOrInput(file, io, { hint })).toString('utf8')
  const { run_id, runs, signer, short } = await withHome(io, async (home) => {
    const taken = await take(home, text, file, io)
    return { ...taken, short: await shortRunId(home, taken.run_id) }
  })
  if (wantsJson(options)) return io.out(`${jsonText({ run_id, runs: runs.length, signer })}\n`)
  const paint = painter(io.color)
  const by = signer === null ? 'signed with a key that this home does not trust' : `signed by ${signer}`
  io.err(`${paint('good', '✓')} ${count(runs.length, 'run')} imported, ${by}; it cannot be resumed\n`)
  io.err(`  ${paint('accent', 'next')} waybill runs show ${short}\n`)
}

async function take(home: Home, text: string, file: string, io: Io): Promise<ImportedExport> {
  const read = readExportedRun(text, home.trust, file)
  const at = new Date().toISOString()
  const by = personName(io.env)
  const audited = read.runs.some(isAuditedRun)
  const { run_id, signer } = read
  await home.runs.import(read.runs, audited ? [{ at, kind: 'run.imported', run_id, by, signer }] : [])
  return read
}
