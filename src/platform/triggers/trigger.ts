import type { StructuredCondition } from '../../condition/index.ts'
import type { Json } from '../../document/json.ts'
import type { Page, PageOf } from '../../run/record/records.ts'

export const TRIGGER_KINDS = ['schedule', 'webhook', 'message', 'event', 'agent_handoff'] as const
export type TriggerKind = (typeof TRIGGER_KINDS)[number]

/** What happens to a firing while a run of an earlier firing of the same trigger is active. */
export const OVERLAPS = ['queue', 'skip', 'cancel_previous', 'allow'] as const
export type Overlap = (typeof OVERLAPS)[number]

/** What happens to slots that passed while no worker ran. */
export const MISSED = ['latest', 'all', 'skip'] as const
export type Missed = (typeof MISSED)[number]

/** `standard`: Standard Webhooks. `github`: the headers of GitHub. */
export const HOOK_FORMATS = ['standard', 'github'] as const
export type HookFormat = (typeof HOOK_FORMATS)[number]

export const END_STATUSES = ['completed', 'failed', 'refused', 'cancelled'] as const

/** The settings of all kinds; each kind has some of them. */
export interface TriggerSettings {
  /** A condition for the payload; the trigger starts a run only if it is true. */
  readonly filter?: StructuredCondition
  /** Default: `queue` for a schedule, `allow` for a webhook or an event. */
  readonly overlap?: Overlap
  /** schedule: a cron expression. */
  readonly schedule?: string
  /** schedule: an IANA time zone; default `UTC`. */
  readonly timezone?: string
  /** schedule: default `latest`. */
  readonly missed?: Missed
  /** schedule: slots older than this are never caught up on; default a day. */
  readonly catch_up_seconds?: number
  /** schedule: the input of its runs, instead of the payload. */
  readonly input?: Json
  /** webhook: default `standard`. */
  readonly format?: HookFormat
  /** webhook: names of headers that become part of the payload. */
  readonly headers?: readonly string[]
  /** webhook: the types of events that start runs; default: all. */
  readonly events?: readonly string[]
  /** event: default `run.ended`. */
  readonly event?: string
  /** event, agent_handoff: only of this agent. */
  readonly of_agent?: string
  /** event: the statuses of ended runs; default: all. */
  readonly statuses?: readonly (typeof END_STATUSES)[number][]
}

export interface TriggerChange extends TriggerSettings {
  /** Default: true. */
  readonly enabled?: boolean
}

export interface NewTrigger extends TriggerChange {
  readonly agent_id: string
  readonly kind: TriggerKind
}

export const FIRING_STATES = [
  'pending',
  'queued',
  'started',
  'skipped',
  'missed',
  'refused',
  'failed',
] as const
export type FiringState = (typeof FIRING_STATES)[number]

export interface TriggerView extends TriggerSettings {
  readonly id: string
  readonly agent_id: string
  readonly kind: TriggerKind
  readonly source: 'definition' | 'api'
  readonly state: 'enabled' | 'disabled'
  /** Why it is disabled. */
  readonly why: string | null
  /** The member on whose behalf its runs are started. */
  readonly on_behalf_of: string
  readonly next_at: string | null
  /** webhook: the path that messages are posted to. */
  readonly path?: string
  readonly last: Pick<FiringView, 'slot' | 'state' | 'run_id' | 'at'> | null
  readonly created_at: string
  readonly created_by: string
}

export interface TriggerWithSecret extends TriggerView {
  /** webhook: shown once. */
  readonly secret?: string
}

export interface FiringView {
  /** Unique in its trigger: the nominal time of a schedule, or the id of a message. */
  readonly slot: string
  readonly state: FiringState
  readonly why: string | null
  readonly run_id: string | null
  /** The version of the agent, resolved when the run was started. */
  readonly version: string | null
  readonly on_behalf_of: string | null
  /** How many events of other runs led to it. */
  readonly depth: number
  readonly at: string
}

export interface TriggerMessage {
  readonly from: string
  readonly text?: string
  readonly data?: Json
  /** The same for a message that is sent again. */
  readonly id?: string
}

/** The triggers of an organisation. Changes are audited. Methods throw TRIGGER_NOT_FOUND where that applies. */
export interface Triggers {
  list(page: Page & { readonly agent_id?: string }): Promise<PageOf<TriggerView>>
  read(id: string): Promise<TriggerView>
  /** @param id the same for a repeated request @throws AGENT_NOT_FOUND, TRIGGER_INVALID, TRIGGER_LIMIT */
  create(request: NewTrigger, id?: string): Promise<TriggerWithSecret>
  /** Replaces the settings of a trigger of the API; of a declared one, enables or disables it. @throws TRIGGER_INVALID, TRIGGER_DECLARED */
  change(id: string, request: TriggerChange): Promise<TriggerView>
  /** @throws TRIGGER_DECLARED */
  remove(id: string): Promise<void>
  /** Lists firings, newest first. */
  firings(id: string, page: Page): Promise<PageOf<FiringView>>
  /** Fires it now. @param slot the same for a repeated request @throws TRIGGER_DISABLED */
  fire(id: string, payload?: Json, slot?: string): Promise<FiringView>
  /** Makes a new secret. @param oldValidSeconds how long the old one is accepted too @throws TRIGGER_INVALID if it is not a webhook */
  renewSecret(id: string, oldValidSeconds: number): Promise<TriggerWithSecret>
  /** Takes a message for the session of its sender. @throws TRIGGER_INVALID if it takes no messages, TRIGGER_DISABLED */
  message(id: string, message: TriggerMessage): Promise<FiringView>
}

/** A message that was posted to the public path of a trigger. */
export interface HookMessage {
  readonly hook: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly bytes: Uint8Array
}

/** Messages from outside, which prove themselves by a signature. */
export interface Hooks {
  /**
   * Fires the trigger of a signed message, once for each message id.
   * @returns whether the message was known, and what became of it
   * @throws HOOK_REFUSED: the same error for an unknown hook and for a wrong signature; BODY_UNREADABLE
   */
  receive(message: HookMessage): Promise<{ readonly repeated: boolean; readonly firing: FiringView }>
}
