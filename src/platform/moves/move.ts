import type { Json, JsonObject } from '../../document/json.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import type { FidelityReport } from '../../state/fidelity.ts'
import type { TokenProfile } from '../../trust/token-profile.ts'

/** Which user here a user of another platform is, by the name there. Null: users have the same names. */
export type PeerUsers = Readonly<Record<string, string>> | null

/** Another platform, as an admin pins it. */
export interface NewPeer {
  readonly name: string
  /** The https URL under which it is reached. Absent: a machine without a server. */
  readonly url?: string
  /** The organisation there; default: the name of the own one. */
  readonly organisation?: string
  /** The public keys that sign its tokens, as a JSON Web Key Set. */
  readonly keys: JsonObject
  /** Default: none, so only runs without a user are taken. */
  readonly users?: PeerUsers
  /** A token of the other platform with the role operator; to send definitions, also author. Absent: it only receives from it. */
  readonly token?: string
  /**
   * Values of personal data are sent there with runs, sealed for the last one of its keys, if `pii_handling` keeps them.
   * Default: none are.
   */
  readonly personal_data?: boolean
  /** What its tokens must carry. Default `full`; `draft` for a platform that is not Waybill. */
  readonly profile?: TokenProfile
  /** Names that its states say they come from, such as `LangGraph`. Default: none, only its place. */
  readonly source_platforms?: readonly string[]
}

export interface PeerView {
  readonly name: string
  /** Null: a machine without a server, which fetches runs itself. */
  readonly url: string | null
  /** Null: a machine without a server. */
  readonly organisation: string | null
  /** Thumbprints of its keys. */
  readonly keys: readonly string[]
  readonly users: PeerUsers
  readonly has_token: boolean
  readonly personal_data: boolean
  readonly profile: TokenProfile
  readonly source_platforms: readonly string[]
  readonly created_at: string
  readonly created_by: string
}

export interface Peers {
  list(): Promise<{ readonly items: readonly PeerView[] }>
  /** Pins a platform, or replaces it. @throws PEER_INVALID, PEER_LIMIT */
  set(peer: NewPeer): Promise<PeerView>
  /** @throws PEER_NOT_FOUND */
  remove(name: string): Promise<void>
  /** Returns what others pin this organisation with. @throws PUBLIC_URL_MISSING */
  self(): Promise<PeerSelf>
  /**
   * Pins the machine of a member, without replacing anything. Its users are this member only.
   * @throws PEER_INVALID, PEER_LIMIT, ENROLMENT_OFF
   */
  enrol(machine: Enrolment): Promise<PeerView>
  /** Makes an invitation with which another platform pins itself once. @throws PEER_INVALID, PUBLIC_URL_MISSING */
  invite(invite: NewInvite, id?: string): Promise<PeerInvite>
  /**
   * Pins the platform that has got an invitation, which is used up, without replacing anything.
   * @returns also the token with which it hands runs over
   * @throws PEER_INVITE_REFUSED, PEER_INVALID, PEER_LIMIT
   */
  join(platform: JoiningPeer): Promise<{ readonly peer: PeerView; readonly token: string }>
}

/** This organisation, as others pin it. */
export interface PeerSelf {
  readonly url: string
  readonly organisation: string
  readonly keys: JsonObject
}

/** A machine without a server that a member logs in from. */
export interface Enrolment {
  readonly keys: JsonObject
  /** Names of the user of the machine, which are this member here. */
  readonly users: readonly string[]
  /** Shows that the machine has the private key; see `verifyEnrolmentProof`. */
  readonly proof: string
}

export interface NewInvite {
  /** The name of the other platform here. */
  readonly name: string
  readonly users?: PeerUsers
  /** Default: 24. */
  readonly hours?: number
}

export interface PeerInvite extends PeerSelf {
  readonly name: string
  /** A token that pins one platform, once. It is shown once. */
  readonly token: string
  /** RFC 3339 */
  readonly expires_at: string
}

/** A platform that has got an invitation. */
export type JoiningPeer = PeerSelf

export interface NewMove {
  /** The name of a pinned platform. */
  readonly to: string
  readonly method?: MoveMethod
  /** With `stream`: over a WebSocket. The other platform must offer it. */
  readonly wss?: boolean
  /** Nothing is changed: the answer says what would be. */
  readonly dry_run?: boolean
  /** Refuse a move that would lose a part of the run. */
  readonly fail_on_loss?: boolean
  /** The peer is a machine without a server, and fetches the state. It checks what would be lost. */
  readonly pull?: boolean
}

/** `document`: the state in one request. `stream`: as a stream of messages (AAIF §8.3). */
export type MoveMethod = 'document' | 'stream'

/** What a move has done or would do. */
export interface MoveView {
  readonly run_id: string
  readonly state: 'would_move' | 'moving' | 'moved' | 'kept'
  /** The organisation that owns the run, as the URL of its place. */
  readonly owner: string
  readonly jti?: string
  readonly target_run_id?: string
  readonly state_id?: string
  readonly checksum?: string
  /** Why the run was kept. */
  readonly why?: string
  readonly code?: string
  /** What the other platform keeps and loses. */
  readonly report?: FidelityReport
  /** Of a dry run. False: the other platform has not read the state, so the report says nothing about it. */
  readonly examined?: boolean
  /** Of a dry run: whether the move would send the definition first. */
  readonly sends_definition?: boolean
  /** How the capabilities of the other platform compare with what the agent needs. */
  readonly negotiation?: Json
}

/** What is known of a token, issued here or used here. */
export interface MigrationView {
  /** `pending`: under way. `owned_here`: imported. `moved`: the run was given away. `refused`: not imported, and never will be. */
  readonly state: 'pending' | 'owned_here' | 'moved' | 'refused'
  readonly owner: string | null
  readonly run_id: string | null
  /** The organisation that answers, as the URL of its place: only the receiver that a token names decides about it. */
  readonly place: string | null
  /** Of a run that was given away: the receiver has reported that it does not know the run any more. */
  readonly receiver?: 'unknown'
  /** What to do then. */
  readonly hint?: string
}

/** A page of the runs that the asking organisation has moved here. */
export interface ArrivalsQuestion {
  /** Signed by the organisation that asks; see `verifyArrivalsQuestion`. */
  readonly question: string
  /** `next` of the page before. */
  readonly after?: string
}

export interface ArrivalsPage {
  readonly items: readonly { readonly run_id: string; readonly migration_token: string }[]
  readonly next: string | null
}

export interface ReceivedState {
  readonly run_id: string
  readonly status: string
  readonly owner: string
  readonly report: FidelityReport
}

/** The state of a sub-agent, which waits for that of its caller. */
export interface KeptState {
  readonly state_id: string
  readonly status: 'kept'
  readonly kept_until: string
}

export interface ReceiveOptions {
  /** Everything is verified, and nothing is stored. */
  readonly dryRun?: boolean
  readonly failOnLoss?: boolean
  /** Whether the run continues at once. Default: unless the state or its token says that it was paused. */
  readonly resumes?: boolean
  /**
   * Whether the state is that of a sub-agent, which is kept until that of its caller arrives. Default: as the state says, or
   * whether its agent is a sub-agent here.
   */
  readonly subagent?: boolean
}

export interface Moves {
  /** Captures a run. A later restore is a fork, because the run continues here. @throws RUN_NOT_FOUND */
  state(runId: string): Promise<AgentState>
  /** Returns the signed receipts of the writes of a run and of its sub-agents, on all hosts so far, as NDJSON. @throws RUN_NOT_FOUND */
  receipts(runId: string): Promise<string>
  /** Moves a run of this organisation. Waits some seconds for its end. @throws RUN_NOT_FOUND, PEER_NOT_FOUND, RUN_ENDED, RUN_MOVED; MOVE_REFUSED, STATE_LOSS */
  start(runId: string, request: NewMove): Promise<MoveView>
  /**
   * Takes back a run that was given away to a platform which does not know it any more. It asks before a write that must
   * not be repeated. @throws MOVE_REFUSED if it has not moved away, RUN_MOVED while the other platform owns it, PEER_UNREACHABLE
   */
  takeBack(runId: string): Promise<MoveView>
  /**
   * Gives a run away whose state was written for a platform that reports nothing by itself: a person says that it runs there.
   * @param targetRunId its id there, if it is known
   * @throws MOVE_REFUSED, MOVE_NOT_READY
   */
  confirm(runId: string, targetRunId?: string): Promise<MoveView>
  /** @throws MOVE_NOT_FOUND */
  read(jti: string): Promise<MigrationView>
  /**
   * Returns the state of a run that a machine without a server fetches. From then on only that machine decides who owns the
   * run. May be repeated.
   * @throws MOVE_NOT_FOUND, MOVE_NOT_READY, MOVE_WITHDRAWN
   */
  fetch(jti: string): Promise<AgentState>
  /** Takes the decision of such a machine, which it has signed. @throws MOVE_NOT_FOUND, MOVE_REPORT_INVALID */
  report(jti: string, statement: string): Promise<MigrationView>
  /** Returns which runs of the asking organisation are owned here, with its tokens. @throws PEER_INVALID, PUBLIC_URL_MISSING */
  arrivals(question: ArrivalsQuestion): Promise<ArrivalsPage>
  /** Makes sure that a token cannot be used any more; one that was used stays used. */
  withdraw(jti: string): Promise<MigrationView>
  /**
   * Continues an Agent State: with a token, as the owner of the run; without one, as a fork.
   * @throws STATE_CHECKSUM_MISMATCH, STATE_TOKEN_INVALID and others of tokens; AGENT_NOT_FOUND; STATE_USER_UNKNOWN; STATE_NOT_RESUMABLE
   */
  receive(document: AgentState, options?: ReceiveOptions): Promise<ReceivedState | KeptState>
  /**
   * Continues the state that a streaming handoff brings (AAIF §8.3). The token is verified before any later line is read.
   * @throws HANDOFF_FAILED, STATE_CHECKSUM_MISMATCH, and as `receive`; then everything was discarded
   */
  receiveStream(
    input: AsyncIterable<Uint8Array>,
    options?: Omit<ReceiveOptions, 'dryRun'>,
  ): Promise<ReceivedState | KeptState>
}
