import { WaybillError } from '../../document/issue.ts'
import { messageOf } from '../../document/message-of.ts'
import type { EntryMaker } from '../../trust/audit-chain.ts'
import type { Work, WorkHost } from '../engine/work.ts'
import { type DueParts, dueQuestions, performDue, retryLater } from './due-questions.ts'
import { MailSender, type MailSenderOptions } from './mail-sender.ts'
import { changedRuns, postponeRun, syncQuestions } from './sync-questions.ts'

export interface InboxOptions {
  /** Signs the audit entries of questions that have expired. */
  readonly nextEntry: EntryMaker
  /** Absent: no mail server is configured, and mails wait until another worker sends them. */
  readonly mail?: MailSenderOptions | undefined
  /** The URL of the platform, for links in messages. */
  readonly publicUrl?: string | undefined
}

/** Does what a worker does for the inbox: rows of new questions, reminders, escalations, ends, and mails. */
export class InboxWorker implements Work {
  readonly name = 'inbox'
  readonly due = `(EXISTS (SELECT 1 FROM waybill.changed_questions)
    OR coalesce((SELECT due_at FROM waybill.questions WHERE due_at IS NOT NULL
      ORDER BY due_at LIMIT 1) <= clock_timestamp(), false)
    OR coalesce((SELECT due_at FROM waybill.mails WHERE state = 'pending'
      ORDER BY due_at LIMIT 1) <= clock_timestamp(), false))`
  readonly #parts: DueParts
  readonly #mails: MailSender | undefined
  readonly #log: (level: 'warn', message: string) => void
  #looking: Promise<void> | undefined
  #isStopped = false

  constructor({ engine, recordsOf, log }: WorkHost, { nextEntry, mail, publicUrl }: InboxOptions) {
    this.#parts = { engine, nextEntry, publicUrl, recordsOf }
    this.#mails = mail && new MailSender(engine, mail, log)
    this.#log = log
  }

  look(isDue: boolean): void {
    if (this.#isStopped || !isDue) return
    this.#looking ??= this.#perform().finally(() => {
      this.#looking = undefined
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#mails?.stop()
    await this.#looking
    await this.#mails?.stop()
  }

  async #perform(): Promise<void> {
    const { engine } = this.#parts
    try {
      for (const { org, run_id } of await changedRuns(engine)) await this.#sync(org, run_id)
      for (const due of await dueQuestions(engine)) await this.#act(due.org, due.id)
      await this.#mails?.begin()
    } catch (error) {
      this.#log('warn', `the inbox is delayed: ${messageOf(error)}`)
    }
  }

  async #sync(org: string, runId: string): Promise<void> {
    if (this.#isStopped) return
    const { engine, recordsOf, publicUrl } = this.#parts
    try {
      await syncQuestions({ pool: engine, org, records: recordsOf(org), publicUrl }, runId)
    } catch (error) {
      const isDamaged = error instanceof WaybillError && UNREADABLE.has(error.code)
      await postponeRun(engine, org, runId, { forever: isDamaged })
      this.#log('warn', `the questions of run ${runId} of ${org} cannot be read: ${messageOf(error)}`)
    }
  }

  async #act(org: string, id: string): Promise<void> {
    if (this.#isStopped) return
    try {
      await performDue(this.#parts, { org, id })
    } catch (error) {
      await retryLater(this.#parts.engine, { org, id })
      this.#log('warn', `what is due for a question of ${org} was not done: ${messageOf(error)}`)
    }
  }
}

const UNREADABLE: ReadonlySet<string> = new Set(['RECORD_DAMAGED', 'RECORD_NEWER', 'RUN_NOT_FOUND'])
