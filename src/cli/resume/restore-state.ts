import type { LocalHome } from '../../compose/local-home.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import type { StoredRun } from '../../run/record/records.ts'
import type { RestoredParts } from '../../session/agent-sessions.ts'
import { captureRun } from '../../session/capture-run.ts'
import { findRun } from '../../session/find-run.ts'
import type { Home } from '../../session/home.ts'
import { tokenUsed } from '../../session/moves/token-errors.ts'
import { shortRunId } from '../../session/short-run-id.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import type { FidelityReport } from '../../state/fidelity.ts'
import { readState } from '../files/read-state.ts'
import { readStatesBeside } from '../files/states-beside.ts'
import { withHome } from '../home.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { slotOptions } from '../options/wait-option.ts'
import { personName } from '../person-name.ts'
import { driveAndShow } from '../run-session/drive-and-show.ts'
import { fidelitySummary, lossLines } from '../run-session/fidelity-text.ts'
import { environment } from '../run-session/parts-from-flags.ts'
import { captureOptions } from '../run-session/write-state.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { continuingSessions } from './continuing-sessions.ts'
import type { ResumeOptions } from './resume-run.ts'
import { type ProvedStop, verifyGivenState } from './verify-given-state.ts'

/**
 * Continues a state in a new run: one from a file, or that of a recorded run after an event (`--at`). Unless a migration
 * token proves that the captured run has stopped, the new run is a fork: a write that the captured run may have sent is
 * not sent again.
 */
export async function restoreState(wanted: string, options: ResumeOptions, io: Io): Promise<ExitCode> {
  return withHome(
    io,
    async (home, env) => {
      const { document, documents } = await documentOf(wanted, options, home, io)
      const proved = await proofOf(document, options, home)
      const stored = await storedOf(document, home)
      const { sessions, origin } = await continuingSessions(stored, { options, io, home, env })
      try {
        const parts = await sessions.restored(document, {
          ...origin,
          fork: proved === undefined,
          trusted: options.at !== undefined,
          documents,
          resumes: options.resume !== false,
        })
        const { run_id, family } = parts
        showReport(family.report, options, io)
        await parts.storeMemory()
        await store(home, document, parts, proved, io)
        const short = await shortRunId(home, run_id)
        if (options.resume === false) return showPaused(run_id, short, family.report, options, io)
        const session = await sessions.open(run_id)
        try {
          if (!wantsJson(options)) io.err(`${described(document)} continues as run ${short}\n`)
          const [root] = family.runs
          const plan = root?.program.plan ?? session.run.plan
          const shown = { ...options, report: family.report }
          return await driveAndShow(session, home, slotOptions(plan, options, io), shown, io)
        } finally {
          await session.close()
        }
      } finally {
        await sessions.close()
      }
    },
    environment(options, io),
  )
}

/** A state with the own states of its sub-agents. */
interface Given {
  readonly document: AgentState
  readonly documents: readonly AgentState[]
}

async function documentOf(wanted: string, { at }: ResumeOptions, home: Home, io: Io): Promise<Given> {
  if (at === undefined) {
    const document = await readState(wanted, io)
    return { document, documents: await readStatesBeside(wanted, document, io) }
  }
  const captured = await captureRun(home, await findRun(home, wanted), await captureOptions(home, io, at))
  return { document: captured.document, documents: [] }
}

async function storedOf({ run_id }: AgentState, home: Home): Promise<StoredRun | undefined> {
  return run_id !== undefined && (await home.runs.has(run_id)) ? home.runs.read(run_id) : undefined
}

/** Verifies who may continue the run (AAIF §8.2 step 4). A state of this home, after an event, is a fork. */
async function proofOf(
  document: AgentState,
  { at, asFork = false }: ResumeOptions,
  { trust, moves }: LocalHome,
): Promise<ProvedStop | undefined> {
  if (at !== undefined) return undefined
  const nowSeconds = Math.floor(Date.now() / 1000)
  const keys = trust.keys()
  const proved = await verifyGivenState(document, { keys, places: moves.places(), fork: asFork, nowSeconds })
  if (proved !== undefined && (await moves.records.arrival(proved.claims.jti)) !== undefined)
    throw tokenUsed(USED)
  return proved
}

/** Stores the runs; a token is used up with them. @throws STATE_TOKEN_USED if another command was first */
async function store(
  { runs, moves }: LocalHome,
  { state_id, run_id: source_run_id = '', provenance }: AgentState,
  { run_id, records }: RestoredParts,
  proved: ProvedStop | undefined,
  io: Io,
): Promise<void> {
  if (proved === undefined) return runs.restore(records.runs, records.audit)
  const { claims, source } = proved
  const { jti } = claims
  const checksum = provenance?.checksum ?? ''
  const about = { run_id, source_run_id, jti, state_id, checksum }
  const fact = {
    at: new Date().toISOString(),
    kind: 'run.received',
    by: personName(io.env),
    ...about,
    from: source,
  }
  // The sender has no server that takes a report.
  const arrival = { ...about, state: 'owned', source, url: '' } as const
  const decided = await moves.records.receive(arrival, records.runs, [...records.audit, fact])
  if (decided.run_id !== run_id) throw tokenUsed(USED)
  await moves.records.reported(jti)
}

const USED = '`waybill runs list` shows the run that has continued it'

/** Shows a fidelity report. @throws STATE_LOSS if a loss is not accepted */
function showReport(report: FidelityReport, { failOnLoss }: ResumeOptions, io: Io): void {
  const lost = report.entries.filter(({ status }) => status === 'left_behind')
  if (failOnLoss === true && lost.length > 0) {
    const parts = lost.map(({ part, note }) => (note === undefined ? part : `${part} (${note})`))
    throw new WaybillError('STATE_LOSS', {
      message: `the restored run would lose ${parts.join('; ')}`,
      hint: 'resume it without --fail-on-loss if these parts are not needed',
    })
  }
  for (const line of lossLines(report)) io.err(`${line}\n`)
  io.err(`${fidelitySummary(report)}\n`)
}

function showPaused(
  run_id: string,
  short: string,
  report: FidelityReport,
  options: ResumeOptions,
  io: Io,
): ExitCode {
  if (wantsJson(options)) io.out(`${jsonText({ run_id, status: 'paused', report } as unknown as Json)}\n`)
  else io.err(`the state is here as run ${short}, which is paused\n  next waybill resume ${short}\n`)
  return EXIT.ok
}

function described({ run_id, state_id, checkpoint_at }: AgentState): string {
  return `the state of ${run_id === undefined ? state_id : `run ${run_id}`} at ${checkpoint_at}`
}
