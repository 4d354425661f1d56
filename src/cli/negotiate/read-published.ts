import { resolve } from 'node:path'
import { causeOf, GateRefusal } from '../../adapters/net/gate-refusal.ts'
import { createGuardedFetch } from '../../adapters/net/guarded-fetch.ts'
import { WaybillError } from '../../document/issue.ts'
import { type Grants, parseHostGrant } from '../../policy/endpoint-gate.ts'
import { homePath } from '../../settings/home.ts'
import { readConfig } from '../../settings/read-config.ts'
import { rememberedGrants } from '../../settings/remembered-grants.ts'
import type { Source } from '../../spec/parse-document.ts'
import { withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { readFileOrInput } from '../read-any-document.ts'

/** How one kind of published document is read, and what it says about its own life. */
export interface PublishedKind<T> {
  readonly name: string
  readonly parse: (source: Source, options: { file: string }) => T
  readonly expiresAt: (document: T) => string | undefined
  readonly publishedAt: (document: T) => string | undefined
}

export interface Published<T> {
  readonly document: T
  /** Where it was read from in the end. */
  readonly source: string
  readonly fetched: boolean
  readonly expires_at?: string
  /** Whether it is past its time, and no newer one could be had. */
  readonly expired: boolean
  /** Why an expired one was not fetched again. */
  readonly reason?: string
}

export interface PublishedOptions {
  readonly allowHost?: readonly string[]
  readonly config?: string
}

const LARGEST_BYTES = 8 * 1024 * 1024
const TIMEOUT_MS = 15_000

/**
 * Reads a document that a platform publishes, from a file or a URL. One that is past its time is fetched again from
 * where it says that it is published, before it is used (SPEC-U-05).
 * @param nowMs Unix time
 * @throws what reading and parsing throw; PUBLISHED_UNREACHABLE
 */
export async function readPublished<T>(
  place: string,
  kind: PublishedKind<T>,
  options: PublishedOptions,
  io: Io,
  nowMs: number,
): Promise<Published<T>> {
  const remote = /^https?:\/\//i.test(place)
  const grants = await grantsOf(options, remote ? place : undefined, io)
  const bytes = remote ? await get(place, kind.name, grants) : await readFileOrInput(place, io)
  const document = kind.parse(bytes, { file: remote ? new URL(place).pathname : place })
  const first = told(document, kind, place, remote, nowMs)
  const home = kind.publishedAt(document)
  if (!first.expired || home === undefined || home === place) return first
  try {
    const fresh = kind.parse(await get(home, kind.name, grants), { file: new URL(home).pathname })
    return told(fresh, kind, home, true, nowMs)
  } catch (error) {
    return { ...first, reason: error instanceof Error ? error.message : String(error) }
  }
}

function told<T>(
  document: T,
  kind: PublishedKind<T>,
  source: string,
  fetched: boolean,
  nowMs: number,
): Published<T> {
  const expires_at = kind.expiresAt(document)
  return {
    document,
    source,
    fetched,
    ...(expires_at !== undefined && { expires_at }),
    expired: expires_at !== undefined && Date.parse(expires_at) <= nowMs,
  }
}

async function get(url: string, name: string, grants: Grants): Promise<Uint8Array> {
  const fetch = createGuardedFetch({ grants, maxResponseBytes: LARGEST_BYTES })
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(url, { signal: limit, headers: { accept: 'application/json' } })
    if (!response.ok) throw new Error(`the server answered ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  } catch (cause) {
    const refusal = causeOf(cause, GateRefusal)
    const why = limit.aborted ? 'no answer in 15 s' : (refusal?.reason ?? (cause as Error).message)
    throw new WaybillError('PUBLISHED_UNREACHABLE', {
      fault: 'usage',
      message: `the ${name} could not be fetched from ${url}: ${why}`,
      hint: refusal?.hint ?? 'check the address, or name a file',
      cause,
    })
  }
}

/** The public host of an address that the user typed may be asked; one that a document names must be granted. */
async function grantsOf(
  { allowHost = [], config }: PublishedOptions,
  typed: string | undefined,
  io: Io,
): Promise<Grants> {
  const { allow_hosts = [], ca_files } = readConfig(
    homePath(io.env),
    config === undefined ? undefined : resolve(io.cwd, config),
  )
  const remembered = await withHome(io, ({ grants }) => rememberedGrants(grants, undefined))
  return {
    hosts: [
      ...allowHost.map((host) => parseHostGrant(host, 'flag')),
      ...allow_hosts.map((host) => parseHostGrant(host, 'config')),
      ...(typed !== undefined && URL.canParse(typed) ? [parseHostGrant(new URL(typed).host, 'config')] : []),
      ...remembered.hosts,
    ],
    ...(ca_files !== undefined && { ca_files }),
  }
}
