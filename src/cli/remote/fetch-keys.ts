import { causeOf, GateRefusal } from '../../adapters/net/gate-refusal.ts'
import { WaybillError } from '../../document/issue.ts'
import { isObject, type JsonObject } from '../../document/json.ts'
import { strictJson } from '../../document/strict-json.ts'
import { readNamedFile } from '../files/read-any-document.ts'
import type { Io } from '../io.ts'
import { fetchOfHost } from '../network/command-fetch.ts'
import { usageError } from '../usage-error.ts'

const LARGEST_BYTES = 256 * 1024
const TIMEOUT_MS = 15_000

/**
 * Reads the keys of a platform from a file, or fetches what it publishes.
 * @param url that the user typed, which permits its host
 * @param config the file of `--config`
 * @throws PUBLISHED_UNREACHABLE, ENDPOINT_CERTIFICATE_REFUSED, PEER_INVALID
 */
export async function keysFrom(
  file: string | undefined,
  url: string,
  io: Io,
  config?: string,
): Promise<JsonObject> {
  const text = file === undefined ? await fetched(url, io, config) : fromFile(file, io)
  try {
    const json: unknown = strictJson(text)
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

async function fetched(url: string, io: Io, config: string | undefined): Promise<string> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw usageError(
      'the platform is not named by a URL such as https://waybill.example',
      'write scheme, host and port, or give the keys as a file',
    )
  const fetch = fetchOfHost(url, { maxResponseBytes: LARGEST_BYTES, config }, io)
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const { pathname } = new URL(url)
    const place = pathname === '/' ? '/.well-known/jwks.json' : pathname
    const response = await fetch(new URL(place, url), { signal: limit })
    if (!response.ok) throw new Error(`HTTP status ${response.status}`)
    return await response.text()
  } catch (cause) {
    if (cause instanceof WaybillError) throw cause
    const refusal = causeOf(cause, GateRefusal)
    const why = limit.aborted ? 'no answer within 15 s' : (refusal?.reason ?? (cause as Error).message)
    const isCertificate = refusal?.code === 'ENDPOINT_CERTIFICATE_REFUSED'
    throw new WaybillError(isCertificate ? refusal.code : 'PUBLISHED_UNREACHABLE', {
      fault: 'usage',
      message: `the keys of the platform could not be fetched from ${url}: ${why}`,
      hint: isCertificate
        ? refusal.hint
        : 'check the URL, or give the keys as a file that the operator of the platform has sent you',
      cause,
    })
  }
}
