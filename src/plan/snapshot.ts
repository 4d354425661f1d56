import type { JsonObject } from '../document/json.ts'
import type { SignatureState } from '../policy/signature-policy.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { ToolLock } from './tool-lock.ts'

/**
 * A definition and everything it points at, fetched once, each with its hash. Data: nothing in it is executed,
 * and planning needs nothing else of the world.
 */
export interface Snapshot {
  readonly definition: AgentDefinition
  /** SHA-256 (hex) of the definition's canonical form (RFC 8785). */
  readonly definition_hash: string
  /** What its signature proves; absent where nobody checks. */
  readonly signature?: SignatureState
  /** One entry for each item of `agent.context[]`, in its order. */
  readonly context: readonly ResolvedContext[]
  /** Sub-agents in declared order, then targets of hand-offs and the referee where they name none of these. */
  readonly subagents: readonly ResolvedSubagent[]
  /** What mcp and openapi tools turned out to offer, by the declared tool's name; absent ones were not asked. */
  readonly discovered: Readonly<Record<string, Discovery>>
  /** What those are held to; absent: to nothing. */
  readonly pins?: ToolPins
  /** The functions that the operator's module offers, by name. */
  readonly functions: Readonly<Record<string, FunctionTraits>>
  /** Names of the hooks that the operator's module offers. */
  readonly hooks?: readonly string[]
}

export type ResolvedContext =
  | {
      readonly found: true
      /** What the model is told about where the text comes from. */
      readonly source: string
      readonly label?: string
      readonly text: string
      readonly sha256: string
      /** Not written by the definition's author, so data and never instructions (AAIF §12). */
      readonly untrusted: boolean
    }
  | { readonly found: false; readonly reason: string; readonly rule: string }

export interface FunctionTraits {
  readonly read_only: boolean
  readonly idempotent: boolean
}

export interface ResolvedSubagent {
  /** As the definition writes it. */
  readonly ref: string
  /** Index in `orchestration.subagents`; absent for one that only a rule names. */
  readonly index?: number
  /** Absent when it was not found. */
  readonly found?: {
    readonly definition_hash: string
    readonly name: string
    readonly purpose: string
    readonly role?: string
    readonly input_schema?: JsonObject
    /** A rehearsal's stand-in for one that was not found; `reason` says why. */
    readonly doubled?: true
  }
  readonly reason?: string
}

export interface ToolPins {
  readonly lock: ToolLock
  /** Why tools that were met for the first time could not be pinned. */
  readonly trouble?: string
}

/** What stands behind one declared tool, of protocol mcp, openapi, or one that an extension adds. */
export type Discovery =
  | {
      readonly found: true
      readonly tools: readonly DiscoveredTool[]
      /** Nothing was asked: the tool is what the definition declares, and `tools` is empty. What is needed to call it. */
      readonly as_declared?: JsonObject
    }
  | { readonly found: false; readonly reason: string; readonly rule: string }

export interface DiscoveredTool {
  /** As the server or the document names it. */
  readonly name: string
  readonly description: string
  readonly parameters_schema: JsonObject
  readonly output_schema?: JsonObject
  /** A readOnlyHint of a server, or a GET or HEAD operation; the operator may say otherwise. */
  readonly read_only: boolean
  readonly idempotent: boolean
  /** Where a call goes, when the document says so: the operator's grants decide over it. */
  readonly url?: string
  readonly method?: string
  /** Whether a call carries the declared tool's credential; absent: it does when there is one. */
  readonly signs_in?: boolean
  /** What whoever reads the plan should know of it. */
  readonly note?: string
  /** What the adapter needs to call it, as data: kept in the plan, so a resumed run calls the very same thing. */
  readonly binding: JsonObject
}
