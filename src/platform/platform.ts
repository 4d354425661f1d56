import type { Issue } from '../document/issue.ts'
import type { Json, JsonObject } from '../document/json.ts'
import type { RunEvent } from '../run/event.ts'
import type { RunResult } from '../run/result.ts'
import type { Message as ConversationMessage } from '../run/state.ts'
import type { Home } from '../session/home.ts'
import type { PersonsDecision } from '../session/leave-decision.ts'
import type { Principal, PrincipalKind, Role } from '../session/principal.ts'
import type { ShownStatus } from '../session/run-status.ts'
import type { Inbox, Votes } from './inbox/inbox.ts'
import type { Moves, Peers } from './moves/move.ts'
import type { BrowserSessions } from './people/browser-sessions.ts'
import type { TenantRemoval } from './removal/removal.ts'
import type { Rules } from './rules/rule.ts'
import type { Hooks, Triggers } from './triggers/trigger.ts'
import type { Webhooks } from './webhooks/webhook.ts'

/** The platform as its entry points see it: HTTP routes, protocol endpoints and commands use it, and nothing below. */
export interface Platform {
  /** Returns the principal of a token, or null if it is unknown, expired or revoked. */
  authenticate(token: string): Promise<Principal | null>
  /** Returns the principal of the session of a browser, or null if it is unknown or has ended. */
  authenticateSession(cookie: string): Promise<Principal | null>
  /** Opens one organisation for one principal. Cheap: called for each request. */
  tenant(principal: Principal): Tenant
  /** Returns the organisations that a principal may know. */
  organisations(principal: Principal): Organisations
  /** @throws the first reason why requests cannot be served */
  assertReady(): Promise<void>
  /** Takes messages of senders that have no token. */
  readonly hooks: Hooks
  /** Returns the public keys that verify messages of the platform, as a JSON Web Key Set. */
  jwks(): JsonObject
  /** Returns numbers for `/metrics`. */
  measure(): Promise<PlatformNumbers>
  close(): Promise<void>
}

/** One organisation, opened for one principal. Nothing of other organisations can be reached through it. */
export interface Tenant {
  readonly principal: Principal
  readonly agents: Agents
  readonly runs: Runs
  readonly sessions: Sessions
  readonly approvals: Approvals
  readonly inbox: Inbox
  readonly rules: Rules<ApprovalView>
  readonly budgets: Budgets
  stops(): Promise<Stops>
  /**
   * Returns the members and teams of the own organisation, or of another one for the admins of the first organisation.
   * @throws ORGANISATION_NOT_FOUND
   */
  people(organisation: string): Promise<People>
  /** In the same way. */
  tokens(organisation: string): Promise<Tokens>
  /** In the same way. */
  secrets(organisation: string): Promise<TenantSecrets>
  /** In the same way. */
  removal(organisation: string): Promise<TenantRemoval>
  readonly browserSessions: BrowserSessions
  readonly moves: Moves
  readonly peers: Peers
  readonly webhooks: Webhooks
  readonly triggers: Triggers
  readonly requests: Requests
  /** Records, grants, memory and audit log of the organisation. */
  readonly home: Home
}

/** A page of a list. */
export interface Paged<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

export interface PageRequest {
  readonly limit?: number
  readonly cursor?: string
}

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
  list(page: PageRequest & { readonly name?: string }): Promise<Paged<AgentView>>
  /** @param version a version, a label or absent: the active one, else the newest */
  read(agentId: string, version?: string): Promise<AgentView>
  versions(agentId: string, page: PageRequest): Promise<Paged<AgentView>>
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

/** The members of a request for a run that its plan depends on. */
export type PlanSettings = Pick<StartRun, 'user' | 'session' | 'version' | 'budget' | 'rehearse'>

export type OnBusy = 'enqueue' | 'reject' | 'interrupt' | 'rollback' | 'steer'

/** The body of a request to start a run. */
export interface StartRun {
  readonly input?: Json
  readonly user?: string
  readonly session?: string
  /** A version or a label; default: the active version. */
  readonly version?: string
  readonly budget?: {
    readonly tokens?: number
    readonly usd?: number
    readonly calls?: number
    readonly seconds?: number
  }
  readonly rehearse?: boolean
  /** RFC 3339. */
  readonly start_after?: string
  /** From -2 to 2; runs of a higher priority get more of the organisation's share. Default 0. */
  readonly priority?: number
  readonly on_busy?: OnBusy
  /** The id of a webhook, or a URL, that is notified of the changes of this run. */
  readonly webhook?: string
  /** The conversation before the input, which the client sends with each request. */
  readonly history?: readonly ConversationMessage[]
}

/** Statuses of a run on the platform: those of `waybill run`, those before it begins, and those of a move. */
export type PlatformStatus = ShownStatus | 'queued' | 'scheduled' | 'set_aside'

/** A run before it has ended. */
export interface RunState202 {
  readonly run_id: string
  readonly status: PlatformStatus
}

/** The list entry of a run, and what is known of it. After its end, or while it waits: with the object of `run`. */
export interface RunView extends Partial<Omit<RunResult, 'status' | 'run_id'>> {
  readonly run_id: string
  readonly status: PlatformStatus
  readonly agent_id: string
  readonly agent_name: string
  readonly version?: string
  readonly user?: string
  readonly session?: string
  /** The member in whose name the agent acts. */
  readonly on_behalf_of?: string
  /** RFC 3339. */
  readonly created_at: string
  readonly updated_at: string
  /** Why a run was set aside. */
  readonly why?: string
  /** Of a run that moves or was moved to another platform. */
  readonly moved_to?: {
    /** The new owner, as the URI of its place. */
    readonly owner: string
    readonly run_id: string | null
    /** It does not know the run any more, so the run can be taken back. */
    readonly receiver?: 'unknown'
  }
}

export interface RunQuery extends PageRequest {
  readonly status?: PlatformStatus
  readonly agent_id?: string
  readonly user?: string
  /** RFC 3339: created at or after. */
  readonly since?: string
}

/** An item of the stream of a run. `event` items have the cursor `seq`; the others none. */
export type StreamItem =
  | { readonly type: 'event'; readonly event: RunEvent }
  /** The text that the model has written so far, for a client that joins in the middle. */
  | { readonly type: 'text.snapshot'; readonly attempt: number; readonly text: string }
  | { readonly type: 'text'; readonly attempt: number; readonly text: string }
  /** The last item of every complete stream: a stream without it was interrupted. */
  | { readonly type: 'end'; readonly run: RunView }

/** Every method throws RUN_NOT_FOUND where that applies, also for a run of another organisation. */
export interface Runs {
  /**
   * Plans a run, stores it and queues its first leg in one transaction.
   * @param runId given by the idempotency key of the request, so that a repeated request is the same run
   * @throws AGENT_NOT_FOUND, VERSION_NOT_FOUND, AGENT_NOT_ACTIVE, INPUT_INVALID, BUDGET_EXHAUSTED, SESSION_BUSY,
   * WEBHOOK_NOT_FOUND
   */
  start(agentId: string, request: StartRun, runId?: string): Promise<RunState202>
  /** Waits until the run has ended or waits for a person, at most this long (milliseconds). */
  settled(runId: string, withinMs: number, signal?: AbortSignal): Promise<RunView>
  list(query: RunQuery): Promise<Paged<RunView>>
  read(runId: string): Promise<RunView>
  /** Returns events after a sequence number, in order. */
  events(runId: string, after: number, limit: number): Promise<readonly RunEvent[]>
  /** Follows a run from a sequence number (default 0) until it ends, also across workers. */
  follow(runId: string, after: number, signal: AbortSignal): AsyncIterable<StreamItem>
  pause(runId: string): Promise<RunState202>
  resume(runId: string): Promise<RunState202>
  cancel(runId: string): Promise<RunState202>
  /**
   * Starts the same input again as a new run; a run that was set aside is queued again.
   * @param newRunId given by the idempotency key of the request, so that a repeated request is the same run
   */
  retry(runId: string, newRunId?: string): Promise<RunState202>
  startBatch(
    agentId: string,
    inputs: readonly Json[],
    request: Omit<StartRun, 'input' | 'session' | 'on_busy'>,
    batchId?: string,
  ): Promise<BatchView>
  readBatch(batchId: string, page: PageRequest): Promise<BatchView>
}

export interface BatchView {
  readonly batch_id: string
  readonly agent_id: string
  readonly inputs: number
  readonly done: number
  /** In the order of the inputs. */
  readonly items: readonly (RunView | null)[]
  readonly next: string | null
}

export interface Message {
  readonly input: Json
  readonly on_busy?: OnBusy
  /** A trigger has taken it: its text is untrusted. Not a member of a request. */
  readonly triggered?: true
  /** Members who have caused it, besides the principal. Not a member of a request. */
  readonly causers?: readonly string[]
}

export interface SessionView {
  readonly session: string
  readonly agent_id: string
  readonly user?: string
  /** The run that holds the conversation. */
  readonly run_id: string | null
  readonly status: PlatformStatus | null
  /** Messages that wait for their turn. */
  readonly queued: number
  readonly created_at: string
}

/** Conversations. A session has at most one active run. Throws SESSION_NOT_FOUND where that applies. */
export interface Sessions {
  list(page: PageRequest): Promise<Paged<SessionView>>
  read(session: string): Promise<SessionView>
  /**
   * Creates a session; the same request again returns it.
   * @param request `session`: its name, also of the agent's memory; default: a new one
   * @throws AGENT_NOT_FOUND; SESSION_EXISTS if it belongs to another agent or user
   */
  create(request: {
    readonly agent_id: string
    readonly session?: string
    readonly user?: string
  }): Promise<SessionView>
  /**
   * Sends a message. It never answers an open question.
   * @param messageId given by the idempotency key of the request, so that a repeated request is the same message
   * @throws SESSION_BUSY with `on_busy: reject` while a turn is active
   */
  send(session: string, message: Message, messageId?: string): Promise<SessionView>
}

/** A call that waits for a person. */
export interface ApprovalView {
  readonly id: string
  readonly kind: 'call'
  readonly run_id: string
  readonly call_id: string
  readonly agent_id: string
  readonly agent_name: string
  /** Whom the client says that the run serves. */
  readonly user?: string
  readonly session?: string
  /** The member who started the run. */
  readonly on_behalf_of?: string
  readonly tool: string
  readonly arguments: JsonObject
  /** `sha256:` of the question: run, call, tool, arguments, and which question of the call it is. */
  readonly digest: string
  readonly asks: 'approval' | 'unknown'
  readonly why?: string
  readonly asked_at?: string
  /** The approval policy, or null. Absent: it is not determined yet, which takes a second. */
  readonly policy?: string | null
  /** Present if several people must agree. In the answer to a decision: it was recorded as a vote. */
  readonly votes?: Votes
  /** Why a standing rule that covers the call does not decide it. */
  readonly hint?: string
}

export interface ApprovalQuery extends PageRequest {
  readonly run_id?: string
  readonly agent_id?: string
  readonly user?: string
  readonly tool?: string
}

export interface Approvals {
  list(query: ApprovalQuery): Promise<Paged<ApprovalView>>
  /**
   * @param digest of the question that the person has seen, needed to edit a call; or of the edited arguments that votes
   * are for, to approve them
   * @throws APPROVAL_NOT_FOUND; APPROVAL_DECIDED if another decision was first; APPROVAL_VERDICT_INVALID,
   * APPROVAL_CHANGED, APPROVAL_VOTED_OTHERWISE, ARGUMENTS_REFUSED; STARTER_MAY_NOT_DECIDE; PERSON_REQUIRED for a service account
   */
  decide(
    id: string,
    decision: Omit<PersonsDecision, 'by'> & { readonly digest?: string },
  ): Promise<ApprovalView>
}

export interface OrganisationView {
  readonly organisation: string
  readonly name: string
  readonly created_at: string
}

export interface NewOrganisation {
  readonly organisation: string
  readonly name?: string
  /** Its first member. */
  readonly admin: { readonly user: string; readonly name?: string }
}

/** A token of its first admin, which is shown once. */
export interface CreatedOrganisation extends OrganisationView {
  readonly admin_token: { readonly id: string; readonly token: string; readonly expires_at: string }
}

export interface Organisations {
  list(page: PageRequest): Promise<Paged<OrganisationView>>
  /** @throws ROLE_MISSING for all but admins of the first organisation, ORGANISATION_EXISTS */
  create(request: NewOrganisation): Promise<CreatedOrganisation>
}

export interface NewMember {
  readonly user: string
  /** Default: a person. */
  readonly kind?: PrincipalKind
  readonly name?: string
  readonly roles: readonly Role[]
  /** Replaces the teams that the member belongs to; absent: they stay. */
  readonly teams?: readonly string[]
  /** The address for messages about questions; null: none; absent: it stays. */
  readonly mail?: string | null
}

export interface MemberView {
  readonly user: string
  readonly kind: PrincipalKind
  readonly name: string
  readonly roles: readonly Role[]
  /** Further roles, which the teams of the member have. */
  readonly roles_of_teams?: readonly Role[]
  readonly teams: readonly string[]
  readonly mail?: string
  readonly created_at: string
}

export interface NewTeam {
  readonly team: string
  readonly name?: string
  /** Each member has these roles. */
  readonly roles?: readonly Role[]
  /** Replaces the members; absent: they stay. */
  readonly members?: readonly string[]
}

export interface TeamView {
  readonly team: string
  readonly name: string
  readonly roles: readonly Role[]
  readonly members: readonly string[]
}

/** All changes are audited. @throws ORGANISATION_WITHOUT_ADMIN for a change that would leave no person who is an admin */
export interface People {
  members(page: PageRequest): Promise<Paged<MemberView>>
  /** Adds a member, or replaces one. @throws TEAM_NOT_FOUND */
  setMember(member: NewMember): Promise<MemberView>
  /** Removes a member and revokes its tokens. Its name stays in records. @throws MEMBER_NOT_FOUND */
  removeMember(user: string): Promise<void>
  teams(page: PageRequest): Promise<Paged<TeamView>>
  /** Adds a team, or replaces one. @throws MEMBER_NOT_FOUND */
  setTeam(team: NewTeam): Promise<TeamView>
  /** @throws TEAM_NOT_FOUND */
  removeTeam(team: string): Promise<void>
}

export interface NewToken {
  readonly name?: string
  /** Default: the principal. Only an admin creates tokens of others. */
  readonly user?: string
  /** Default: all that the user has and the creator may give. */
  readonly roles?: readonly Role[]
  /** `AREA:read` or `AREA:write`. Default: those of the creator's token, or all. */
  readonly scopes?: readonly string[]
  /** RFC 3339; null: it does not expire. Default: in 90 days. */
  readonly expires_at?: string | null
}

export interface TokenView {
  readonly id: string
  readonly name: string
  readonly user: string
  /** Of these, those are in force that the user has at the time of a request. */
  readonly roles: readonly Role[]
  /** Null: all that the roles permit. */
  readonly scopes: readonly string[] | null
  readonly created_at: string
  readonly created_by: string
  readonly expires_at: string | null
  /** When it was used last, to the minute. */
  readonly used_at: string | null
}

export interface CreatedToken extends TokenView {
  /** Shown once. */
  readonly token: string
  readonly organisation: string
}

/** The tokens of the organisation, for an admin; those of the principal, for others. */
export interface Tokens {
  /** @param id the same for a repeated request @throws ROLE_MISSING, ROLE_EXCEEDED, MEMBER_NOT_FOUND */
  create(request: NewToken, id?: string): Promise<CreatedToken>
  list(page: PageRequest): Promise<Paged<TokenView>>
  /**
   * In force at once, at every server.
   * @param options.evenLast also the last token of an admin
   * @throws TOKEN_NOT_FOUND, TOKEN_IS_LAST
   */
  revoke(id: string, options?: { readonly evenLast?: boolean }): Promise<void>
}

export type StopKind = 'run' | 'agent' | 'user' | 'organisation'

/** Exactly one of the members but `reason`. */
export interface NewStop {
  readonly run?: string
  /** The `agent_id`, also where it is a sub-agent. */
  readonly agent?: string
  readonly user?: string
  readonly organisation?: string
  readonly reason?: string
}

export interface StopView {
  readonly id: string
  readonly kind: StopKind
  readonly subject: string
  readonly by: string
  readonly reason?: string
  readonly since: string
}

/** A call that was sent and has no answer: a stop does not undo it. */
export interface CallInFlight {
  readonly run_id: string
  readonly call_id: string
  readonly tool: string
  readonly effect: string
}

export interface NewStopView extends StopView {
  /** How many runs were driven. */
  readonly runs: number
  /** The calls in flight of the first 100 of them. */
  readonly in_flight: readonly CallInFlight[]
}

export interface Stops {
  /** Lists the active stops. */
  list(): Promise<{ readonly items: readonly StopView[] }>
  /** Stops all sending within a second; no new runs start until it is lifted. @throws REQUEST_INVALID, RUN_NOT_FOUND */
  stop(request: NewStop): Promise<NewStopView>
  /** @returns how many runs continue @throws STOP_NOT_FOUND */
  lift(id: string): Promise<{ readonly runs: number }>
}

export interface SetSecret {
  /** In the form of an environment variable. */
  readonly name: string
  readonly value: string
  /** `HOST` or `HOST:PORT`: it is sent to no others. */
  readonly hosts: readonly string[]
}

/** A secret without its value, which is never shown. */
export interface SecretView {
  readonly name: string
  readonly hosts: readonly string[]
  readonly set_at: string
  readonly set_by: string
  /** When a run used it last, to the minute. */
  readonly used_at: string | null
}

/** The secrets of an organisation, for its providers and tools. Throws SECRET_NOT_FOUND where that applies. */
export interface TenantSecrets {
  list(page: PageRequest): Promise<Paged<SecretView>>
  read(name: string): Promise<SecretView>
  /** Stores a secret, or replaces its value and hosts. @throws ROLE_MISSING; REQUEST_INVALID for a host */
  set(secret: SetSecret): Promise<SecretView>
  /** @throws ROLE_MISSING */
  remove(name: string): Promise<void>
}

/**
 * What an organisation may spend. All budgets that apply to a run limit it. A budget of kind `user` or `agent` without a
 * subject applies to each user or agent separately. Periods are days and months in UTC.
 */
export interface SpendingBudget {
  readonly kind: 'organisation' | 'user' | 'agent'
  readonly subject?: string
  readonly per: 'day' | 'month'
  readonly tokens?: number
  readonly usd?: number
  readonly calls?: number
}

export interface BudgetView extends SpendingBudget {
  /** What ended runs have used in this period; absent if the budget applies to each subject separately. */
  readonly spent?: { readonly tokens: number; readonly usd: number; readonly calls: number }
  /** RFC 3339 */
  readonly renews_at: string
}

export interface Budgets {
  read(): Promise<readonly BudgetView[]>
  /** Replaces all budgets. Runs that have started keep their limits. */
  replace(budgets: readonly SpendingBudget[]): Promise<readonly BudgetView[]>
}

/** A request that a client may send again with the same `Idempotency-Key`. */
export interface KeyedRequest {
  /** Method and path. */
  readonly operation: string
  readonly key: string
  /** SHA-256 of the body: another body with the same key is refused. */
  readonly bodyHash: string
  /** Whether the answer to the first request no longer counts: then the request is performed again. Default: never. */
  readonly stale?: (answer: StoredAnswer) => Promise<boolean>
}

export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

/** Answers a repeated request with the answer to the first one, also after a restart. */
export interface Requests {
  /**
   * @param act answers the request; gets an id for the resource that it creates, the same one each time
   * @throws IDEMPOTENCY_CONFLICT if the key was used with another body
   */
  once(
    request: KeyedRequest,
    act: (resourceId: string) => Promise<StoredAnswer>,
    signal?: AbortSignal,
  ): Promise<StoredAnswer & { readonly repeated: boolean }>
}

/** Numbers for `/metrics`, of the whole installation. */
export interface PlatformNumbers {
  readonly runs: readonly { readonly phase: string; readonly count: number }[]
  readonly workers: number
  /** Age of the oldest leg that is due and has not begun, in seconds. */
  readonly oldest_due_seconds: number
}
