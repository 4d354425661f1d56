import type { Socket } from 'node:net'
import type { Reach } from '../plan/operator-settings.ts'
import type { MemoryScope, PlannedModel, PlannedTool } from '../plan/plan.ts'
import type { DiscoveredTool } from '../plan/snapshot.ts'
import type { ModelPort, ToolPort } from './ports.ts'
import type { MemoryItem } from './state.ts'

/**
 * What an operator adds to this host: protocols of tools, providers of models, places for memory (AAIF §10). It is code
 * of the operator's own, trusted like the module of `--tools`, and never comes out of a document. Plans, gates, grants,
 * limits, redaction, telemetry and the audit log stand between it and a run as they do for what is built in.
 */
export interface Extension {
  /** What plans, messages and the audit log call it. */
  readonly name: string
  /** By the word of `tools[].protocol`. */
  readonly toolProtocols?: Readonly<Record<string, ToolProtocol>>
  /** By the word of `model.provider`, or of `model.provider_id` where the provider is `custom`. */
  readonly modelProviders?: Readonly<Record<string, ModelProviderExtension>>
  /** By the word of `memory[].backend`. */
  readonly memoryBackends?: Readonly<Record<string, MemoryBackend>>
}

export interface ToolProtocol {
  /**
   * What an endpoint of this protocol leads to. `host`: it is a URL whose host the operator must have granted; one that
   * is not http or https names its port. `file`: it is a path, and must lie in the folder of the definition; the whole
   * path is `binding.file` of the planned tool. `nothing`: it has none.
   */
  readonly reach: Reach
  /**
   * Asks what stands behind a declared tool, so that one declaration can offer several and what they are is pinned.
   * Absent: the tool is what the definition declares. What it throws keeps the tool from being used, and the plan says so.
   */
  discover?(tool: DeclaredTool, services: ToolServices): Promise<readonly OfferedTool[]>
  /** Opens what the calls of one run need; called at the first. */
  open(services: ToolServices): ExtensionTools | Promise<ExtensionTools>
}

/**
 * Calls tools. A {@link ToolFailure} says what is known of a call that failed; after anything else that it throws,
 * nobody knows whether the call took effect, and a write is not sent again.
 */
export interface ExtensionTools extends ToolPort {
  close?(): void | Promise<void>
}

/** A tool as the definition declares it. */
export interface DeclaredTool extends Pick<PlannedTool, 'name' | 'description' | 'endpoint' | 'auth'> {
  /** Of reach `file`: the whole path. */
  readonly file?: string
}

/** `binding` is kept in the plan, so that a resumed run calls the very same thing. */
export type OfferedTool = Omit<DiscoveredTool, 'binding'> & Partial<Pick<DiscoveredTool, 'binding'>>

/** The ways into the world that were granted. */
export interface ToolServices {
  /** Reaches the hosts that were granted, at addresses that pass the gate, and no others. */
  readonly fetch: typeof fetch
  /** The same for what is not HTTP: a connection to the host and port of a URL. */
  connect(url: string | URL, signal: AbortSignal): Promise<Socket>
  /**
   * Fetches the tool's secret, when the operator granted it to this host; with `headers`, it is also put on them as the
   * tool's `auth` says. Undefined when the tool needs none. Fetch it for each request: the value can change.
   * @throws ToolFailure, always unsent
   */
  secret(tool: Pick<PlannedTool, 'name' | 'auth'>, url: URL, headers?: Headers): Promise<string | undefined>
}

export interface ModelProviderExtension {
  /**
   * Where its API is, when a definition says nothing else: the provider's key may go there. Absent: it is a model in
   * this process, which keeps data in any region and whose `fetch` reaches nothing.
   */
  readonly baseUrl?: string
  /** Opens what a run's questions need; called at the first. Anything but a {@link ModelFailure} counts as `unavailable`. */
  open(services: ModelServices): ModelPort | Promise<ModelPort>
}

export interface ModelServices {
  /** Reaches the provider's own API and the hosts that were granted. */
  readonly fetch: typeof fetch
  /**
   * Fetches the key that the plan names for this route (`WAYBILL_KEY_…`); undefined when it names none. Fetch it for
   * each request: the value can change.
   */
  key(route: PlannedModel): Promise<string | undefined>
}

export interface MemoryBackend {
  /** Opens the store; called when a plan keeps items there. */
  open(services: MemoryServices): MemoryStore | Promise<MemoryStore>
}

export interface MemoryServices {
  /** A folder of the extension's own in Waybill's home, made for its owner's eyes only; absent where there is no home. */
  readonly folder?: string
}

/** Whose items are meant. Members that a scope does not have are empty. */
export interface MemoryOwner {
  /**
   * Identity of the definition that the items belong to: two definitions with the same `agent_id` share nothing.
   * Opaque, and stable while the definition's file is edited.
   */
  readonly definition: string
  readonly agent_id: string
  readonly scope: MemoryScope
  readonly user: string
  readonly session: string
}

/**
 * Where items are kept beyond a run (AAIF §4.5). Every question names its owner, and an answer holds items of that very
 * owner and of nobody else. What expired, how items are found, and what must not be kept is not its affair.
 */
export interface MemoryStore {
  /** Keeps what a definition declares: once for each owner, key and text, and never over what the agent itself has written. */
  seed(owner: MemoryOwner, item: MemoryItem, sha256: string): unknown
  /** Keeps an item; the same key again replaces it, and the same call again changes nothing. */
  save(owner: MemoryOwner, item: MemoryItem, callKey: string): unknown
  /** The items of one owner, newest first. @param at milliseconds since the epoch; what expired before may be dropped */
  items(owner: MemoryOwner, at: number): readonly MemoryItem[] | Promise<readonly MemoryItem[]>
  /** Embeddings that were kept, by key; absent: they are made anew for each query. */
  vectors?(owner: MemoryOwner): ReadonlyMap<string, Float32Array> | Promise<ReadonlyMap<string, Float32Array>>
  /** Keeps the embedding of an item, as long as its content is this one. */
  keepVector?(owner: MemoryOwner, item: MemoryItem, vector: Float32Array): unknown
  close?(): unknown
}
