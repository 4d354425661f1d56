import { causeOf, GateRefusal } from '../../adapters/net/gate-refusal.ts'
import { WaybillError } from '../../document/issue.ts'
import { type Grants, parseHostGrant } from '../../policy/endpoint-gate.ts'
import { rememberedGrants } from '../../settings/remembered-grants.ts'
import { withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { commandFetch } from '../network/command-fetch.ts'

const LARGEST_BYTES = 8 * 1024 * 1024
const TIMEOUT_MS = 15_000

/**
 * Fetches a published document.
 * @param name the kind of the document, for messages
 * @throws PUBLISHED_UNREACHABLE
 */
export type PublishedFetch = (url: string, name: string) => Promise<Uint8Array>

/**
 * Opens a fetcher for published documents, with the standing grants that apply to every agent. A public host that the
 * user typed is allowed; a host that a document names needs a grant.
 * @param granted grants of flags and configuration
 */
export async function publishedFetch(
  granted: Grants,
  typed: string | undefined,
  io: Io,
): Promise<PublishedFetch> {
  const remembered = await withHome(io, ({ grants }) => rememberedGrants(grants, undefined))
  const typedHost = typed !== undefined && URL.canParse(typed) ? new URL(typed).host : undefined
  const hosts = [
    ...granted.hosts,
    ...(typedHost === undefined ? [] : [parseHostGrant(typedHost, 'config')]),
    ...remembered.hosts,
  ]
  const fetch = commandFetch({ ...granted, hosts }, { maxResponseBytes: LARGEST_BYTES })
  return async (url, name) => {
    const limit = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const response = await fetch(url, { signal: limit, headers: { accept: 'application/json' } })
      if (!response.ok) throw new Error(`HTTP status ${response.status}`)
      return new Uint8Array(await response.arrayBuffer())
    } catch (cause) {
      const refusal = causeOf(cause, GateRefusal)
      const why = limit.aborted ? 'no answer within 15 s' : (refusal?.reason ?? (cause as Error).message)
      throw new WaybillError('PUBLISHED_UNREACHABLE', {
        fault: 'usage',
        message: `the ${name} could not be fetched from ${url}: ${why}`,
        hint: refusal?.hint ?? 'check the address, or give a file',
        cause,
      })
    }
  }
}
