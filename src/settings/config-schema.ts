import type { JsonObject } from '../document/json.ts'
import type { McpServers, PiiSettings, TelemetrySettings } from '../plan/operator-settings.ts'
import type { SignaturePolicies } from '../policy/signature-policy.ts'
import { type OidcProvider, oidcSchema } from './oidc-settings.ts'

const strings: JsonObject = { type: 'array', items: { type: 'string', minLength: 1 } }
const budget: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    tokens: { type: 'integer', minimum: 1 },
    usd: { type: 'number', exclusiveMinimum: 0 },
    calls: { type: 'integer', minimum: 1 },
    seconds: { type: 'number', exclusiveMinimum: 0 },
  },
}

const days: JsonObject = { type: 'integer', minimum: 1, maximum: 36_500 }
const retention: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: { runs_days: days, memory_days: days },
}

/** One address, or a name and an address in angle brackets. */
const MAIL_SENDER =
  '^(?:[^\\s@<>",;]+@[^\\s@<>",;]+|[^\\u0000-\\u001F\\u007F<>",;@]+ <[^\\s@<>",;]+@[^\\s@<>",;]+>)$'

/** The schema of `config.yaml` in the home: grants and settings of the operator. */
export const configSchema: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    allow_hosts: strings,
    private_hosts: strings,
    enrol_machines: { type: 'boolean' },
    states: {
      type: 'object',
      additionalProperties: false,
      properties: {
        plaintext: { enum: ['never', 'loopback'] },
        kept_minutes: { type: 'integer', minimum: 1, maximum: 10_080 },
      },
    },
    organisations: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: {
          allow_hosts: strings,
          private_hosts: strings,
          retention,
          enrol_machines: { type: 'boolean' },
        },
      },
    },
    retention,
    ca_files: strings,
    signatures: {
      type: 'object',
      additionalProperties: false,
      properties: {
        default: { enum: ['require', 'prefer', 'ignore'] },
        sources: { type: 'object', additionalProperties: { enum: ['require', 'prefer', 'ignore'] } },
        uploaders: { type: 'object', additionalProperties: { enum: ['require', 'prefer', 'ignore'] } },
      },
    },
    extensions: strings,
    schemas: { type: 'object', additionalProperties: { type: 'string', minLength: 1 } },
    residency: { type: 'object', additionalProperties: strings },
    judge: { type: 'string', pattern: '^[^/]+/.+$' },
    providers: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: { base_urls: strings },
      },
    },
    models: {
      type: 'object',
      propertyNames: { pattern: '^[^/]+/.+$' },
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: {
          input_usd_per_mtok: { type: 'number', minimum: 0 },
          output_usd_per_mtok: { type: 'number', minimum: 0 },
          context_window: { type: 'integer', minimum: 1 },
        },
        dependentRequired: {
          input_usd_per_mtok: ['output_usd_per_mtok'],
          output_usd_per_mtok: ['input_usd_per_mtok'],
        },
      },
    },
    quality: { type: 'object', additionalProperties: { type: 'number' } },
    secrets: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'host'],
        properties: { name: { type: 'string', minLength: 1 }, host: { type: 'string', minLength: 1 } },
      },
    },
    environment_secrets: {
      type: 'object',
      propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
      additionalProperties: strings,
    },
    functions: {
      type: 'object',
      propertyNames: { pattern: '^[a-z][a-z0-9_-]{0,62}$' },
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['module', 'organisations'],
        properties: {
          module: { type: 'string', minLength: 1 },
          organisations: { anyOf: [{ const: 'all' }, strings] },
          env: { type: 'array', items: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } },
          read: strings,
          write: strings,
          unrestricted: { type: 'boolean' },
          memory_mb: { type: 'integer', minimum: 32, maximum: 65_536 },
        },
      },
    },
    tools: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: {
          method: { type: 'string', enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] },
          read_only: { type: 'boolean' },
          idempotent: { type: 'boolean' },
        },
      },
    },
    oidc: oidcSchema,
    mcp_servers: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: {
          command: { type: 'string', minLength: 1 },
          args: { type: 'array', items: { type: 'string' } },
          env: { type: 'array', items: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } },
          cwd: { type: 'string', minLength: 1 },
          url: { type: 'string', pattern: '^(https?|wss?)://' },
          transport: { type: 'string', enum: ['http', 'sse', 'ws'] },
          trusted: { type: 'boolean' },
          start_timeout_seconds: { type: 'number', exclusiveMinimum: 0, maximum: 3600 },
        },
        oneOf: [
          { required: ['command'], not: { anyOf: [{ required: ['url'] }, { required: ['transport'] }] } },
          {
            required: ['url'],
            not: { anyOf: ['command', 'args', 'env', 'cwd'].map((name) => ({ required: [name] })) },
          },
        ],
      },
    },
    budget,
    mail: {
      type: 'object',
      additionalProperties: false,
      required: ['host', 'port', 'from'],
      properties: {
        host: { type: 'string', minLength: 1 },
        port: { type: 'integer', minimum: 1, maximum: 65535 },
        from: { type: 'string', maxLength: 320, pattern: MAIL_SENDER },
        secure: { type: 'boolean' },
        starttls: { enum: ['required', 'never'] },
        user: { type: 'string', minLength: 1 },
        password_env: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
        public_url: { type: 'string', pattern: '^https?://[^/]' },
      },
      dependentRequired: { user: ['password_env'], password_env: ['user'] },
    },
    database: {
      type: 'object',
      additionalProperties: false,
      properties: { failover: { enum: ['asynchronous', 'lossless'] } },
    },
    telemetry: {
      type: 'object',
      additionalProperties: false,
      properties: {
        otlp_endpoint: { type: 'string', pattern: '^https?://[^/]' },
        protocol: { type: 'string', enum: ['http/protobuf', 'grpc'] },
        headers: { type: 'object', additionalProperties: { type: 'string', minLength: 1 } },
      },
    },
    pii: {
      type: 'object',
      additionalProperties: false,
      properties: {
        names: { type: 'boolean' },
        private_ips: { type: 'boolean' },
        regions: { type: 'array', items: { type: 'string', pattern: '^[A-Z]{2}$' } },
        patterns: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['name', 'regex'],
            properties: {
              name: { type: 'string', pattern: '^[a-z][a-z0-9_-]{0,31}$' },
              regex: { type: 'string', minLength: 1 },
            },
          },
        },
        key_env: { type: 'string', minLength: 1 },
      },
    },
  },
}

/** The schema of `waybill.yaml` in a project. It is untrusted, so it can only remove permissions. */
export const projectSchema: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: { deny_hosts: strings, deny_secrets: strings, budget },
}

export interface Config {
  readonly signatures?: SignaturePolicies
  /** Modules of extensions, which run as code. Absolute paths after reading. */
  readonly extensions?: readonly string[]
  /** Files of schemas that definitions refer to, by URL. Absolute paths after reading. */
  readonly schemas?: Readonly<Record<string, string>>
  /** Regions by provider, provider_id or host. */
  readonly residency?: Readonly<Record<string, readonly string[]>>
  /** The model that checks constraints: `PROVIDER/MODEL`. */
  readonly judge?: string
  readonly allow_hosts?: readonly string[]
  /** Like `allow_hosts`, and also at private addresses: services in the own network. */
  readonly private_hosts?: readonly string[]
  /** Whether `waybill login` pins the machine of a member on this platform. Default: true. */
  readonly enrol_machines?: boolean
  readonly states?: ConfigStates
  /** By organisation of a platform: further hosts, which its agents alone may reach. */
  readonly organisations?: Readonly<Record<string, OrganisationSettings>>
  readonly retention?: ConfigRetention
  /** Absolute paths after reading. */
  readonly ca_files?: readonly string[]
  readonly providers?: Readonly<Record<string, { readonly base_urls?: readonly string[] }>>
  readonly models?: Readonly<Record<string, ConfigModel>>
  readonly quality?: Readonly<Record<string, number>>
  readonly secrets?: readonly { readonly name: string; readonly host: string }[]
  /** By name of a secret of the environment: the organisations of a platform whose runs may use it. */
  readonly environment_secrets?: Readonly<Record<string, readonly string[]>>
  /** Modules of functions for organisations of a platform, by name. */
  readonly functions?: Readonly<Record<string, ConfigFunctions>>
  readonly tools?: Readonly<
    Record<string, { readonly method?: string; readonly read_only?: boolean; readonly idempotent?: boolean }>
  >
  /** Identity providers whose tokens a platform accepts. */
  readonly oidc?: readonly OidcProvider[]
  readonly mcp_servers?: McpServers
  readonly budget?: ConfigBudget
  readonly mail?: ConfigMail
  /** Of a platform: `lossless`: a promoted replica has everything that was committed. */
  readonly database?: { readonly failover?: 'asynchronous' | 'lossless' }
  readonly telemetry?: TelemetrySettings
  readonly pii?: PiiSettings
}

/** How Agent States travel. */
export interface ConfigStates {
  /** Whether a state may cross a plaintext connection within this machine. Default: `loopback`. */
  readonly plaintext?: 'never' | 'loopback'
  /** How long a platform keeps the state of a sub-agent that was sent before that of its caller. Default 60. */
  readonly kept_minutes?: number
}

/** The mail server of a platform. */
export interface ConfigMail {
  readonly host: string
  readonly port: number
  readonly from: string
  /** TLS from the first byte. */
  readonly secure?: boolean
  readonly starttls?: 'required' | 'never'
  readonly user?: string
  readonly password_env?: string
  /** The URL of the platform, for links; default: `--public-url`. */
  readonly public_url?: string
}

export interface ConfigFunctions {
  /** An absolute path after reading, as those of `read` and `write`. */
  readonly module: string
  readonly organisations: 'all' | readonly string[]
  /** Names of variables that its processes get. */
  readonly env?: readonly string[]
  readonly read?: readonly string[]
  readonly write?: readonly string[]
  readonly unrestricted?: boolean
  readonly memory_mb?: number
}

/** Of one organisation of a platform. */
export type OrganisationSettings = Pick<
  Config,
  'allow_hosts' | 'private_hosts' | 'retention' | 'enrol_machines'
>

/** How long a platform keeps data, in days; absent: until it is removed. */
export interface ConfigRetention {
  /** Runs that have ended, with their sessions, after their last change. */
  readonly runs_days?: number
  /** Memory items, after they were saved last. */
  readonly memory_days?: number
}

export interface ConfigModel {
  readonly input_usd_per_mtok?: number
  readonly output_usd_per_mtok?: number
  readonly context_window?: number
}

export interface ProjectConfig {
  readonly deny_hosts?: readonly string[]
  readonly deny_secrets?: readonly string[]
  readonly budget?: ConfigBudget
}

export interface ConfigBudget {
  readonly tokens?: number
  readonly usd?: number
  readonly calls?: number
  readonly seconds?: number
}
