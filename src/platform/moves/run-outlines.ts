import { foldEvents } from '../../run/record/fold-events.ts'
import type { Cut } from '../../run/record/outline-fold.ts'
import type { StoredRun } from '../../run/record/records.ts'
import type { StateMessage } from '../../spec/aaif/generated/state.ts'
import type { CapturedMessages } from '../../state/capture-messages.ts'
import { ConversationOutline, conversationOf } from '../../state/conversation-outline.ts'
import type { RecordedWrites } from '../../state/recorded-writes.ts'
import type { SentOutline } from '../../state/sent-outline.ts'
import type { PostgresRecords } from '../records/open-postgres-records.ts'

/** A run whose conversation stays in its record. */
export interface RunOutline {
  readonly run: StoredRun
  readonly messages: CapturedMessages
  readonly recorded: RecordedWrites
  readonly sent: SentOutline
  readonly cuts: readonly Cut[]
  /** The results of the open round, which follow the conversation. */
  readonly open: readonly StateMessage[]
  /** Who has paused it last. */
  readonly pausedBy: string | undefined
}

/** Outlines that are kept for the next step of a move. */
const MOST = 16

/**
 * Reads runs without keeping the texts of their conversations. An outline is kept until the move ends: its next step reads
 * only the events that are new.
 */
export class RunOutlines {
  readonly #recordsOf: (org: string) => Pick<PostgresRecords, 'runs'>
  readonly #kept = new Map<string, { readonly header: string; readonly outline: ConversationOutline }>()

  constructor(recordsOf: (org: string) => Pick<PostgresRecords, 'runs'>) {
    this.#recordsOf = recordsOf
  }

  /** @throws RUN_NOT_FOUND, RECORD_DAMAGED, RECORD_NEWER */
  async of(org: string, runId: string): Promise<RunOutline> {
    const { runs } = this.#recordsOf(org)
    const frame = await runs.frame(runId)
    const header = JSON.stringify(frame.header)
    const key = JSON.stringify([org, runId])
    const known = this.#kept.get(key)
    // While it grows, another caller begins its own one.
    this.#kept.delete(key)
    const outline = known?.header === header ? known.outline : new ConversationOutline(frame.header)
    await foldEvents(runs, runId, (event) => outline.add(event), outline.state.seq)
    this.#kept.set(key, { header, outline })
    if (this.#kept.size > MOST) this.#kept.delete(this.#kept.keys().next().value ?? '')
    const { state, captured: messages, recorded, sent, cuts, paused, openResults: open } = outline
    return { run: { ...frame, state }, messages, recorded, sent, cuts: [...cuts], open, pausedBy: paused?.by }
  }

  /** Yields the conversation of a run that is frozen, part by part. */
  conversation(org: string, { run, cuts, sent, open }: RunOutline): AsyncGenerator<readonly StateMessage[]> {
    const { header } = run
    const events = this.#recordsOf(org).runs.parts(header.run_id)
    return conversationOf(header, events, cuts, sent.tokens, open)
  }

  forget(org: string, runId: string): void {
    this.#kept.delete(JSON.stringify([org, runId]))
  }
}
