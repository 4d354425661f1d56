import { createHash } from 'node:crypto'
import type pg from 'pg'
import { messageOf } from '../../document/message-of.ts'
import {
  type ClaimedMail,
  claimMails,
  type MailFailure,
  mailFailed,
  mailReleased,
  mailSent,
} from './claim-mails.ts'

/** A mail to one receiver. */
export interface Mail {
  /** The same for each attempt; letters, digits and `-`. */
  readonly id: string
  readonly to: string
  /** One line. */
  readonly subject: string
  readonly text: string
}

/** Sends a mail. Never rejects. @returns why it was not accepted; undefined if it was */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<MailFailure | undefined>

export interface MailSenderOptions {
  readonly send: SendMail
  /** How long an attempt may take, in milliseconds. Default 30 s. */
  readonly timeoutMs?: number
  /** Waits before further attempts, in milliseconds. Default: ten attempts in a day. */
  readonly delaysMs?: readonly number[]
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DELAYS_MS = [
  10 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
]

/** Mails at a time in one process. */
const MOST = 8

/** Further time of a claim, to record the outcome of its attempt, in milliseconds. */
const CLAIM_MARGIN_MS = 10_000

/** Sends the mails that are due. Several processes share the work: each mail is claimed before it is sent. */
export class MailSender {
  readonly #engine: pg.Pool
  readonly #options: Required<MailSenderOptions>
  readonly #log: (level: 'warn', message: string) => void
  readonly #sending = new Set<Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(
    engine: pg.Pool,
    { send, timeoutMs = 30_000, delaysMs = DELAYS_MS }: MailSenderOptions,
    log: (level: 'warn', message: string) => void,
  ) {
    this.#engine = engine
    this.#options = { send, timeoutMs, delaysMs }
    this.#log = log
  }

  /** Begins to send what is due, as far as there are free places. */
  async begin(): Promise<void> {
    const free = MOST - this.#sending.size
    if (free <= 0 || this.#stopping.signal.aborted) return
    const claimed = await claimMails(this.#engine, free, this.#options.timeoutMs + CLAIM_MARGIN_MS)
    for (const mail of claimed) {
      const attempt = this.#attempt(mail)
        .catch((error) => this.#log('warn', `the outcome of a mail was not recorded: ${messageOf(error)}`))
        .finally(() => this.#sending.delete(attempt))
      this.#sending.add(attempt)
    }
  }

  /** Interrupts the attempts under way and gives their claims back, so that other workers repeat them. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#sending)
  }

  async #attempt(mail: ClaimedMail): Promise<void> {
    const { send, timeoutMs, delaysMs } = this.#options
    const { recipient: to, subject, body: text, attempts } = mail
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#stopping.signal])
    const failure = await send({ id: idOf(mail), to, subject, text }, signal)
    if (failure === undefined) return mailSent(this.#engine, mail)
    if (this.#stopping.signal.aborted) return mailReleased(this.#engine, mail)
    const waitMs = failure.final ? undefined : delaysMs[attempts - 1]
    await mailFailed(this.#engine, mail, failure.error, waitMs)
    if (waitMs === undefined) this.#log('warn', `a mail about a question was given up: ${failure.error}`)
  }
}

function idOf({ org, question, slot, recipient }: ClaimedMail): string {
  const names = JSON.stringify([org, question, slot, recipient])
  return `waybill-${createHash('sha256').update(names).digest('hex').slice(0, 32)}`
}
