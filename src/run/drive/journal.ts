import { wellFormed } from '../../document/well-formed.ts'
import type { Program } from '../../plan/plan.ts'
import { advance, type Step } from '../advance.ts'
import type { Fact } from '../event.ts'
import type { RouteSight } from '../ports.ts'
import type { Later } from '../record/records.ts'
import { RecordFailure } from '../record-port.ts'
import type { RunState } from '../state.ts'
import type { DrivePorts } from './drive-ports.ts'
import type { PiiPort } from './pii-port.ts'
import { withoutReplacedEnd } from './without-replaced-end.ts'

type JournalPorts = Pick<DrivePorts, 'clock' | 'pii' | 'redact' | 'routes' | 'sink'>

/** Steps whose events are appended together. */
export interface Batch {
  readonly steps: readonly Step[]
  /**
   * Resolves when the events are on record, and rejects with a RecordFailure; undefined: they are on record already,
   * because records in memory are appended to synchronously.
   */
  readonly recorded: Promise<void> | undefined
}

/** The state of a driven run; appends its facts to the record. */
export class Journal {
  readonly #program: Program
  readonly #ports: JournalPorts
  readonly #sights: ((at: number) => readonly RouteSight[]) | undefined
  /** The callers that wait until a fact is on record. */
  readonly #waiting = new Map<Fact, PromiseWithResolvers<void>>()
  #state: RunState

  constructor(program: Program, start: RunState, ports: JournalPorts) {
    this.#program = program
    this.#ports = ports
    this.#state = start
    const { models } = program.plan
    const { routes } = ports
    // Route readings are needed only where there is a choice.
    const choice = models.filter(({ eligible }) => eligible).length > 1
    this.#sights = choice && routes !== undefined ? (at) => routes.read(models, at) : undefined
  }

  get state(): RunState {
    return this.#state
  }

  /**
   * Resolves when the fact is on record; rejects if it cannot be recorded. The fact must be passed to `add` as
   * well.
   */
  recorded(fact: Fact): Promise<void> {
    const waiting = Promise.withResolvers<void>()
    this.#waiting.set(fact, waiting)
    return waiting.promise
  }

  /**
   * Advances over the facts and appends their events in one write. Several batches may be on their way to the record:
   * it stores them in this order.
   * @param facts are removed one by one
   * @throws RecordFailure
   */
  add(facts: Fact[]): Batch {
    const steps: Step[] = []
    const waiting: PromiseWithResolvers<void>[] = []
    for (let fact = facts.shift(); fact !== undefined; fact = facts.shift()) {
      const waits = this.#waiting.get(fact)
      if (waits !== undefined) waiting.push(waits)
      this.#waiting.delete(fact)
      const step = this.#advance(fact)
      if (step !== null) steps.push(step)
    }
    const onRecord = () => {
      for (const { resolve } of waiting) resolve()
    }
    const failed = (error: unknown): never => {
      const failure = new RecordFailure(error)
      for (const { reject } of waiting) reject(failure)
      throw failure
    }
    const append = (): Later<void> => {
      if (steps.length === 0) return
      const durable = steps.some(({ effects }) =>
        effects.some((effect) => effect.type === 'tool' && effect.call.effect !== 'none'),
      )
      const events = steps.map(({ event }) => event)
      try {
        return this.#ports.sink.append(events, durable, this.#state)
      } catch (error) {
        return failed(error)
      }
    }
    const appended = append()
    if (appended instanceof Promise) return { steps, recorded: appended.then(onRecord, failed) }
    onRecord()
    return { steps, recorded: undefined }
  }

  #advance(fact: Fact): Step | null {
    const { clock, pii, redact, routes } = this.#ports
    const whole = wellFormed(fact)
    const redacted = redact?.(whole) ?? whole
    const cleaned = pii === undefined ? redacted : this.#clean(redacted, pii)
    const clean = withoutOpenEnd(fact, cleaned)
    const at = clock.now()
    const step = advance(this.#program, this.#state, clean, at, this.#sights?.(at))
    if (step === null) return null
    this.#state = step.state
    const asked = step.event.decision.attempt
    const route = asked === undefined ? undefined : this.#program.plan.models[asked.route]
    // Noted now and not when the question is sent: the next run that chooses must see that this turn is taken.
    if (route !== undefined) routes?.asked(route, at)
    return step
  }

  /** Placeholders for personal data are a part of the record. */
  #clean(fact: Fact, pii: PiiPort): Fact {
    try {
      return pii.clean(fact, this.#program, this.#state)
    } catch (error) {
      throw new RecordFailure(error)
    }
  }
}

/** A secret or a personal datum at the end of an interrupted answer may be only the first half of one. */
function withoutOpenEnd(given: Fact, clean: Fact): Fact {
  if (given.type !== 'run.paused' || clean.type !== 'run.paused') return clean
  if (given.partial === undefined || clean.partial === undefined) return clean
  const partial = withoutReplacedEnd(given.partial, clean.partial)
  return partial === clean.partial ? clean : { ...clean, partial }
}
