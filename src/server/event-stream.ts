import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { exactText } from '../document/exact-numbers.ts'
import type { EventSource, SentItem } from '../http/route.ts'
import { inPlatformWords } from '../policy/hints/platform-words.ts'
import { publicEvent } from '../run/record/event-line.ts'

export interface StreamTiming {
  /** Milliseconds between two heartbeat comments of a stream without events. */
  readonly heartbeatMs: number
  /** Milliseconds in which a client must read what was sent. A stream of a slower client is cut. */
  readonly slowClientMs: number
}

/** How a stream is sent. */
export interface StreamSettings extends StreamTiming {
  /** Returns the last event of a stream whose source has failed. */
  readonly failed: (error: unknown) => string
}

export const DEFAULT_STREAM_TIMING: StreamTiming = { heartbeatMs: 15_000, slowClientMs: 30_000 }

/** Milliseconds after which a client reconnects. */
const RETRY_MS = 1_000

/**
 * Sends the items of a run as server-sent events until the last one, `end`. A stream that ends without `end` was cut:
 * by a failure, which is its last event, a slow client or the shutdown of the server; the client then reconnects with
 * `Last-Event-ID`.
 * @param stopping aborted when the server shuts down
 */
export function sendEventStream(
  response: ServerResponse,
  { runId, follow }: EventSource,
  stopping: AbortSignal,
  settings: StreamSettings,
): Promise<void> {
  const texts = async function* (signal: AbortSignal) {
    yield `retry: ${RETRY_MS}\n\n`
    for await (const item of follow(signal)) yield eventText(runId, item)
  }
  return sendTexts(response, texts, stopping, settings)
}

/**
 * Sends server-sent events. One is taken from the source only after the client has read the previous ones, so a slow
 * client does not fill the memory.
 * @param source gives the text of each event; its signal is aborted when the client has gone or the server shuts down
 * @param atCut how the connection is closed when the source fails or the server shuts down: `destroy` if a client would
 * take an ordinary end for the whole stream
 */
export async function sendTexts(
  response: ServerResponse,
  source: (signal: AbortSignal) => AsyncIterable<string>,
  stopping: AbortSignal,
  { heartbeatMs, slowClientMs, failed }: StreamSettings,
  atCut: 'end' | 'destroy' = 'end',
): Promise<void> {
  const gone = new AbortController()
  const signal = AbortSignal.any([gone.signal, stopping])
  response.once('close', () => gone.abort())
  // A failing connection is a client that has gone.
  response.on('error', () => gone.abort())
  const write = async (text: string) => {
    if (response.write(text) || signal.aborted) return
    const patience = new AbortController()
    const drained = once(response, 'drain', { signal: AbortSignal.any([signal, patience.signal]) })
    const late = sleep(slowClientMs, undefined, { signal: patience.signal, ref: false }).then(() =>
      gone.abort(),
    )
    await Promise.race([drained, late]).catch(() => undefined)
    patience.abort()
    await Promise.allSettled([drained, late])
  }
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(':\n\n')
  }, heartbeatMs)
  let hasFailed = false
  try {
    for await (const text of source(signal)) {
      if (signal.aborted) break
      await write(text)
    }
  } catch (error) {
    if (signal.aborted) return
    hasFailed = true
    await write(failed(error))
  } finally {
    clearInterval(heartbeat)
    // A client that does not read would keep the connection open.
    if (gone.signal.aborted || (stopping.aborted && atCut === 'destroy')) response.destroy()
    else if (hasFailed && atCut === 'destroy') response.write('', () => response.destroy())
    else endWithin(response, slowClientMs)
  }
}

/** Ends a response, and destroys its connection if the client does not read the rest in time. */
function endWithin(response: ServerResponse, ms: number): void {
  const late = setTimeout(() => response.destroy(), ms).unref()
  response.once('close', () => clearTimeout(late))
  response.end()
}

/** Returns an item as one server-sent event. JSON text has no line break, so the data is one line. */
function eventText(runId: string, item: SentItem): string {
  switch (item.type) {
    case 'event':
      return `id: ${item.event.seq}\nevent: ${item.event.fact.type}\ndata: ${exactText(inPlatformWords(publicEvent(runId, item.event)))}\n\n`
    case 'text':
    case 'text.snapshot':
      return `event: ${item.type}\ndata: ${JSON.stringify({ attempt: item.attempt, text: item.text })}\n\n`
    case 'end':
      return `event: end\ndata: ${exactText(inPlatformWords(item.run))}\n\n`
  }
}
