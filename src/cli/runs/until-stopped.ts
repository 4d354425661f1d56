import { setTimeout as sleep } from 'node:timers/promises'
import type { Io } from '../io.ts'
import type { FormatOptions } from '../options/run-options.ts'
import type { ServerClient } from '../remote/server-client.ts'
import type { PlaceOptions } from '../remote/with-records.ts'

export type WatchOptions = PlaceOptions & FormatOptions

/** How often runs are looked at, in milliseconds. A look at a server is a request, and may be a large one. */
const LOOK_MS = 250
const LOOK_THERE_MS = 1000

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Looks again and again, until there is no more to see, the reader of the output has gone, or a signal ends the watching.
 * The runs are not affected.
 * @param look returns whether this was the last look
 * @returns whether a signal or the reader ended it
 */
export async function untilStopped(
  io: Io,
  server: ServerClient | undefined,
  look: () => Promise<boolean>,
): Promise<boolean> {
  const stop = new AbortController()
  const end = () => stop.abort()
  for (const signal of SIGNALS) process.on(signal, end)
  try {
    for (;;) {
      if (await look()) return false
      if (stop.signal.aborted || io.outClosed?.() === true) return true
      await sleep(server === undefined ? LOOK_MS : LOOK_THERE_MS, undefined, { signal: stop.signal }).catch(
        () => {},
      )
      if (stop.signal.aborted) return true
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, end)
  }
}
