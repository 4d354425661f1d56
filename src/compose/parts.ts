import type { ToolModule } from '../adapters/tools/tool-module.ts'
import type { OperatorSettings } from '../plan/operator-settings.ts'
import type { SignatureState } from '../policy/signature-policy.ts'
import type { Extension } from '../run/extension.ts'
import type { ModelPort, Secrets } from '../run/ports.ts'
import type { Home } from '../session/home.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** What a run is composed of: the operator's settings, the world's variables, and the operator's own functions. */
export interface Parts {
  readonly settings: OperatorSettings
  /** Variables that are no secrets: those of OpenTelemetry, and what describes the machine. */
  readonly env: Env
  /** Where secrets are fetched by name when they are used. */
  readonly secrets: Secrets
  readonly tools?: ToolModule
  /** Answers instead of the providers. */
  readonly model?: ModelPort
  /** Where everything is kept that outlives a run: records, memory, grants, audit log. Absent: nothing does. */
  readonly home?: Home
  /** Checks who a definition is from; absent: nobody does. */
  readonly checkSignature?: (definition: AgentDefinition, source: string | undefined) => SignatureState
  /** What the operator adds; checked when it was loaded or given. */
  readonly extensions?: readonly Extension[]
}
