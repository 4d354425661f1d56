import type { JsonObject } from '../document/json.ts'
import type { AuditedAgent } from '../policy/audited-agent.ts'
import type { SignatureState } from '../policy/signature-policy.ts'
import type { SchemaProblem } from '../schema/user-schema.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { ToolLock } from './tool-lock.ts'

/**
 * A definition and everything that it references, fetched once, each with its hash. It is data only: it contains no
 * code, and planning needs no other input.
 */
export interface Snapshot {
  readonly definition: AgentDefinition
  /** SHA-256 (hex) of the definition's canonical form (RFC 8785). */
  readonly definition_hash: string
  /** The result of the signature check; absent if signatures are not checked. */
  readonly signature?: SignatureState
  /**
   * The schemas of the definition that refer to other documents, complete with these documents, by pointer; absent:
   * none does.
   */
  readonly schemas?: Readonly<Record<string, WholeSchema>>
  /** One entry for each item of `agent.context[]`, in declared order. */
  readonly context: readonly ResolvedContext[]
  /** Sub-agents in declared order, then targets of hand-offs and the referee that are not among them. */
  readonly subagents: readonly ResolvedSubagent[]
  /** Discovered tools by the name of the declaration; a declaration without an entry was not discovered. */
  readonly discovered: Readonly<Record<string, Discovery>>
  /** The lock that discovered tools are compared with; absent: not compared. */
  readonly pins?: ToolPins
  /** The functions of the operator's module, by name. */
  readonly functions: Readonly<Record<string, FunctionTraits>>
  /** Functions that were given for this definition, although none of its agents calls them. */
  readonly unused?: readonly UnusedFunction[]
  /** Names of the hooks of the operator's module. */
  readonly hooks?: readonly string[]
}

export interface WholeSchema {
  /** Refers to no other document; a part of a document that is not available accepts any value. */
  readonly schema: JsonObject
  readonly problems: readonly SchemaProblem[]
}

export type ResolvedContext =
  | {
      readonly found: true
      /** The source of the text, as the model sees it. */
      readonly source: string
      readonly label?: string
      readonly text: string
      readonly sha256: string
      /** Whether the text is not from the author of the definition, so that it is data and never instructions (AAIF §12). */
      readonly untrusted: boolean
    }
  | { readonly found: false; readonly reason: string; readonly rule: string }

export interface FunctionTraits {
  readonly read_only: boolean
  readonly idempotent: boolean
  /** JSON Schema of the arguments that the function accepts, if it declares one. */
  readonly parameters?: JsonObject
}

export interface UnusedFunction {
  readonly name: string
  /** Of the function, not of a tool of the definition. */
  readonly description?: string
  readonly parameters?: JsonObject
}

export interface ResolvedSubagent {
  /** The reference as written in the definition. */
  readonly ref: string
  /** Index in `orchestration.subagents`; absent if only a rule names it. */
  readonly index?: number
  /** Absent if it was not found. */
  readonly found?: {
    readonly definition_hash: string
    readonly name: string
    readonly purpose: string
    readonly role?: string
    readonly input_schema?: JsonObject
    /** Whether this is a stand-in of a rehearsal for an agent that was not found; see `reason`. */
    readonly doubled?: true
  }
  readonly reason?: string
  /** What the audit log must say about its definition, which is invalid. */
  readonly refused?: AuditedAgent
}

export interface ToolPins {
  readonly lock: ToolLock
  /** The reason why new tools could not be pinned. */
  readonly trouble?: string
}

/** The tools of one declaration, of protocol mcp, openapi, or a protocol of an extension. */
export type Discovery =
  | {
      readonly found: true
      readonly tools: readonly DiscoveredTool[]
      /** Data for calling a tool that needs no discovery: the definition describes it, and `tools` is empty. */
      readonly as_declared?: JsonObject
      /** What the server or the document describes, but is not offered; the rule is that of discovery. */
      readonly notes?: { readonly texts: readonly string[]; readonly rule: string }
    }
  | { readonly found: false; readonly reason: string; readonly rule: string }

export interface DiscoveredTool {
  /** Its name on the server or in the document. */
  readonly name: string
  readonly description: string
  readonly parameters_schema: JsonObject
  readonly output_schema?: JsonObject
  /** Whether the server sends readOnlyHint, or the operation is GET or HEAD. The configuration takes precedence. */
  readonly read_only: boolean
  readonly idempotent: boolean
  /** All that a server says of the tool besides its description and schemas: its title and its hints. */
  readonly annotations?: JsonObject
  /** Whether an untrusted server sends readOnlyHint. */
  readonly claims_read_only?: true
  /** The URL of a call, if the document contains it. It needs a grant. */
  readonly url?: string
  readonly method?: string
  /** Whether a call carries the credential of the declaration; absent: it does if there is one. */
  readonly signs_in?: boolean
  /** A note for the reader of the plan. */
  readonly note?: string
  /** Why the tool can never be called, although it is described. */
  readonly unavailable?: string
  /** Data that the adapter needs to call it. It is stored in the plan, so that a resumed run calls the same target. */
  readonly binding: JsonObject
}
