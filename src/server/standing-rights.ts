import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { WaybillError } from '../document/issue.ts'
import type { Principal } from '../session/principal.ts'

export interface RightsWatch {
  readonly principal: Principal
  readonly response: ServerResponse
  readonly socket: Socket
  /** Milliseconds between two looks. */
  readonly everyMs: number
  /** Looks again who asks. @throws TOKEN_REFUSED, ROLE_MISSING, SCOPE_MISSING if the request would be refused now */
  readonly look: () => Promise<void>
  /** Milliseconds of the system clock. */
  readonly now: () => number
}

/** How long a request has to end by itself before its connection is destroyed, in milliseconds. */
const GRACE_MS = 1_000

/** The longest time that a timer of Node can wait. */
const LONGEST_MS = 2 ** 31 - 1

const LOST = new Set(['TOKEN_REFUSED', 'ROLE_MISSING', 'SCOPE_MISSING'])

/**
 * Watches the rights of a request for as long as it lasts, whatever it does: a stream, a WebSocket, an upload, or the wait
 * for a run. They are looked up again at the end of their proof and with each heartbeat.
 * @returns aborted with the error that the same request would get now; the connection is destroyed soon afterwards
 */
export function watchRights(watch: RightsWatch): AbortSignal {
  const { principal, response, socket, everyMs, look, now } = watch
  const lost = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
    response.off('finish', stop)
    response.off('close', stop)
    socket.off('close', stop)
  }
  const wait = () => {
    const end = endOf(principal)
    const left = end === undefined ? everyMs : Math.max(end - now(), 0) + 1
    timer = setTimeout(() => void tick(), Math.min(everyMs, left, LONGEST_MS)).unref()
  }
  const tick = async () => {
    // Without an answer of the database, nothing is known, and nothing can be read either.
    const error = await look().catch((thrown: unknown) => thrown)
    if (timer === undefined) return
    if (!(error instanceof WaybillError && LOST.has(error.code))) return wait()
    lost.abort(error)
    timer = setTimeout(() => socket.destroy(), GRACE_MS).unref()
  }
  response.on('finish', stop)
  response.on('close', stop)
  // A WebSocket detaches its response: its connection says when it is over.
  socket.on('close', stop)
  wait()
  return lost.signal
}

/** Returns when the proof of an identity ends, in milliseconds; undefined: it does not end by itself. */
function endOf({ token, until }: Principal): number | undefined {
  const ends = [token?.expires_at, until]
    .filter((time) => time !== undefined && time !== null)
    .map(Date.parse)
  return ends.length === 0 ? undefined : Math.min(...ends)
}
