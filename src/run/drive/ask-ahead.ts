import type { Plan } from '../../plan/plan.ts'
import type { Step } from '../advance.ts'
import type { DriveOptions } from './drive-ports.ts'

/**
 * Returns whether the effects of these steps may begin while their events are on the way to the record: they are the
 * answers of calls, and lead to a question to a model only. A question changes nothing outside, its answer waits for
 * the record of the question, and no call follows from it before both are on record. Audited events come first.
 */
export function asksAhead(steps: readonly Step[], plan: Plan): boolean {
  return (
    !plan.audit &&
    steps.length > 0 &&
    steps.every(
      ({ event, effects }) =>
        (event.fact.type === 'call.answered' || event.fact.type === 'call.failed') &&
        event.decision.end === undefined &&
        effects.every(({ type }) => type === 'model'),
    )
  )
}

/**
 * Shows events and text to the receivers of a drive, in the order of the record and only when events are on record: a
 * crash could still undo others. The text of a question that was asked ahead waits for the events before it.
 */
export class Shown {
  readonly onText: DriveOptions['onText']
  readonly #options: Pick<DriveOptions, 'onEvent' | 'onText' | 'signal'>
  readonly #text: string[] = []
  /** Batches of events that are on their way to the record, and will be shown by themselves. */
  #waiting = 0
  #shown: Promise<void> | undefined

  constructor(options: Pick<DriveOptions, 'onEvent' | 'onText' | 'signal'>) {
    this.#options = options
    this.onText = options.onText && ((delta) => this.#addText(delta))
  }

  now(steps: readonly Step[]): void {
    for (const { event, state } of steps) this.#options.onEvent?.(event, state)
  }

  /** Shows events when they are on record; until then, text waits. @throws the failure of the append */
  later(steps: readonly Step[], recorded: Promise<void>): Promise<void> {
    this.#waiting++
    this.#shown = this.inTurn(recorded).then(() => {
      this.#waiting--
      if (this.#options.signal?.aborted === true) return
      this.now(steps)
      if (this.#waiting === 0) for (const delta of this.#text.splice(0)) this.#options.onText?.(delta)
    })
    return this.#shown
  }

  /** Waits for an append and those before it: their failure is the cause of its own. */
  async inTurn(recorded: Promise<void>): Promise<void> {
    recorded.catch(() => {})
    await this.#shown
    await recorded
  }

  /** Resolves when all events are shown. @throws the failure of an append */
  async all(): Promise<void> {
    await this.#shown
  }

  #addText(delta: string): void {
    if (this.#waiting > 0) this.#text.push(delta)
    else this.#options.onText?.(delta)
  }
}
