import type { Code } from '../document/codes.ts'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import { ownMember } from '../document/own-member.ts'
import type { Budget, ModelFacts, OperatorSettings, TelemetrySettings } from '../plan/operator-settings.ts'
import { parseCallRule } from '../policy/approval/call-rule.ts'
import { type HostGrant, parseHostGrant } from '../policy/endpoint-gate.ts'
import { localModelHosts } from '../policy/model-providers.ts'
import { parseSecretGrant, type SecretGrant } from '../policy/secret-grant.ts'
import type { Config, ProjectConfig } from './config-schema.ts'
import type { RememberedGrants } from './remembered-grants.ts'

/** The flags of the command line. They are stored with a run, so that `resume` needs no flags. */
export interface RunFlags {
  readonly rehearse?: boolean
  /** With `rehearse`: stop for approvals. */
  readonly ask?: boolean
  readonly model?: string
  readonly judge?: string
  readonly baseUrl?: string
  readonly allowHost?: readonly string[]
  readonly allowSecret?: readonly string[]
  readonly budget?: string
  readonly allowDeprecated?: boolean
  readonly user?: string
  readonly session?: string
  /** Rules for calls that need no approval in this run; see `parseCallRule`. */
  readonly yes?: readonly string[]
}

/**
 * Combines flags, the configuration of the operator, standing grants and the limits of the project.
 * @param context `primary`: the provider whose key `--base-url` binds; see `primaryProvider`
 */
export function operatorSettingsOf(
  flags: RunFlags,
  config: Config,
  project: ProjectConfig,
  context: { readonly primary?: string | undefined; readonly remembered?: RememberedGrants } = {},
): OperatorSettings {
  const model = flags.model === undefined ? undefined : parseModel(flags.model)
  const wantedJudge = flags.judge ?? config.judge
  const judge = wantedJudge === undefined ? undefined : parseModel(wantedJudge)
  const base = flags.baseUrl === undefined ? undefined : parseBaseUrl(flags.baseUrl)
  const hosts = [
    ...(flags.allowHost ?? []).map((host) => parseHostGrant(host, 'flag')),
    ...(base === undefined ? [] : [parseHostGrant(base.host, 'flag')]),
    ...(config.allow_hosts ?? []).map((host) => parseHostGrant(host, 'config')),
    ...(config.private_hosts ?? []).map((host) => ({ ...parseHostGrant(host, 'config'), private: true })),
    ...(context.remembered?.hosts ?? []),
    ...boundHosts(config),
  ]
  const local = [model, flags.judge === undefined ? undefined : judge].flatMap((named) =>
    named === undefined ? [] : localModelHosts(named.provider),
  )
  const denied = (project.deny_hosts ?? []).map((host) => parseHostGrant(host, 'config'))
  const deniedSecrets = new Set(project.deny_secrets ?? [])
  const secrets: SecretGrant[] = [
    ...(flags.allowSecret ?? []).map(parseSecretGrant),
    ...(config.secrets ?? []),
    ...(context.remembered?.secrets ?? []),
  ].filter((grant) => !deniedSecrets.has(grant.name))
  return {
    rehearsal: flags.rehearse === true,
    ...(flags.rehearse === true && flags.ask === true && { rehearsal_asks: true as const }),
    grants: {
      hosts,
      ...(local.length > 0 && { model_hosts: local }),
      ...(denied.length > 0 && { denied }),
      ...defined({ ca_files: config.ca_files }),
    },
    key_bindings: bindings(config, base, context.primary),
    secret_grants: secrets,
    ...(flags.yes !== undefined && { allowed_calls: flags.yes.map(parseCallRule) }),
    ...defined({ model, judge }),
    ...(base !== undefined && { base_url: base.url }),
    tools: config.tools ?? {},
    ...defined({ mcp_servers: config.mcp_servers }),
    budget: tighter(
      tighter(flags.budget === undefined ? {} : parseBudget(flags.budget), config.budget),
      project.budget,
    ),
    residency: config.residency ?? {},
    ...(config.models !== undefined && { models: modelFacts(config.models) }),
    ...defined({ quality: config.quality, user: flags.user, session: flags.session }),
    allow_deprecated: flags.allowDeprecated === true,
    ...(config.telemetry !== undefined && { telemetry: reporting(config.telemetry, deniedSecrets) }),
    retry_base_ms: 500,
    ...defined({ pii: config.pii }),
  }
}

function modelFacts(models: NonNullable<Config['models']>): Record<string, ModelFacts> {
  return Object.fromEntries(
    Object.entries(models).map(([name, model]): [string, ModelFacts] => {
      const { input_usd_per_mtok: input, output_usd_per_mtok: output, context_window } = model
      return [
        name,
        {
          ...(input !== undefined && output !== undefined && { price: { input, output } }),
          ...defined({ context_window }),
        },
      ]
    }),
  )
}

/** Returns the collector of the operator, without headers whose secrets the project denies. */
function reporting(telemetry: TelemetrySettings, denied: ReadonlySet<string>): TelemetrySettings {
  const { otlp_endpoint, headers = {} } = telemetry
  if (otlp_endpoint !== undefined) parseBaseUrl(otlp_endpoint)
  const kept = Object.entries(headers).filter(([, secret]) => !denied.has(secret))
  return { ...telemetry, headers: Object.fromEntries(kept) }
}

/** Returns host grants for configured base URLs, including private addresses. */
function boundHosts(config: Config): readonly HostGrant[] {
  return Object.values(config.providers ?? {}).flatMap(({ base_urls = [] }) =>
    base_urls.map((url) => parseHostGrant(parseBaseUrl(url).host, 'flag')),
  )
}

/** Permits sending the key of the called provider to `--base-url`, and no other key. */
function bindings(
  config: Config,
  base: { readonly url: string } | undefined,
  primary: string | undefined,
): Record<string, readonly string[]> {
  const bound: Record<string, readonly string[]> = {}
  for (const [provider, { base_urls = [] }] of Object.entries(config.providers ?? {}))
    bound[provider] = base_urls
  if (base !== undefined && primary !== undefined)
    bound[primary] = [...(ownMember(bound, primary) ?? []), base.url]
  return bound
}

export function parseModel(text: string): { provider: string; model: string } {
  const slash = text.indexOf('/')
  if (slash <= 0 || slash === text.length - 1) {
    throw usage(
      'MODEL_INVALID',
      `"${text}" is not a valid model`,
      'use PROVIDER/MODEL, such as openai/gpt-4o or custom/llama3',
    )
  }
  return { provider: text.slice(0, slash), model: text.slice(slash + 1) }
}

function parseBaseUrl(text: string): { readonly url: string; readonly host: string } {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') {
    throw usage(
      'BASE_URL_INVALID',
      `"${text}" is not a valid base URL`,
      'use an absolute URL, such as https://gateway.example/v1',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw usage(
      'BASE_URL_INVALID',
      'a base URL must not contain credentials',
      'set the provider key in its environment variable',
    )
  }
  return { url: text.replace(/\/+$/, ''), host: url.host }
}

const BUDGET_KINDS = ['tokens', 'usd', 'calls', 'seconds'] as const

/** Reads `tokens=N,usd=N,calls=N,seconds=N`. @throws BUDGET_INVALID */
export function parseBudget(text: string): Budget {
  const budget: Partial<Record<(typeof BUDGET_KINDS)[number], number>> = {}
  for (const part of text.split(',')) {
    const [name, amount, more] = part.split('=')
    const kind = BUDGET_KINDS.find((known) => known === name?.trim())
    const value = Number(amount)
    const isText = amount === undefined || amount.trim() === '' || more !== undefined
    const why = isText
      ? 'it is not NAME=N'
      : kind === undefined
        ? `there is no budget "${name?.trim()}"`
        : whyNoBudget(kind, value)
    if (kind === undefined || why !== undefined)
      throw invalidBudget(`"${part}" is not a valid budget: ${why}`)
    if (budget[kind] !== undefined) throw invalidBudget(`the budget names ${kind} twice`)
    budget[kind] = value
  }
  return budget
}

/** @throws BUDGET_INVALID if an amount is not above 0, or is a part of a token or a call */
export function assertBudget(budget: Budget): void {
  for (const [name, value] of Object.entries(budget)) {
    const kind = BUDGET_KINDS.find((known) => known === name)
    const why = kind === undefined ? 'there is no such budget' : whyNoBudget(kind, value)
    if (value !== undefined && why !== undefined) throw invalidBudget(`budget.${name} is not valid: ${why}`)
  }
}

/** Tokens and calls are counted; money and time are measured. */
function whyNoBudget(kind: keyof Budget, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return 'N must be a number above 0'
  const counted = kind === 'tokens' || kind === 'calls'
  return counted && !Number.isInteger(value) ? `${kind} must be a whole number` : undefined
}

function invalidBudget(message: string): WaybillError {
  const hint = 'use tokens=N,usd=N,calls=N,seconds=N, each N above 0; tokens and calls are whole numbers'
  return usage('BUDGET_INVALID', message, hint)
}

/** Returns the smaller of two budgets, member by member. */
export function tighter(a: Budget, b: Budget | undefined): Budget {
  const both: Partial<Record<(typeof BUDGET_KINDS)[number], number>> = { ...a }
  for (const kind of BUDGET_KINDS) {
    const limit = b?.[kind]
    if (limit !== undefined) both[kind] = Math.min(limit, both[kind] ?? limit)
  }
  return both
}

function usage(code: Code, message: string, hint: string): WaybillError {
  return new WaybillError(code, { fault: 'usage', message, hint })
}
