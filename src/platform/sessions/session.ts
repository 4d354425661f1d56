import type { Json } from '../../document/json.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import type { OnBusy } from '../engine/next-facts.ts'
import type { PlatformStatus } from '../records/run-view.ts'

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
  list(page: Page): Promise<PageOf<SessionView>>
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
