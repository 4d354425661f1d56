import { extensionsOf } from '../compose/extensions.ts'
import { type InlineHook, type InlineTool, toolModuleOf } from '../compose/functions.ts'
import type { Env, Parts } from '../compose/parts.ts'
import type { Places } from '../compose/prepare.ts'
import type { Json } from '../document/issue.ts'
import type {
  Budget,
  McpServers,
  OperatorSettings,
  PiiSettings,
  TelemetrySettings,
} from '../plan/operator-settings.ts'
import type { RunEvent } from '../run/event.ts'
import type { Extension } from '../run/extension.ts'
import type { ModelPort, RouteBoard } from '../run/ports.ts'
import type { CallEntry, RunWarning } from '../run/state.ts'
import { openAuditLog } from '../settings/audit.ts'
import { openStandingRules } from '../settings/grants-file.ts'
import { extensionFolder, memoryFile } from '../settings/home.ts'
import { operatorSettingsOf } from '../settings/operator-settings-of.ts'

/** What the caller grants a run; everything absent is not granted. */
export interface PlanOptions {
  /**
   * The folder in which everything that outlives a run is kept, as the command line keeps it in its own: records of
   * runs, the audit log, memory, keys, and what people decided: for one call, or by a standing rule. The configuration in it is not read. Absent: nothing outlives the run.
   */
  readonly home?: string
  /** Let doubles answer: no key, no network. */
  readonly rehearse?: boolean
  /** `PROVIDER/MODEL` instead of the definition's routes. */
  readonly model?: string
  /** Where the first route's provider is reached instead; binds its key to that address. */
  readonly baseUrl?: string
  /** `HOST[:PORT]` that tools and routes may reach, private ones included. */
  readonly allowHosts?: readonly string[]
  /** `NAME@HOST`: the secret of this name may be sent to this host. */
  readonly allowSecrets?: readonly string[]
  /** Rules for calls that need no person's word, such as `send_email to=*@ours.example`; see docs/guides/approvals.md. */
  readonly allowCalls?: readonly string[]
  readonly allowDeprecated?: boolean
  readonly budget?: Budget
  /** How personal data is found, and the variable that holds the key to encrypt it with. */
  readonly pii?: PiiSettings
  readonly tools?: Readonly<Record<string, InlineTool>>
  /** Functions by the names that the definition's `events.on_*` give. */
  readonly hooks?: Readonly<Record<string, InlineHook>>
  /** MCP servers by the name that `mcp://NAME/…` calls them; no other command is ever started. */
  readonly mcpServers?: McpServers
  /** PEM files with certificate authorities to believe besides those that Node does. */
  readonly caFiles?: readonly string[]
  /** The folder that the definition's files may come from. Absent: none is read. */
  readonly folder?: string
  /** The lock file of what tool servers offer: differences from it are denied. Absent: nothing is pinned. */
  readonly lockFile?: string
  /** The folder that sub-agents are looked for in; `folder` when absent. */
  readonly agents?: string
  /** Whose run it is; memory of user scope is refused without. */
  readonly user?: string
  /** Which conversation it belongs to; memory of session scope is refused without. */
  readonly session?: string
  /** A SQLite file in which agents remember from run to run. Absent: that of the home; without one, memory ends with the run. */
  readonly memoryFile?: string
  /** Where secrets are looked up by name. Default: `process.env`. */
  readonly env?: Env
  /** What you add to this host: protocols of tools, providers of models, places for memory. */
  readonly extensions?: readonly Extension[]
  readonly telemetry?: TelemetryOptions
  readonly signal?: AbortSignal
}

/** Where runs are reported to; the variables `OTEL_EXPORTER_OTLP_*` of `env` say it as well, and win. */
export interface TelemetryOptions {
  readonly otlpEndpoint?: string
  readonly protocol?: 'http/protobuf' | 'grpc'
  /** Headers of the requests, each with the name of the variable that holds its value. */
  readonly headers?: Readonly<Record<string, string>>
}

/** How a run is driven, from its start or from where its record ends. */
export interface DriveRunOptions extends PlanOptions {
  /** A folder for the run's record. Absent: `runs` of the home; without one, the record is kept in memory. */
  readonly runsFolder?: string
  /** False: throw CONCURRENCY_EXCEEDED instead of waiting while `runtime.concurrency` runs of the agent are under way. */
  readonly wait?: boolean
  /** Decides about a call that needs approval, or whose fate is unknown. Absent: the run waits. */
  readonly decide?: (call: CallEntry) => Promise<PersonsWord | null>
  readonly onEvent?: (event: RunEvent) => void
  /** Comes after the result: what the run reports did not all reach its collector. */
  readonly onWarning?: (warning: RunWarning) => void
  /** Text as it is generated, without the secrets that the run knows. */
  readonly onText?: (delta: string) => void
  /** Answers instead of the providers, e.g. a scripted model in a test. */
  readonly modelPort?: ModelPort
  /** Remembers how routes fare. Default: what this process has seen of them, in all its runs. */
  readonly routes?: RouteBoard
}

export interface RunOptions extends DriveRunOptions {
  readonly input?: Json
  /** The W3C `traceparent` of the request that this run is part of. */
  readonly traceParent?: string
  /** Its W3C `tracestate`, which is handed on. One that cannot be read is left out, as is a `traceParent`. */
  readonly traceState?: string
}

export interface PersonsWord {
  readonly verdict: 'approve' | 'deny' | 'resend' | 'assume'
  readonly by: string
  readonly why?: string
  readonly result?: Json
}

/** The variables that say where a home is: the given one, else whatever they say anyway. */
export function homeEnv({ home, env }: Pick<PlanOptions, 'home' | 'env'>): Env {
  return home === undefined ? { ...process.env, ...env } : { WAYBILL_HOME: home }
}

export function placesOf({ folder, agents, lockFile }: PlanOptions): Places {
  return { folder, agents, lock: lockFile }
}

/** @param primary the provider whose key `baseUrl` binds; see `primaryProvider` */
export async function partsOf(primary: string | undefined, options: PlanOptions): Promise<Parts> {
  const {
    rehearse,
    model,
    baseUrl,
    allowHosts,
    allowSecrets,
    allowCalls,
    allowDeprecated,
    budget,
    user,
    session,
  } = options
  const { home } = options
  const settings: OperatorSettings = operatorSettingsOf(
    {
      ...(rehearse !== undefined && { rehearse }),
      ...(model !== undefined && { model }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(allowHosts !== undefined && { allowHost: allowHosts }),
      ...(allowSecrets !== undefined && { allowSecret: allowSecrets }),
      ...(allowCalls !== undefined && { yes: allowCalls }),
      ...(allowDeprecated !== undefined && { allowDeprecated }),
      ...(user !== undefined && { user }),
      ...(session !== undefined && { session }),
    },
    options.caFiles === undefined ? {} : { ca_files: options.caFiles },
    {},
    { primary },
  )
  const memory = options.memoryFile ?? (home === undefined ? undefined : memoryFile(homeEnv(options)))
  return {
    settings: {
      ...settings,
      budget: { ...budget },
      ...(options.pii !== undefined && { pii: options.pii }),
      ...(options.mcpServers !== undefined && { mcp_servers: options.mcpServers }),
      ...(options.telemetry !== undefined && { telemetry: telemetrySettings(options.telemetry) }),
    },
    env: options.env ?? process.env,
    ...(home !== undefined && {
      audit: openAuditLog(homeEnv(options)),
      standing: openStandingRules(homeEnv(options)),
    }),
    ...(memory !== undefined && { memoryFile: memory }),
    ...(options.extensions !== undefined && { extensions: await extensionsOf(options.extensions) }),
    ...(home !== undefined && { extensionFolder: (name: string) => extensionFolder(homeEnv(options), name) }),
    ...((options.tools ?? options.hooks) !== undefined && {
      tools: toolModuleOf(options.tools ?? {}, options.hooks),
    }),
  }
}

function telemetrySettings({ otlpEndpoint, ...rest }: TelemetryOptions): TelemetrySettings {
  return { ...rest, ...(otlpEndpoint !== undefined && { otlp_endpoint: otlpEndpoint }) }
}
