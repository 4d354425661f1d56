import type { ToolModule } from '../adapters/tools/tool-module.ts'
import type { OperatorSettings } from '../plan/operator-settings.ts'
import type { StandingRules } from '../policy/approval/standing-rules.ts'
import type { SignatureState } from '../policy/signature-policy.ts'
import type { Extension } from '../run/extension.ts'
import type { AuditLog } from '../run/record/audit-log.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** What a run is composed of: the operator's settings, the world's variables, and the operator's own functions. */
export interface Parts {
  readonly settings: OperatorSettings
  readonly env: Env
  readonly tools?: ToolModule
  /** Where agents remember beyond their runs. Absent: memory ends with the run. */
  readonly memoryFile?: string
  /** What people allowed beforehand; absent: nothing. */
  readonly standing?: StandingRules
  /** Checks who a definition is from; absent: nobody does. */
  readonly checkSignature?: (definition: AgentDefinition, source: string | undefined) => SignatureState
  /** Where events go that must be audited; absent: this host cannot audit. */
  readonly audit?: AuditLog
  /** What the operator adds; checked when it was loaded or given. */
  readonly extensions?: readonly Extension[]
  /** The folder of an extension's own in Waybill's home. Absent: there is no home. */
  readonly extensionFolder?: (name: string) => string
}
