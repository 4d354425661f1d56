import { resolve } from 'node:path'
import type { JsonObject } from '../../document/json.ts'
import { isInForce } from '../../run/record/grant.ts'
import type { Config } from '../../settings/config-schema.ts'
import { homePath } from '../../settings/home.ts'
import { readConfig } from '../../settings/read-config.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { type PlaceOptions, placeName, withRecords } from '../remote/with-records.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { table } from '../terminal/table.ts'
import { grantObject, scopeText } from './grant-text.ts'

interface Options extends PlaceOptions {
  readonly agent?: string
  readonly all?: boolean
  readonly config?: string
  readonly json?: boolean
  readonly format?: string
}

/** A grant in the configuration. It applies to every agent until the file is edited. */
interface ConfiguredGrant {
  readonly kind: 'host' | 'secret' | 'key' | 'server'
  readonly what: string
}

/** Prints all standing grants: those of the home and those of the configuration (`waybill grants list`). */
export async function listGrants(options: Options, io: Io): Promise<void> {
  const now = new Date()
  const { kept, there } = await withRecords(options, io, async (home, server) => ({
    kept: await home.grants.list(),
    there: server !== undefined,
  }))
  const grants = kept.filter(
    (grant) =>
      (options.all === true || isInForce(grant, now.getTime())) &&
      (options.agent === undefined || grant.agent_id === undefined || grant.agent_id === options.agent),
  )
  const file = options.config === undefined ? undefined : resolve(io.cwd, options.config)
  // What the operator of a server has configured is not the business of its users.
  const configured = there ? [] : configuredGrants(readConfig(homePath(io.env), file))
  if (wantsJson(options)) {
    io.out(
      `${jsonText({
        grants: [
          ...grants.map((grant) => ({ ...grantObject(grant, now), source: there ? 'server' : 'home' })),
          ...configured.map(
            (grant): JsonObject => ({ ...grant, for: null, until: null, source: 'config.yaml' }),
          ),
        ],
      })}\n`,
    )
    return
  }
  const rows = [
    ...grants.map((grant) => ({
      id: grant.id,
      kind: grant.kind,
      what: grant.what,
      scope: scopeText(grant, now),
      by: `${grant.by}, ${grant.at.slice(0, 10)}${grant.why === undefined ? '' : `: ${grant.why}`}`,
    })),
    ...configured.map(({ kind, what }) => ({
      id: 'config.yaml',
      kind,
      what,
      scope: 'for every agent, until the file is edited',
      by: '',
    })),
  ]
  if (rows.length === 0) return io.out(`no standing grants in ${placeName(options, io)}\n`)
  io.out(
    table(
      rows,
      [
        { head: 'id', text: ({ id }) => id, tone: () => 'accent' },
        { head: 'kind', text: ({ kind }) => kind, drop: 2 },
        { head: 'allows', text: ({ what }) => plainLine(what, 120), tone: () => 'strong' },
        { head: 'by', text: ({ by }) => plainLine(by, 130), tone: () => 'faint', drop: 3 },
        { head: 'scope', text: ({ scope }) => scope, drop: 1 },
      ],
      io,
    ),
  )
}

function configuredGrants(config: Config): readonly ConfiguredGrant[] {
  return [
    ...(config.allow_hosts ?? []).map((what) => ({ kind: 'host' as const, what })),
    ...(config.secrets ?? []).map(({ name, host }) => ({ kind: 'secret' as const, what: `${name}@${host}` })),
    ...Object.entries(config.providers ?? {}).flatMap(([provider, { base_urls = [] }]) =>
      base_urls.map((url) => ({ kind: 'key' as const, what: `${provider}@${url}` })),
    ),
    ...Object.entries(config.mcp_servers ?? {}).map(([name, server]) => ({
      kind: 'server' as const,
      what: `${name}: ${'url' in server ? server.url : [server.command, ...(server.args ?? [])].join(' ')}`,
    })),
  ]
}
