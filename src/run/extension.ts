import type { Socket } from 'node:net'
import type { Reach } from '../plan/operator-settings.ts'
import type { MemoryScope, PlannedModel, PlannedTool } from '../plan/plan.ts'
import type { DiscoveredTool } from '../plan/snapshot.ts'
import type { ModelPort, ToolPort } from './ports.ts'
import type { MemoryItem } from './state.ts'

/**
 * Adds protocols of tools, providers of models, and stores of memory to this host (AAIF §10). An extension is
 * the operator's own code, trusted like the module of `--tools`, and never comes from a document. Plans,
 * gates, grants, limits, redaction, telemetry and the audit log apply to it as they apply to built-in
 * adapters.
 */
export interface Extension {
  /** Used in plans, messages and the audit log. */
  readonly name: string
  /** By the value of `tools[].protocol`. */
  readonly toolProtocols?: Readonly<Record<string, ToolProtocol>>
  /** By the value of `model.provider`, or of `model.provider_id` if the provider is `custom`. */
  readonly modelProviders?: Readonly<Record<string, ModelProviderExtension>>
  /** By the value of `memory[].backend`. */
  readonly memoryBackends?: Readonly<Record<string, MemoryBackend>>
}

export interface ToolProtocol {
  /**
   * What an endpoint of this protocol refers to. `host`: a URL whose host the operator must have granted; a
   * URL that is not http or https must contain its port. `file`: a path in the folder of the definition; the
   * absolute path is `binding.file` of the planned tool. `nothing`: there is no endpoint.
   */
  readonly reach: Reach
  /**
   * Lists the tools behind a declared tool, so that one declaration can offer several and their schemas are
   * pinned. Absent: the tool is as the definition declares it. If this throws, the tool cannot be used, and
   * the plan says so.
   */
  discover?(tool: DeclaredTool, services: ToolServices): Promise<readonly OfferedTool[]>
  /** Opens what the calls of one run need; called before the first call. */
  open(services: ToolServices): ExtensionTools | Promise<ExtensionTools>
}

/**
 * Calls tools. A {@link ToolFailure} states what is known about a failed call. After any other error it is
 * unknown whether the call took effect, and a write is not sent again.
 */
export interface ExtensionTools extends ToolPort {
  close?(): void | Promise<void>
}

/** A tool as the definition declares it. */
export interface DeclaredTool extends Pick<PlannedTool, 'name' | 'description' | 'endpoint' | 'auth'> {
  /** With `reach` `file`: the absolute path. */
  readonly file?: string
}

/** `binding` is kept in the plan, so that a resumed run calls the same tool. */
export type OfferedTool = Omit<DiscoveredTool, 'binding'> & Partial<Pick<DiscoveredTool, 'binding'>>

/** The granted ways to reach the outside. */
export interface ToolServices {
  /** Reaches only the granted hosts, at addresses that pass the gate. */
  readonly fetch: typeof globalThis.fetch
  /** The same for protocols other than HTTP: opens a connection to the host and port of a URL. */
  connect(url: string | URL, signal: AbortSignal): Promise<Socket>
  /**
   * Fetches the tool's secret if the operator granted it to this host; with `headers`, also sets them as the
   * tool's `auth` says. Undefined if the tool needs none. Fetch it for each request: the value can change.
   * @throws ToolFailure, always `unsent`
   */
  secret(tool: Pick<PlannedTool, 'name' | 'auth'>, url: URL, headers?: Headers): Promise<string | undefined>
}

export interface ModelProviderExtension {
  /**
   * The address of the API if a definition gives no other; the provider's key may be sent there. Absent: the
   * model runs in this process, which keeps data in any region, and its `fetch` reaches no host.
   */
  readonly baseUrl?: string
  /**
   * Opens what a run's questions need; called before the first question. Any error other than a {@link
   * ModelFailure} counts as `unavailable`.
   */
  open(services: ModelServices): ModelPort | Promise<ModelPort>
}

export interface ModelServices {
  /** Reaches the provider's own API and the granted hosts. */
  readonly fetch: typeof globalThis.fetch
  /**
   * Fetches the key that the plan names for this route (`WAYBILL_KEY_…`); undefined if it names none. Fetch
   * it for each request: the value can change.
   */
  key(route: PlannedModel): Promise<string | undefined>
}

export interface MemoryBackend {
  /** Opens the store; called if a plan keeps items there. */
  open(services: MemoryServices): MemoryStore | Promise<MemoryStore>
}

export interface MemoryServices {
  /**
   * A private folder for the extension in Waybill's home, readable by its owner only; absent if there is no
   * home.
   */
  readonly folder?: string
}

/** The owner of items. Members that a scope does not have are empty. */
export interface MemoryOwner {
  /**
   * Identity of the definition that the items belong to: two definitions with the same `agent_id` share no
   * items. Opaque; it does not change when the definition's file is edited.
   */
  readonly definition: string
  readonly agent_id: string
  readonly scope: MemoryScope
  readonly user: string
  readonly session: string
}

/**
 * Stores items beyond a run (AAIF §4.5). Every request names its owner, and the answer must hold items of
 * that owner only. Expiry, search, and what must not be stored are handled by the caller.
 */
export interface MemoryStore {
  /**
   * Stores an item that the definition declares: once for each owner, key and text, and never over an item
   * that the agent has written.
   */
  seed(owner: MemoryOwner, item: MemoryItem, sha256: string): unknown
  /**
   * Stores an item; the same key again replaces it, and the same call again changes nothing.
   * @param runId of the run that stores it
   */
  save(owner: MemoryOwner, item: MemoryItem, callKey: string, runId?: string): unknown
  /**
   * Returns the items of one owner, newest first. @param at milliseconds since the epoch; items that expired
   * before may be left out
   */
  items(owner: MemoryOwner, at: number): readonly MemoryItem[] | Promise<readonly MemoryItem[]>
  /** Returns the stored embeddings by key; absent: embeddings are computed again for each query. */
  vectors?(owner: MemoryOwner): ReadonlyMap<string, Float32Array> | Promise<ReadonlyMap<string, Float32Array>>
  /** Stores the embedding of an item, for as long as the item has this content. */
  keepVector?(owner: MemoryOwner, item: MemoryItem, vector: Float32Array): unknown
  close?(): unknown
}
