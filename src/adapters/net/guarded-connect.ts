import { connect, type Socket } from 'node:net'
import { judgeConnection } from '../../policy/endpoint-gate.ts'
import { GateRefusal } from './gate-refusal.ts'
import { checkedLookup, type GuardedFetchOptions } from './guarded-fetch.ts'

/** Connects to the host and port of a URL, through the same gate as {@link createGuardedFetch}. */
export function createGuardedConnect(
  options: GuardedFetchOptions,
): (url: string | URL, signal: AbortSignal) => Promise<Socket> {
  const { connectTimeoutMs = 10_000 } = options
  return (input, signal) => {
    const verdict = judgeConnection(input, options.grants)
    if (!verdict.allowed) return Promise.reject(new GateRefusal(verdict.code, verdict.reason, verdict.hint))
    const { hostname, port: named, protocol } = verdict.url
    const port = named === '' ? (protocol === 'http:' ? 80 : 443) : Number(named)
    const host = hostname.replace(/^\[|\]$/g, '')
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, lookup: checkedLookup(options, port), signal })
      const timer = setTimeout(() => socket.destroy(new Error('the connection timed out')), connectTimeoutMs)
      socket.once('error', (error) => {
        clearTimeout(timer)
        reject(error)
      })
      socket.once('connect', () => {
        clearTimeout(timer)
        resolve(socket)
      })
    })
  }
}
