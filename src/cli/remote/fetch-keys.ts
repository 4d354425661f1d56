import { causeOf, GateRefusal } from '../../adapters/net/gate-refusal.ts'
import { createGuardedFetch } from '../../adapters/net/guarded-fetch.ts'
import { WaybillError } from '../../document/issue.ts'
import { isObject, type JsonObject } from '../../document/json.ts'
import { parseHostGrant } from '../../policy/endpoint-gate.ts'
import { homePath } from '../../settings/home.ts'
import { readConfig } from '../../settings/read-config.ts'
import { readNamedFile } from '../files/read-any-document.ts'
import type { Io } from '../io.ts'

const LARGEST_BYTES = 256 * 1024
const TIMEOUT_MS = 15_000

/** Reads the keys of a platform from a file, or fetches what it publishes. @throws PUBLISHED_UNREACHABLE, PEER_INVALID */
export async function keysFrom(file: string | undefined, url: string, io: Io): Promise<JsonObject> {
  const text = file === undefined ? await fetched(url, io) : fromFile(file, io)
  try {
    const json: unknown = JSON.parse(text)
    if (isObject(json as JsonObject)) return json as JsonObject
  } catch {
    // Reported below.
  }
  throw new WaybillError('PEER_INVALID', {
    fault: 'usage',
    message: `${file ?? url} does not contain a JSON Web Key Set`,
    hint: 'give the file that the operator of the platform has sent you, or leave --keys out to fetch them',
  })
}

function fromFile(file: string, io: Io): string {
  const speech = {
    what: 'the key set',
    hint: 'name a file with a JSON Web Key Set',
    code: 'KEY_NOT_FOUND',
  } as const
  return readNamedFile(file, io, speech).toString('utf8')
}

async function fetched(url: string, io: Io): Promise<string> {
  const { allow_hosts = [], ca_files } = readConfig(homePath(io.env), undefined)
  const typed = URL.canParse(url) ? [parseHostGrant(new URL(url).host, 'config')] : []
  const hosts = [...allow_hosts.map((host) => parseHostGrant(host, 'config')), ...typed]
  const grants = { hosts, ...(ca_files !== undefined && { ca_files }) }
  const fetch = createGuardedFetch({ grants, maxResponseBytes: LARGEST_BYTES })
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const { pathname } = new URL(url)
    const place = pathname === '/' ? '/.well-known/jwks.json' : pathname
    const response = await fetch(new URL(place, url), { signal: limit })
    if (!response.ok) throw new Error(`HTTP status ${response.status}`)
    return await response.text()
  } catch (cause) {
    const refusal = causeOf(cause, GateRefusal)
    const why = limit.aborted ? 'no answer within 15 s' : (refusal?.reason ?? (cause as Error).message)
    throw new WaybillError('PUBLISHED_UNREACHABLE', {
      fault: 'usage',
      message: `the keys of the platform could not be fetched from ${url}: ${why}`,
      hint: 'check the URL, or give the keys as a file that the operator of the platform has sent you',
      cause,
    })
  }
}
