import { resolve } from 'node:path'
import type { JsonObject } from '../../document/json.ts'
import { type Grant, isInForce } from '../../run/record/grant.ts'
import type { Config } from '../../settings/config-schema.ts'
import { homePath } from '../../settings/home.ts'
import { readConfig } from '../../settings/read-config.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { type PlaceOptions, placeName, withRecords } from '../remote/with-records.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
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
  const paint = painter(io.color && io.outIsTty)
  const line = (grant: Grant) =>
    `${grant.id}  ${grant.kind.padEnd(6)}  ${paint('strong', plainLine(grant.what, 120))}  ${scopeText(grant, now)}  ${paint('faint', `${plainLine(grant.by, 40)}, ${grant.at.slice(0, 10)}${grant.why === undefined ? '' : `: ${plainLine(grant.why, 80)}`}`)}\n`
  io.out(
    [
      ...grants.map(line),
      ...configured.map(
        ({ kind, what }) =>
          `${paint('faint', 'config.yaml')}  ${kind.padEnd(6)}  ${paint('strong', plainLine(what, 120))}  for every agent, until the file is edited\n`,
      ),
    ].join('') || `no standing grants in ${placeName(options, io)}\n`,
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
