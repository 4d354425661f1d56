import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { captureRun } from '../../session/capture-run.ts'
import { findRun } from '../../session/find-run.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { Fidelity } from '../../state/fidelity.ts'
import type { Io } from '../io.ts'
import { assertStateChannel } from '../remote/assert-state-channel.ts'
import { type PlaceOptions, withRecords } from '../remote/with-records.ts'
import { captureOptions, type StateTarget, writeState } from '../run-session/write-state.ts'
import { usageError } from '../usage-error.ts'

export interface ExportStateOptions extends StateTarget, PlaceOptions {
  /** The state after this event. */
  readonly at?: number
  /** The run is handed over to this platform, which is not Waybill. */
  readonly to?: string
}

/** Writes the state of a run, of this machine or of a server (`waybill state export`). */
export async function exportState(
  wanted: string,
  { at, to, server, local, ...target }: ExportStateOptions,
  io: Io,
): Promise<void> {
  if (to !== undefined) {
    if (at !== undefined)
      throw usageError('a run is handed over as it is now', 'leave out --at, or leave out --to')
    const { handOver } = await import('./hand-over.ts')
    return handOver(wanted, to, { ...defined({ server, local }), ...target }, io)
  }
  const place = { ...(server !== undefined && { server }), ...(local !== undefined && { local }) }
  const capture = await withRecords(place, io, async (records, there) => {
    const runId = await findRun(records, wanted)
    if (there === undefined) return captureRun(records, runId, await captureOptions(records, io, at))
    if (at !== undefined) throw localOnly()
    assertStateChannel(there.url, io)
    const document = (await there.send('GET', `/v1/runs/${runId}/state`)) as unknown as AgentState
    return { document, report: new Fidelity().report() }
  })
  await writeState(capture, target, io)
}

function localOnly(): WaybillError {
  return new WaybillError('OPTION_LOCAL_ONLY', {
    fault: 'usage',
    message: 'a server exports the state after the last event only',
    hint: 'leave out --at, or add --local for a run of this machine',
  })
}
