import type { McpOptions } from '../adapters/mcp/connections.ts'
import type { FunctionError } from '../adapters/tools/reported-functions.ts'
import type { ToolModule } from '../adapters/tools/tool-module.ts'
import type { OperatorSettings } from '../plan/operator-settings.ts'
import type { Extension } from '../run/extension.ts'
import type { ModelPort, Secrets } from '../run/ports.ts'
import type { Home } from '../session/home.ts'
import type { CheckSignature } from '../settings/check-signature.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** The parts of a run: settings of the operator, environment variables and functions. */
export interface Parts {
  readonly settings: OperatorSettings
  /** Environment variables that are not secret: those of OpenTelemetry and of the machine. */
  readonly env: Env
  /** The store that secrets are fetched from by name, when they are used. */
  readonly secrets: Secrets
  /** Names of secrets that planning takes as set, although their values are not here. A run needs the values. */
  readonly assumed?: readonly string[]
  /** How long planning waits for MCP servers and other hosts, and who is informed about a slow one; see `McpOptions`. */
  readonly discovery?: Pick<McpOptions, 'discoverMs' | 'onWaiting'>
  readonly tools?: ToolModule
  /** Takes what a function or hook of `tools` threw, without known secrets. */
  readonly onFunctionError?: (error: FunctionError) => void
  /** The functions were given for one definition, so the plan reports those that none of its agents calls. */
  readonly reportUnused?: true
  /** Replaces the providers. */
  readonly model?: ModelPort
  /** The home, which stores records, memory, grants and the audit log beyond a run. Absent: nothing is stored. */
  readonly home?: Home
  /** Checks the signature of a definition; absent: signatures are not checked. */
  readonly checkSignature?: CheckSignature
  /** Every use of a secret is audited. */
  readonly auditsSecrets?: true
  /** Runs start from named queues and in the background. */
  readonly queues?: true
  /** The extensions of the operator, already checked. */
  readonly extensions?: readonly Extension[]
}
