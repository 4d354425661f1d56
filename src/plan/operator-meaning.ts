import { basename } from 'node:path'
import { sha256OfCanonical } from '../document/canonical.ts'
import { defined } from '../document/defined.ts'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { callRuleText } from '../policy/approval/call-rule.ts'
import type { HostGrant } from '../policy/endpoint-gate.ts'
import type { McpServers, OperatorSettings } from './operator-settings.ts'
import type { Plan } from './plan.ts'
import { portable } from './portable.ts'
import type { FunctionTraits } from './snapshot.ts'

export interface OperatorParts {
  readonly family: readonly Plan[]
  readonly settings: OperatorSettings
  /** The configuration as it was read; absent: the settings do not come from one. */
  readonly config?: JsonObject | undefined
  readonly functions: Readonly<Record<string, FunctionTraits>>
  readonly hooks: readonly string[]
  /** The folder of the definition: paths are relative to it. */
  readonly folder: string | undefined
  /** Returns a digest of the content of a file that the operator names. */
  readonly digestOf: (file: string) => string
}

/** Members of the settings that the plans of the agents contain already. */
const IN_PLANS = {
  rehearsal: 'rehearsal',
  rehearsal_asks: 'rehearsal_asks',
  model: 'models',
  judge: 'judge',
  base_url: 'models[].base_url',
  tools: 'tools[].method, effect, idempotent',
  budget: 'limits',
  retry_base_ms: 'retry.base_ms',
  allow_deprecated: 'refusals',
} as const satisfies Partial<Record<keyof OperatorSettings, string>>

/** Members of the settings that do not decide what a run does; the reasons are for the reader of this table. */
const HARMLESS_SETTINGS = {
  user: 'says for whom a run works; whether there is one decides the memory, which the plans contain',
  session: 'says which conversation a run continues; as for the user',
  models:
    'prices and context windows describe models, and change without a decision of the operator (decision 26)',
  quality: 'ranks models: the plans contain the order that follows from it',
} as const satisfies Partial<Record<keyof OperatorSettings, string>>

/** Members of the configuration that become members of the settings, or of plans. */
const IN_SETTINGS = {
  allow_hosts: 'grants.hosts',
  private_hosts: 'grants.hosts',
  ca_files: 'grants.ca_files',
  providers: 'key_bindings and grants.hosts',
  secrets: 'secret_grants',
  schemas: 'schemas',
  residency: 'residency',
  judge: 'judge of the plans',
  tools: 'tools of the plans',
  mcp_servers: 'mcp_servers',
  budget: 'limits of the plans',
  telemetry: 'telemetry',
  pii: 'pii',
} as const

/** Members of the configuration that do not decide what a run does. */
const HARMLESS_CONFIG = {
  models: HARMLESS_SETTINGS.models,
  quality: HARMLESS_SETTINGS.quality,
  mail: 'the mail server of a platform, for invitations and notices; runs do not send mails with it',
  states: 'over which connections the state of a run may leave or enter; what it does is the same',
  oidc: 'who may sign in to a platform; a run is started by a person who has signed in',
} as const

/** How each member of the configuration is part of the meaning; for the test that compares it with the schema. */
export const CONFIG_MEMBERS: {
  readonly carried: Readonly<Record<string, string>>
  readonly harmless: Readonly<Record<string, string>>
} = { carried: IN_SETTINGS, harmless: HARMLESS_CONFIG }

/**
 * Returns what the operator decides about runs: all settings and the whole configuration, except for the members that the
 * tables above list. So a new member is compared unless the list of harmless members names it.
 */
export function operatorMeaning(parts: OperatorParts): JsonObject {
  const { settings, config = {}, functions, hooks, family, folder, digestOf } = parts
  const {
    grants,
    secret_grants,
    allowed_calls = [],
    key_bindings,
    telemetry,
    mcp_servers,
    schemas,
  } = settings
  const { hosts, denied = [], model_hosts = [], ca_files = [], ...otherGrants } = grants
  const { otlp_endpoint, ...reporting } = telemetry ?? {}
  const meaning = {
    hosts: unique(hosts.map(hostText)),
    denied_hosts: unique(denied.map(hostText)),
    secret_grants: unique(
      secret_grants.map(({ name, host, stored, ...bound }) => {
        const where = stored === true ? ' (stored for it)' : ''
        return `${name}@${host}${where}${useText(bound)}`
      }),
    ),
    unasked_calls: unique(allowed_calls.map(callRuleText)),
    key_bindings: Object.fromEntries(
      Object.entries(key_bindings)
        .map(([provider, urls]): [string, readonly string[]] => [provider, unique(urls)])
        .filter(([, urls]) => urls.length > 0),
    ),
    mcp_servers: serverMeanings(family, mcp_servers, folder),
    functions: Object.fromEntries(
      Object.entries(functions).map(([name, { read_only, idempotent }]) => [name, { read_only, idempotent }]),
    ),
    hooks: unique(hooks),
    ...defined({ otlp_endpoint }),
    ...present({
      ...otherGrants,
      model_hosts: unique(model_hosts.map(hostText)),
      ca_files: ca_files.map((file) => fileText(file, digestOf)),
      telemetry: reporting,
      schemas: Object.fromEntries(
        Object.entries(schemas ?? {}).map(([address, document]) => [address, sha256OfCanonical(document)]),
      ),
      settings: without(settings, [...KNOWN, ...Object.keys(IN_PLANS), ...Object.keys(HARMLESS_SETTINGS)]),
      configuration: configuration(config),
    }),
  }
  return portable(meaning, folder) as JsonObject
}

/** The members that the function above reads itself. */
const KNOWN: readonly (keyof OperatorSettings)[] = [
  'grants',
  'secret_grants',
  'allowed_calls',
  'key_bindings',
  'telemetry',
  'mcp_servers',
  'schemas',
]

/** The code of extensions is reviewed as code, like that of functions: their names and their order are compared. */
function configuration(config: JsonObject): JsonObject {
  const { extensions, ...members } = without(config, [
    ...Object.keys(IN_SETTINGS),
    ...Object.keys(HARMLESS_CONFIG),
  ])
  const files = Array.isArray(extensions) ? extensions.map((file) => basename(String(file))) : []
  return present({ ...members, extensions: files })
}

function without(value: object, members: readonly string[]): JsonObject {
  const left = Object.entries(value).filter(([member]) => !members.includes(member))
  return Object.fromEntries(left) as JsonObject
}

/** Returns the members that say something, so that an empty list means the same as none. */
function present(members: Readonly<Record<string, unknown>>): JsonObject {
  const said = Object.entries(members).filter(([, value]) => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return false
    return !isObject(value as Json) || Object.keys(value as object).length > 0
  })
  return Object.fromEntries(said) as JsonObject
}

/** Names a file by its content: its path differs from machine to machine. */
function fileText(file: string, digestOf: OperatorParts['digestOf']): string {
  return `${basename(file)} ${digestOf(file)}`
}

type Bound = Pick<HostGrant, 'bound' | 'uses'>

function hostText({ host, port, ...more }: Pick<HostGrant, 'host' | 'port'> & Partial<HostGrant>): string {
  const addresses = more.private === true ? ' (private addresses too)' : ''
  return `${host}${port === undefined ? '' : `:${port}`}${addresses}${useText(more)}`
}

function useText({ bound, uses }: Bound): string {
  if (uses !== undefined) return ` (for the uses ${sha256OfCanonical([...uses].sort()).slice(0, 16)})`
  return bound === true ? ' (for this definition)' : ''
}

/** Returns the servers that the plans use, each as a hash: its arguments and URL may contain credentials. */
function serverMeanings(
  family: readonly Plan[],
  servers: McpServers = {},
  folder: string | undefined,
): Record<string, string> {
  const used = new Set(family.flatMap(({ tools }) => tools.map(({ binding }) => binding?.server)))
  return Object.fromEntries(
    Object.entries(servers).flatMap(([name, { start_timeout_seconds: _time, ...server }]) =>
      used.has(name) ? [[name, sha256OfCanonical(portable(server, folder))]] : [],
    ),
  )
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort()
}
