import type { ErrorObject } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import { issues } from '../../http/problem-schema.ts'
import {
  answer,
  flag,
  id,
  list,
  moment,
  namesOf,
  nullable,
  oneOf,
  request,
  type Typed,
  text,
  typed,
} from '../../http/schema.ts'
import type { Plan } from '../../plan/plan.ts'
import type { RequestTokens } from '../../plan/request-tokens.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import type { PlanSettings } from './plan-settings.ts'

/** A label begins with a letter, so that it is never mistaken for a version. */
export const LABEL = /^[A-Za-z][A-Za-z0-9._-]{0,62}$/

const AGENT = {
  agent_id: text('The `agent_id` of the definition.'),
  name: text('The name of the agent.'),
  version: text('The version of the definition.'),
  digest: text('`sha256:` of the bytes as they were uploaded.'),
  media_type: text('The media type of the uploaded bytes.'),
  // It is removed when no run uses it.
  status: oneOf(
    ['pending', 'active', 'inactive', 'deprecated', 'draft'],
    'New runs use the active version. A draft is known by its digest, and never becomes active.',
  ),
  labels: list(text('A name for the version.')),
  levels: typed<JsonObject>({
    type: 'object',
    description:
      'For each conformance level, whether the definition reaches it (`met`), and with `?levels=true` what is missing.',
  }),
  negotiation: typed<JsonObject>({
    type: 'object',
    description: 'What the platform does about the required capabilities.',
  }),
  issues,
  uploaded_by: text('The user who uploaded it.'),
  created_at: moment('When it was uploaded.'),
}

export const agentView = answer('A version of an agent.', AGENT)
export type AgentView = Typed<typeof agentView>
export type AgentStatus = AgentView['status']

/** The answer to an upload. */
export const uploadedAgent = answer(
  'A version of an agent.',
  {
    ...AGENT,
    plan: nullable(
      typed<ShortPlan>({
        type: 'object',
        description:
          'What a run would lack: `ok`, `error`, and the models, tools, sub-agents and members of the definition that cannot be used, with the reasons; null if the definition is large, or planning takes longer than some seconds: `POST /v1/agents/AGENT/plan` plans it.',
      }),
    ),
  },
  namesOf(AGENT),
)

export const versionChoice = request({ version: id('A version or a label.') })

export const labelTarget = request({ version: id('The version that the label names.') }, ['version'])

export const agentPlan = typed<AgentPlan>(
  answer('The plan of a run, as `waybill plan --json` prints it.', {
    ok: flag('False: a run would be refused, or would fail before its first model request.'),
    plan_hash: text('Names the plan.'),
  }),
)

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
  plan(agentId: string, request: PlanSettings): Promise<AgentPlan>
  /** Plans a definition without storing it. @throws as `upload` */
  planUpload(body: Uint8Array, mediaType: string, request: Pick<PlanSettings, 'rehearse'>): Promise<AgentPlan>
}

/** A plan with what a run would begin with, as `waybill plan --json` prints it. */
export interface AgentPlan extends Plan {
  /** False: a run would be refused, or would fail before its first model request. */
  readonly ok: boolean
  readonly error?: ErrorObject
  readonly plan_hash: string
  readonly tokens_per_request: RequestTokens
  /** Those that it may call. */
  readonly agents?: readonly (Plan & Pick<AgentPlan, 'ok' | 'plan_hash'>)[]
}

/** What a run of an agent would lack now, in an answer that is read by people. */
export interface ShortPlan {
  /** False: a run would be refused, or would fail before its first model request. */
  readonly ok: boolean
  readonly error?: Pick<ErrorObject, 'code' | 'message' | 'hint'>
  /** Models that cannot be used. */
  readonly models: readonly JsonObject[]
  /** Tools that are denied, such as functions that are not installed. */
  readonly tools: readonly JsonObject[]
  readonly subagents: readonly JsonObject[]
  /** Names of the secrets that a run reads. */
  readonly secrets: readonly string[]
  /** Members of the definition that are not applied. */
  readonly degraded: readonly JsonObject[]
}
