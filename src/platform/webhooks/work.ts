import type pg from 'pg'
import { messageOf } from '../../document/message-of.ts'
import type { EntryMaker } from '../../trust/audit-chain.ts'
import type { Work, WorkHost } from '../engine/work.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DueDelivery,
  dropUnwanted,
  dueDeliveries,
  type Outcome,
  type RecordParts,
  recordAttempt,
  releaseClaim,
} from './deliveries.ts'
import { type MessageKeys, messageHeaders, type SecretSource } from './sign-message.ts'

export interface SenderOptions {
  readonly keys: MessageKeys
  /** Posts a message through the endpoint gate. Never rejects. */
  readonly post: (
    url: string,
    message: {
      readonly headers: Record<string, string>
      readonly body: string
      readonly signal: AbortSignal
    },
  ) => Promise<Outcome>
  /** Signs the audit entries of deactivated webhooks. */
  readonly nextEntry: EntryMaker
  /** How long an attempt may take, in milliseconds. Default 15 s. */
  readonly timeoutMs?: number
  /** Further time of a claim, to record the outcome of its attempt, in milliseconds. Default 5 s. */
  readonly claimMarginMs?: number
  /** Waits before further attempts, in milliseconds. Default: ten attempts in a day. */
  readonly delaysMs?: readonly number[]
  /** A webhook without success for this long is deactivated, in milliseconds. Default 3 days. */
  readonly deadAfterMs?: number
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DELAYS_MS = [
  SECOND,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
]
const DEAD_AFTER_MS = 72 * HOUR

/** How often deliveries without an active webhook are given up, in milliseconds: this reads all that are due. */
const DROP_MS = 10_000

/** Attempts at a time in one process: in all, of one organisation, and at one receiver, so that a slow one delays no other. */
const MOST = 64
const MOST_OF_ORGANISATION = 16
const MOST_AT_RECEIVER = 4

/** Sends the deliveries that are due. Several processes share the work: each delivery is claimed before it is sent. */
export class WebhookSender implements Work {
  readonly name = 'deliveries'
  readonly due = `coalesce((SELECT due_at FROM waybill.deliveries WHERE state = 'pending'
    ORDER BY due_at LIMIT 1) <= clock_timestamp(), false)`
  readonly #engine: pg.Pool
  readonly #options: SenderOptions
  readonly #record: RecordParts
  readonly #log: (level: 'warn', message: string) => void
  readonly #timeoutMs: number
  readonly #claimMs: number
  readonly #sending = new Map<Promise<void>, DueDelivery>()
  readonly #stopping = new AbortController()
  #looking: Promise<void> | undefined
  #again = false
  #droppedAt = Number.NEGATIVE_INFINITY
  /** Whether the limits may have held deliveries back that are due. */
  #heldBack = false

  constructor({ engine, log }: Pick<WorkHost, 'engine' | 'log'>, options: SenderOptions) {
    const {
      nextEntry,
      timeoutMs = 15_000,
      claimMarginMs = 5000,
      delaysMs = DELAYS_MS,
      deadAfterMs = DEAD_AFTER_MS,
    } = options
    this.#engine = engine
    this.#options = options
    this.#record = { engine, nextEntry, delaysMs, deadAfterMs }
    this.#log = log
    this.#timeoutMs = timeoutMs
    this.#claimMs = timeoutMs + claimMarginMs
  }

  look(isDue: boolean): void {
    if (isDue) this.send()
  }

  /** Begins to send what is due. Returns at once. */
  send(): void {
    if (this.#stopping.signal.aborted) return
    this.#again = true
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
  }

  /** Interrupts the attempts under way and gives their claims back, so that other workers repeat them. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#looking
    await Promise.all(this.#sending.keys())
  }

  async #look(): Promise<void> {
    try {
      if (performance.now() - this.#droppedAt > DROP_MS) {
        await dropUnwanted(this.#engine)
        this.#droppedAt = performance.now()
      }
      while (this.#again && !this.#stopping.signal.aborted) {
        this.#again = false
        const full = this.#full()
        const due = await dueDeliveries(this.#engine, full)
        const wanted = this.#withinLimits(due)
        this.#heldBack = wanted.length < due.length || full.receivers.length + full.organisations.length > 0
        if (wanted.length === 0) continue
        const claimed = await claimDeliveries(this.#engine, wanted, this.#claimMs)
        for (const delivery of claimed) this.#begin(delivery)
        // There may be more than one search returns.
        if (claimed.length > 0) this.#again = true
      }
    } catch (error) {
      this.#log('warn', `webhooks are delayed: ${messageOf(error)}`)
    }
  }

  #begin(delivery: ClaimedDelivery): void {
    const attempt = this.#attempt(delivery)
      .catch((error) => this.#log('warn', `the outcome of a delivery was not recorded: ${messageOf(error)}`))
      .finally(() => {
        this.#sending.delete(attempt)
        if (this.#heldBack) this.send()
      })
    this.#sending.set(attempt, delivery)
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    const outcome = await this.#post(delivery)
    if (this.#stopping.signal.aborted && 'error' in outcome) return releaseClaim(this.#engine, delivery)
    const why = await recordAttempt(this.#record, delivery, outcome)
    const { org, webhook } = delivery
    if (why !== undefined) this.#log('warn', `webhook ${webhook} of ${org} is deactivated: ${why}`)
  }

  async #post(delivery: ClaimedDelivery): Promise<Outcome> {
    const { id, body, url, signature } = delivery
    let headers: Record<string, string>
    try {
      const message = { id, body, signature, secrets: secretsOf(delivery) }
      headers = messageHeaders(this.#options.keys, message, new Date())
    } catch (error) {
      this.#log('warn', `a webhook cannot be signed: ${messageOf(error)}`)
      return { error: 'KEY_MISSING' }
    }
    const signal = AbortSignal.any([AbortSignal.timeout(this.#timeoutMs), this.#stopping.signal])
    return this.#options.post(url, { headers, body, signal })
  }

  /** Returns the receivers and organisations to which nothing more may be sent at this moment. */
  #full(): { readonly receivers: readonly string[]; readonly organisations: readonly string[] } {
    const { receivers, organisations } = this.#counts()
    return {
      receivers: [...receivers].filter(([, n]) => n >= MOST_AT_RECEIVER).map(([name]) => name),
      organisations: [...organisations].filter(([, n]) => n >= MOST_OF_ORGANISATION).map(([name]) => name),
    }
  }

  #withinLimits(due: readonly DueDelivery[]): readonly DueDelivery[] {
    const { receivers, organisations } = this.#counts()
    let free = MOST - this.#sending.size
    return due.filter(({ org, receiver }) => {
      const atReceiver = receivers.get(receiver) ?? 0
      const ofOrganisation = organisations.get(org) ?? 0
      if (free <= 0 || atReceiver >= MOST_AT_RECEIVER || ofOrganisation >= MOST_OF_ORGANISATION) return false
      free--
      receivers.set(receiver, atReceiver + 1)
      organisations.set(org, ofOrganisation + 1)
      return true
    })
  }

  #counts(): { readonly receivers: Map<string, number>; readonly organisations: Map<string, number> } {
    const receivers = new Map<string, number>()
    const organisations = new Map<string, number>()
    for (const { org, receiver } of this.#sending.values()) {
      receivers.set(receiver, (receivers.get(receiver) ?? 0) + 1)
      organisations.set(org, (organisations.get(org) ?? 0) + 1)
    }
    return { receivers, organisations }
  }
}

function secretsOf({ org, webhook, salt, key, old_salt, old_key }: ClaimedDelivery): readonly SecretSource[] {
  return [
    ...(salt === null || key === null ? [] : [{ org, webhook, salt, key }]),
    ...(old_salt === null || old_key === null ? [] : [{ org, webhook, salt: old_salt, key: old_key }]),
  ]
}
