import type { Issue } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import type { PlanSettings } from './start-run.ts'

/** A `draft` is known by its digest only: it is never active, and is removed when no run uses it. */
export type AgentStatus = 'pending' | 'active' | 'inactive' | 'deprecated' | 'draft'

/** One version of an agent, as lists and answers show it. */
export interface AgentView {
  readonly agent_id: string
  readonly name: string
  readonly version: string
  /** `sha256:` of the bytes as they were uploaded. */
  readonly digest: string
  readonly media_type: string
  readonly status: AgentStatus
  /** Labels that name this version, such as `production`. */
  readonly labels: readonly string[]
  readonly levels: JsonObject
  readonly negotiation: JsonObject
  readonly issues: readonly Issue[]
  readonly uploaded_by: string
  /** RFC 3339 */
  readonly created_at: string
}

/** The definitions of an organisation. Every method throws AGENT_NOT_FOUND or VERSION_NOT_FOUND where that applies. */
export interface Agents {
  /**
   * Stores a definition byte for byte. The same bytes again are the known version.
   * @throws DEFINITION_INVALID with its issues; VERSION_EXISTS if this version was uploaded with other bytes;
   * SIGNATURE_REFUSED and others of the signature policy
   */
  upload(
    body: Uint8Array,
    mediaType: string,
    options?: {
      /** Other bytes of a known version are stored as a draft, unless versions wait for a review here. */
      readonly draft?: boolean
    },
  ): Promise<{ readonly created: boolean; readonly agent: AgentView }>
  /** Lists the newest version of each agent, or the active one. @param page `name`: only agents with exactly this name */
  list(page: Page & { readonly name?: string }): Promise<PageOf<AgentView>>
  /** @param version a version, a label or absent: the active one, else the newest */
  read(agentId: string, version?: string): Promise<AgentView>
  versions(agentId: string, page: Page): Promise<PageOf<AgentView>>
  /** Returns the bytes as they were uploaded if a given media type matches, else a conversion to one of them. */
  definition(
    agentId: string,
    version: string | undefined,
    accepted: readonly string[],
  ): Promise<{ readonly body: Uint8Array; readonly mediaType: string }>
  /** Makes a version (default: the newest) the active one. Runs that have begun keep theirs. */
  activate(agentId: string, version?: string): Promise<AgentView>
  /** No new runs use a deprecated version (default: the active one). */
  deprecate(agentId: string, version?: string): Promise<AgentView>
  /** Moves a label, such as `production`, to a version; null removes it. */
  label(agentId: string, label: string, version: string | null): Promise<AgentView>
  /** Plans a run without starting it. @returns what `waybill plan --json` prints */
  plan(agentId: string, request: PlanSettings): Promise<JsonObject>
  /** Plans a definition without storing it. @throws as `upload` */
  planUpload(
    body: Uint8Array,
    mediaType: string,
    request: Pick<PlanSettings, 'rehearse'>,
  ): Promise<JsonObject>
}
