import type { JsonObject } from '../../document/json.ts'
import type { Page, PageOf } from '../../run/record/records.ts'

/** The changes that receivers can be notified of. */
export const WEBHOOK_EVENTS = [
  'run.ended',
  'run.waiting',
  'run.paused',
  'run.resumed',
  'run.set_aside',
  'question.opened',
  'question.closed',
  'question.reminded',
  'question.escalated',
  'question.expired',
] as const

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** `v1`: HMAC with a secret of the webhook. `v1a`: Ed25519 with the key of the installation. */
export type WebhookSignature = 'v1' | 'v1a'

export interface NewWebhook {
  readonly url: string
  /** Default: all. */
  readonly events?: readonly WebhookEvent[]
  /** Only runs of this agent. */
  readonly agent_id?: string
  /** `named`: only runs that name the webhook when they are started. Default: all. */
  readonly runs?: 'all' | 'named'
  /** Default: `v1`. */
  readonly signature?: WebhookSignature
}

export interface WebhookChange extends NewWebhook {
  /** Default: true. */
  readonly active?: boolean
  /** Makes a new secret. The old one signs too, for a day. */
  readonly new_secret?: boolean
}

export interface WebhookView extends Required<Omit<NewWebhook, 'agent_id'>> {
  readonly id: string
  readonly agent_id: string | null
  readonly state: 'active' | 'deactivated'
  /** Why it is deactivated. */
  readonly why: string | null
  readonly deactivated_at: string | null
  /** Deliveries that succeeded, and that were given up. */
  readonly delivered: number
  readonly failed: number
  /** Attempts that have failed since the last success. */
  readonly failures: number
  readonly failing_since: string | null
  readonly delivered_at: string | null
  readonly created_at: string
  readonly created_by: string
}

/** A webhook with its new secret, which is shown once. */
export interface WebhookWithSecret extends WebhookView {
  readonly secret?: string
}

export interface DeliveryView {
  /** The header `webhook-id` of each attempt. */
  readonly id: string
  readonly type: string
  readonly run_id: string | null
  readonly state: 'pending' | 'delivered' | 'failed'
  readonly attempts: number
  readonly created_at: string
  readonly attempted_at: string | null
  /** When it is sent next; null if it will not be. */
  readonly next_at: string | null
  /** The HTTP status of the last answer. */
  readonly status: number | null
  /** A code that says why the last attempt failed. */
  readonly error: string | null
}

/** The webhooks of an organisation. Changes are audited. Methods throw WEBHOOK_NOT_FOUND where that applies. */
export interface Webhooks {
  list(page: Page): Promise<PageOf<WebhookView>>
  read(id: string): Promise<WebhookView>
  /**
   * @param id the same for a repeated request
   * @throws WEBHOOK_LIMIT; ENDPOINT_NOT_GRANTED and other codes of the endpoint gate
   */
  create(request: NewWebhook, id?: string): Promise<WebhookWithSecret>
  /** Replaces its settings. @throws the codes of the endpoint gate */
  change(id: string, request: WebhookChange): Promise<WebhookWithSecret>
  /** Removes it with its deliveries. */
  remove(id: string): Promise<void>
  /** Lists deliveries, newest first. */
  deliveries(id: string, page: Page): Promise<PageOf<DeliveryView>>
  /** Sends a delivery again, with the same id and body. @throws DELIVERY_NOT_FOUND, WEBHOOK_INACTIVE */
  replay(id: string, delivery: string): Promise<DeliveryView>
  /** Sends an event of the type `webhook.test`. @param key the same for a repeated request @throws WEBHOOK_INACTIVE */
  test(id: string, key?: string): Promise<DeliveryView>
}

/** The keys of the installation for messages to receivers. They are files: the database contains none of them. */
export interface MessageKeys {
  /** Returns the thumbprint of the key that is used now. @throws AUDIT_KEY_WRONG */
  current(): string
  /** Signs with Ed25519 and the current key. @throws AUDIT_KEY_WRONG */
  sign(message: Uint8Array): Buffer
  /**
   * Derives a secret of 32 bytes from a private key.
   * @param key its thumbprint
   * @throws AUDIT_KEY_WRONG if this machine does not have the key
   */
  secret(key: string, salt: string, purpose: string): Buffer
  /** Returns the public keys that verify signatures, as a JSON Web Key Set. */
  jwks(): JsonObject
}
