import { setTimeout as sleep } from 'node:timers/promises'
import { publicEvent } from '../../run/record/event-line.ts'
import { RunStore } from '../../run/record/run-store.ts'
import { runsFolder } from '../../settings/home.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../run-options.ts'
import { jsonText } from '../terminal/plain-text.ts'

const FOLLOW_MS = 250

/** `waybill runs events`: the record as other programs read it. */
export async function printEvents(
  wanted: string,
  options: { readonly follow?: boolean; readonly json?: boolean; readonly format?: string },
  io: Io,
): Promise<void> {
  const store = new RunStore(runsFolder(io.env))
  const runId = store.resolve(wanted)
  if (wantsJson(options)) {
    io.out(`${jsonText(store.events(runId).map((event) => publicEvent(runId, event)))}\n`)
    return
  }
  let seen = 0
  const printNew = () => {
    const events = store.events(runId)
    for (const event of events.slice(seen)) io.out(`${jsonText(publicEvent(runId, event))}\n`)
    seen = events.length
  }
  // Asked before reading: what was written last is then still read.
  let live = store.isLive(runId)
  printNew()
  while (options.follow === true && live && io.outClosed?.() !== true) {
    await sleep(FOLLOW_MS)
    live = store.isLive(runId)
    printNew()
  }
}
