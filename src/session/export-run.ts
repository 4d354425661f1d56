import { createHash } from 'node:crypto'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { strictJson } from '../document/strict-json.ts'
import { planHash } from '../plan/plan-hash.ts'
import type { RunEvent } from '../run/event.ts'
import { eachRun } from '../run/record/each-run.ts'
import { decodeEvent, encodeEvent } from '../run/record/event-line.ts'
import type { ImportedRun, NewRun, Records } from '../run/record/records.ts'
import { isSigned, type Signature } from '../trust/signed-statement.ts'
import type { Home } from './home.ts'
import { signerOfLog } from './verify-audit.ts'

/** Version of the format of an exported run. */
const VERSION = 1

/** The last line. If it is missing or does not match the other lines, the file was truncated or changed. */
interface ExportEnd extends Signature {
  readonly type: 'run.export.end'
  readonly v: number
  readonly run_id: string
  readonly runs: number
  readonly events: number
  /** SHA-256 (hex) of all bytes before this line. */
  readonly sha256: string
  /** ISO 8601, UTC. */
  readonly at: string
}

/**
 * Exports a run and those of its sub-agents as NDJSON: for each run a line with its header, plans and input, then
 * its events as they were recorded; at the end a signed line with a hash over all of it. Sealed personal data is
 * left out.
 * @throws RUN_NOT_FOUND, RECORD_DAMAGED
 */
export async function exportRun(home: Pick<Home, 'audit' | 'runs' | 'sign'>, runId: string): Promise<string> {
  const lines: string[] = []
  let events = 0
  const ids = await familyOf(home, runId)
  for (const id of ids) {
    const { header, plan, family, first } = await home.runs.read(id)
    // Sub-agents' runs have the plans of their root.
    const own = header.parent === undefined || id === runId
    lines.push(JSON.stringify({ type: 'run', v: VERSION, header, plan, family: own ? family : [], first }))
    for (const event of await home.runs.events(id)) {
      lines.push(`{"type":"event","run_id":${JSON.stringify(id)},"event":${encodeEvent(event)}}`)
      events++
    }
  }
  const text = lines.map((line) => `${line}\n`).join('')
  const end = {
    type: 'run.export.end' as const,
    v: VERSION,
    run_id: runId,
    runs: ids.length,
    events,
    sha256: createHash('sha256').update(text).digest('hex'),
    at: new Date().toISOString(),
  }
  return `${text}${JSON.stringify({ ...end, ...home.sign(end, await signerOfLog(home)) })}\n`
}

/** Returns the run, then those of its sub-agents, oldest first. */
async function familyOf(records: Pick<Records, 'runs'>, runId: string): Promise<readonly string[]> {
  const ids = await Array.fromAsync(eachRun(records, { root: runId }), ({ run_id }) => run_id)
  const below = ids.filter((id) => id !== runId)
  return [runId, ...below.reverse()]
}

export interface ImportedExport {
  readonly run_id: string
  readonly runs: readonly ImportedRun[]
  /** The key that signed it, if this home trusts that key; else null. */
  readonly signer: string | null
}

/**
 * Reads an exported run, completely or not at all.
 * @param trust the keys that this home trusts
 * @throws EXPORT_DAMAGED with the line; RECORD_NEWER if a later version wrote it
 */
export function readExportedRun(text: string, { keys }: Home['trust'], file?: string): ImportedExport {
  const cut = text.trimEnd().lastIndexOf('\n') + 1
  const end = parseLine(text.slice(cut), text.trimEnd().split('\n').length, file) as unknown as ExportEnd
  if (end.type !== 'run.export.end') throw damaged('its last line is not the end of an export', file)
  assertVersion(end.v, file)
  const body = text.slice(0, cut)
  if (createHash('sha256').update(body).digest('hex') !== end.sha256)
    throw damaged('its lines do not match the hash in its last line', file)
  const { key, sig, ...statement } = end
  const known = keys().find(({ keyId, revokedAt }) => keyId === key && revokedAt === undefined)
  if (known !== undefined && !isSigned(statement as unknown as JsonObject, { key, sig }, known.publicKey))
    throw damaged('its signature is not valid', file)
  const runs = runsOf(body, file)
  if (runs.length !== end.runs || !runs.some(({ header }) => header.run_id === end.run_id))
    throw damaged(`it has ${runs.length} runs, and its last line says ${end.runs}`, file)
  return { run_id: end.run_id, runs, signer: known?.name ?? null }
}

function runsOf(body: string, file: string | undefined): readonly ImportedRun[] {
  const runs = new Map<string, NewRun & { readonly events: RunEvent[] }>()
  for (const [index, line] of body.split('\n').slice(0, -1).entries()) {
    const value = parseLine(line, index + 1, file) as unknown as {
      readonly type?: string
      readonly v?: number
      readonly run_id?: string
      readonly event?: Json
    } & NewRun
    if (value.type === 'run') {
      assertVersion(value.v ?? 0, file)
      const { header, plan, family, first } = value
      if (planHash(plan) !== header.plan_hash)
        throw damaged(`the plan of run ${header.run_id} does not match its recorded hash`, file, index + 1)
      runs.set(header.run_id, { header, plan, family, first, events: [] })
      continue
    }
    const run = value.type === 'event' ? runs.get(value.run_id ?? '') : undefined
    if (run === undefined) throw damaged('the line belongs to no run before it', file, index + 1)
    const event = decodeEvent(JSON.stringify(value.event))
    if (event.seq !== run.events.length + 1)
      throw damaged(`event ${run.events.length + 1} of run ${value.run_id} is missing`, file, index + 1)
    run.events.push(event)
  }
  return [...runs.values()]
}

function parseLine(line: string, number: number, file: string | undefined): JsonObject {
  try {
    const value = strictJson(line)
    if (isObject(value)) return value
  } catch {
    // Reported below.
  }
  throw damaged('the line is not a JSON object', file, number)
}

function assertVersion(v: number, file: string | undefined): void {
  if (v === VERSION) return
  throw new WaybillError('RECORD_NEWER', {
    fault: 'failed',
    ...defined({ file }),
    message: `the run was exported by a later version of Waybill (format ${v})`,
    hint: 'import it with that version',
  })
}

function damaged(why: string, file: string | undefined, line?: number): WaybillError {
  return new WaybillError('EXPORT_DAMAGED', {
    ...defined({ file, line }),
    message: `the exported run was truncated or changed: ${why}`,
    hint: 'nothing was imported; export the run again with `waybill runs export`',
  })
}
