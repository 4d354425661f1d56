import { dirname } from 'node:path'
import { extensionsOf } from '../compose/extensions.ts'
import { type FunctionError, type InlineHook, type InlineTool, toolModuleOf } from '../compose/functions.ts'
import { openSecrets } from '../compose/open-secrets.ts'
import type { Env, Parts } from '../compose/parts.ts'
import type { Places } from '../compose/preparation.ts'
import { defined } from '../document/defined.ts'
import type { JsonObject } from '../document/json.ts'
import type {
  Budget,
  McpServers,
  OperatorSettings,
  PiiSettings,
  TelemetrySettings,
} from '../plan/operator-settings.ts'
import type { PlanFile } from '../plan/plan-file.ts'
import type { Extension } from '../run/extension.ts'
import type { ModelPort, Secrets } from '../run/ports.ts'
import type { Home } from '../session/home.ts'
import { assertBudget, operatorSettingsOf } from '../settings/operator-settings-of.ts'
import { readGivenSchemas } from '../settings/read-schema-files.ts'
import { rememberedGrants } from '../settings/remembered-grants.ts'
import { assertOptions, type OptionNames } from './assert-options.ts'

/** Grants and settings of a run; what is absent is not granted. */
export interface PlanOptions {
  /**
   * The folder for everything that outlives a run, in the layout of the command line: records of runs, the audit
   * log, memory, keys, decisions and standing rules. The configuration file in it is not read. Or a home that the
   * caller has opened and closes. Absent: nothing outlives the agent.
   */
  readonly home?: string | Home
  /**
   * The identity of a definition given in code, in that home, such as the name of your program: its memory and
   * grants belong to this identity. Absent: they belong to the definition's content, and a changed definition
   * begins without them. A definition that is named by its file is identified by that file.
   */
  readonly source?: string
  /** Use test doubles for models and tools: no key, no network. */
  readonly rehearse?: boolean
  /** `PROVIDER/MODEL` instead of the definition's routes. */
  readonly model?: string
  /** `PROVIDER/MODEL` that judges the constraints which are no rules. Absent: such a constraint is only in the prompt. */
  readonly judge?: string
  /** The address of the first route's provider; binds its key to that address. */
  readonly baseUrl?: string
  /** `HOST[:PORT]` that tools and routes may reach, including private addresses. */
  readonly allowHosts?: readonly string[]
  /** `NAME@HOST`: the secret of this name may be sent to this host. */
  readonly allowSecrets?: readonly string[]
  /** Rules for calls that need no approval, such as `send_email to=*@ours.example`; see docs/guides/approvals.md. */
  readonly allowCalls?: readonly string[]
  readonly allowDeprecated?: boolean
  readonly budget?: Budget
  /** How personal data is found, and the variable that holds the encryption key. */
  readonly pii?: PiiSettings
  readonly tools?: Readonly<Record<string, InlineTool>>
  /** Functions by the names that the definition's `events.on_*` give. */
  readonly hooks?: Readonly<Record<string, InlineHook>>
  /** MCP servers by the name in `mcp://NAME/…`; no other command is ever started. */
  readonly mcpServers?: McpServers
  /** PEM files with certificate authorities to trust in addition to those of Node. */
  readonly caFiles?: readonly string[]
  /** The folder that the definition may read files from. Absent: it may read none. */
  readonly folder?: string
  /**
   * The lock file with the pinned tools of servers: tools that differ from it are denied. Absent: no tools are
   * pinned.
   */
  readonly lockFile?: string
  /** The folder in which sub-agents are searched; default: `folder`. */
  readonly agents?: string
  /** The user of the run; without one, memory of user scope is refused. */
  readonly user?: string
  /** The conversation that the run belongs to; without one, memory of session scope is refused. */
  readonly session?: string
  /** The variables for look-ups by name, for secrets too unless `secrets` is given. Default: `process.env`. */
  readonly env?: Env
  /** Returns secrets by name, each time one is used. Default: `env`, or without it those of an open home. */
  readonly secrets?: Secrets
  /** Additional protocols of tools, providers of models, and stores of memory. */
  readonly extensions?: readonly Extension[]
  readonly telemetry?: TelemetryOptions
  /** Answers instead of the providers, e.g. a scripted model in a test. */
  readonly modelPort?: ModelPort
  /**
   * Schemas that the definition refers to, by URL: the schema itself, or the path of its file. They are never fetched;
   * without an entry, that part of a schema accepts any value.
   */
  readonly schemas?: Readonly<Record<string, string | JsonObject>>
  readonly signal?: AbortSignal
  /**
   * Takes each error that a function or hook threw, with its stack and its causes, but without known secrets. The model
   * and the record get only the message.
   */
  readonly onFunctionError?: (error: FunctionError) => void
  /**
   * A reviewed plan: the path of a file that `waybill plan --out` wrote, or what {@link reviewPlan} returned. Planning
   * is refused with PLAN_CHANGED if the plan differs from it.
   */
  readonly plan?: string | PlanFile
}

/** Where runs are reported to; the variables `OTEL_EXPORTER_OTLP_*` of `env` have priority. */
export interface TelemetryOptions {
  readonly otlpEndpoint?: string
  readonly protocol?: 'http/protobuf' | 'grpc'
  /** Headers of the requests, each with the name of the variable that holds its value. */
  readonly headers?: Readonly<Record<string, string>>
}

export const PLAN_OPTIONS: OptionNames<PlanOptions> = {
  home: true,
  source: true,
  rehearse: true,
  model: true,
  judge: true,
  baseUrl: true,
  allowHosts: true,
  allowSecrets: true,
  allowCalls: true,
  allowDeprecated: true,
  budget: true,
  pii: true,
  tools: true,
  hooks: true,
  mcpServers: true,
  caFiles: true,
  folder: true,
  lockFile: true,
  agents: true,
  user: true,
  session: true,
  env: true,
  secrets: true,
  extensions: true,
  telemetry: true,
  modelPort: true,
  schemas: true,
  signal: true,
  onFunctionError: true,
  plan: true,
}

const TELEMETRY_OPTIONS: OptionNames<TelemetryOptions> = { otlpEndpoint: true, protocol: true, headers: true }

export function placesOf({ folder, agents, lockFile, source }: PlanOptions, file?: string): Places {
  return {
    folder: folder ?? (file === undefined ? undefined : dirname(file)),
    agents,
    lock: lockFile,
    file,
    source,
  }
}

/**
 * Opens the parts of an agent.
 * @param primary the provider whose key `baseUrl` binds; see `primaryProvider`
 * @param identity of the definition, for which grants may be stored
 */
export async function partsFromOptions(
  primary: string | undefined,
  identity: string | undefined,
  home: Home | undefined,
  options: PlanOptions,
): Promise<Parts> {
  const {
    rehearse,
    model,
    judge,
    baseUrl,
    allowHosts,
    allowSecrets,
    allowCalls,
    allowDeprecated,
    budget,
    user,
    session,
  } = options
  if (budget !== undefined) assertBudget(budget)
  const settings: OperatorSettings = operatorSettingsOf(
    defined({
      rehearse,
      model,
      judge,
      baseUrl,
      allowHost: allowHosts,
      allowSecret: allowSecrets,
      yes: allowCalls,
      allowDeprecated,
      user,
      session,
    }),
    options.caFiles === undefined ? {} : { ca_files: options.caFiles },
    {},
    {
      primary,
      ...(home !== undefined && { remembered: await rememberedGrants(home.grants, identity) }),
    },
  )
  const env = options.env ?? process.env
  return {
    settings: {
      ...settings,
      budget: { ...budget },
      ...defined({ pii: options.pii, mcp_servers: options.mcpServers }),
      ...(options.schemas !== undefined && { schemas: readGivenSchemas(options.schemas) }),
      ...(options.telemetry !== undefined && { telemetry: telemetrySettings(options.telemetry) }),
    },
    env,
    // Variables that the caller passes have priority over those of an open home.
    secrets: options.secrets ?? (options.env === undefined ? home?.secrets : undefined) ?? openSecrets(env),
    ...defined({ home, model: options.modelPort, onFunctionError: options.onFunctionError }),
    ...(options.extensions !== undefined && { extensions: await extensionsOf(options.extensions) }),
    ...((options.tools ?? options.hooks) !== undefined && {
      tools: toolModuleOf(options.tools ?? {}, options.hooks),
      reportUnused: true as const,
    }),
  }
}

function telemetrySettings(options: TelemetryOptions): TelemetrySettings {
  assertOptions('telemetry', options, { names: TELEMETRY_OPTIONS })
  const { otlpEndpoint, ...rest } = options
  return { ...rest, ...defined({ otlp_endpoint: otlpEndpoint }) }
}
