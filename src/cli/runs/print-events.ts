import { setTimeout as sleep } from 'node:timers/promises'
import { publicEvent } from '../../run/record/event-line.ts'
import { findRun } from '../../session/find-run.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { type PlaceOptions, withRecords } from '../remote/with-records.ts'
import { jsonText } from '../terminal/plain-text.ts'

const FOLLOW_MS = 250

/** Prints the recorded events of a run for other programs (`waybill runs events`). */
export async function printEvents(
  wanted: string,
  options: PlaceOptions & { readonly follow?: boolean; readonly json?: boolean; readonly format?: string },
  io: Io,
): Promise<void> {
  await withRecords(options, io, async (home) => {
    const { runs } = home
    const runId = await findRun(home, wanted)
    if (wantsJson(options)) {
      io.out(`${jsonText((await runs.events(runId)).map((event) => publicEvent(runId, event)))}\n`)
      return
    }
    let seen = 0
    const printNew = async () => {
      for (const event of await runs.events(runId, seen)) {
        io.out(`${jsonText(publicEvent(runId, event))}\n`)
        seen = event.seq
      }
    }
    // Read the status before the events, so that the last events are not missed.
    let { live } = await runs.listed(runId)
    await printNew()
    while (options.follow === true && live && io.outClosed?.() !== true) {
      await sleep(FOLLOW_MS)
      live = (await runs.listed(runId)).live
      await printNew()
    }
  })
}
