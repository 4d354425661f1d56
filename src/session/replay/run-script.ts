import { canonicalize } from '../../document/canonical.ts'
import type { JsonObject } from '../../document/json.ts'
import { apply } from '../../run/apply.ts'
import type { Fact, FactOf, RunEvent } from '../../run/event.ts'
import { initialState } from '../../run/initial-state.ts'
import type { CallEntry, RunState } from '../../run/state.ts'
import { asksPerson } from '../../run/unsettled.ts'
import type { Moment } from './virtual-clock.ts'

/** A fact of the record that a replay gives again, and when. */
export interface Given<F extends Fact = Fact> {
  readonly fact: F
  readonly moment: Moment
}

export type QuestionOutcome = FactOf<'model.answered'> | FactOf<'model.failed'>
export type ReviewOutcome = FactOf<'judge.answered'> | FactOf<'judge.failed'>
export type CallOutcomeFact = FactOf<'call.answered'> | FactOf<'call.failed'>

/** A recorded question to a model. */
export interface ScriptedQuestion {
  readonly n: number
  readonly route: number
  /** The state after the event that asked it. */
  readonly state: RunState
  /** Absent: it was stopped, or the record ends before its answer. */
  outcome?: Given<QuestionOutcome>
}

interface ScriptedCall {
  readonly tool: string
  readonly args: string
  /** The key without the id of its run. */
  readonly place: string
  /** What its server has asked, round by round. */
  readonly asked: Given<FactOf<'call.asked'>>[]
  /** Absent: it was stopped, or the record ends before its answer. */
  outcome?: Given<CallOutcomeFact>
  /** The call of the replay that has taken it. */
  takenBy?: string
}

interface ScriptedDecision {
  readonly tool: string
  readonly args: string
  readonly given: Given<FactOf<'person.decided'>> | null
  taken: boolean
}

interface ScriptedAgent {
  readonly alias: string
  /** The event that took its answer. */
  outcome?: RunEvent
  readonly place: string
  readonly run_id: string
  takenBy?: string
}

/** The facts that reach a run from outside, and not as the result of an effect. */
const EXTERNAL: ReadonlySet<Fact['type']> = new Set([
  'user.said',
  'user.steered',
  'turn.interrupted',
  'run.cancelled',
  'run.paused',
  'run.resumed',
  'record.copied',
])
const ALARMS: ReadonlySet<Fact['type']> = new Set(['deadline.passed', 'approval.lapsed', 'drain.passed'])

/**
 * The answers that one recorded run has had, in their order. Each is given once; a call that is sent again after a resume
 * gets its own answer again.
 */
export class RunScript {
  readonly runId: string
  readonly questions: readonly ScriptedQuestion[]
  readonly reviews: readonly (Given<ReviewOutcome> | null)[]
  readonly recalls: Given<FactOf<'memory.read'>>[]
  readonly hooks: Given<FactOf<'hook.ran'>>[]
  readonly pauses: Given<FactOf<'run.paused'>>[]
  /** Of the root: the facts from outside. */
  readonly external: readonly Given[]
  /** The alarms that have rung. */
  readonly alarms: Moment[]
  /** The first facts of a restored run. */
  readonly restored: readonly Fact[]
  readonly first: FactOf<'run.started'> | undefined
  /** The recorded run had not ended. */
  readonly isOpen: boolean
  /** When the last event was recorded. */
  readonly last: number
  readonly #calls: ScriptedCall[] = []
  readonly #decisions: ScriptedDecision[] = []
  readonly #agents: ScriptedAgent[] = []
  readonly #waiting: readonly CallEntry[]
  #asked = 0
  #reviewed = 0

  /**
   * @param after events up to this one are not replayed: the replay begins with the state after it
   * @param placeOf returns the moment of an event among those of all runs
   */
  constructor(
    runId: string,
    events: readonly RunEvent[],
    after: number,
    placeOf: (event: RunEvent) => Moment,
  ) {
    this.runId = runId
    const questions: ScriptedQuestion[] = []
    const reviews = new Map<number, Given<ReviewOutcome> | null>()
    this.recalls = []
    this.hooks = []
    this.pauses = []
    this.alarms = []
    const external: Given[] = []
    const restored: Fact[] = []
    let state = initialState('', '', '')
    for (const event of events) {
      const { fact, decision, seq } = event
      const before = state
      state = apply(state, event)
      const known = seq <= after
      const moment = placeOf(event)
      for (const call of callsOf(before, state, event)) this.#addCall(call)
      if (seq === after) {
        this.#beginAfter(state)
        if (state.attempt !== null) questions.push({ n: state.attempt.n, route: state.attempt.route, state })
        if (state.review !== null) reviews.set(state.review.n, null)
      }
      if (known) continue
      if (fact.type === 'messages.restored' || fact.type === 'run.restored') restored.push(fact)
      if (EXTERNAL.has(fact.type)) external.push({ fact, moment })
      if (ALARMS.has(fact.type)) this.alarms.push(moment)
      if (decision.attempt !== undefined)
        questions.push({ n: decision.attempt.n, route: decision.attempt.route, state })
      if (decision.review !== undefined && decision.review !== null) reviews.set(decision.review.n, null)
      switch (fact.type) {
        case 'model.answered':
        case 'model.failed': {
          const question = questions.findLast(({ n }) => n === fact.attempt)
          if (question !== undefined) question.outcome = { fact, moment }
          break
        }
        case 'judge.answered':
        case 'judge.failed':
          reviews.set(fact.review, { fact, moment })
          break
        case 'memory.read':
          this.recalls.push({ fact, moment })
          break
        case 'hook.ran':
          this.hooks.push({ fact, moment })
          break
        case 'run.paused':
          this.pauses.push({ fact, moment })
          break
        case 'call.asked': {
          const key = before.calls.find(({ id }) => id === fact.call_id)?.key
          const call = this.#calls.findLast(({ place }) => key !== undefined && place === placeIn(key))
          call?.asked.push({ fact, moment })
          break
        }
        case 'call.answered':
        case 'call.failed': {
          const key = before.calls.find(({ id }) => id === fact.call_id)?.key
          const isMeant = ({ place }: { readonly place: string }) =>
            key !== undefined && place === placeIn(key)
          const call = this.#calls.findLast(isMeant)
          if (call !== undefined) call.outcome = { fact, moment }
          const agent = this.#agents.findLast(isMeant)
          if (agent !== undefined) agent.outcome = event
          break
        }
        case 'person.decided':
        case 'approval.lapsed': {
          const call = before.calls.find(({ id }) => id === fact.call_id)
          if (call === undefined) break
          const given = fact.type === 'person.decided' ? { fact, moment } : null
          this.#decisions.push({ tool: call.tool, args: canonicalize(call.args), given, taken: false })
          break
        }
        default:
      }
    }
    this.questions = questions
    this.reviews = [...reviews.values()]
    this.external = external
    this.restored = restored
    const [begin] = events
    this.first = begin?.fact.type === 'run.started' ? begin.fact : undefined
    this.isOpen = state.end === null
    this.last = events.at(-1)?.at ?? 0
    this.#waiting = state.calls.filter(asksPerson)
  }

  /** Counts a question that the replay has decided to ask. */
  asked(): void {
    this.#asked++
  }

  /** Returns the recorded question in place of the one that is asked now; undefined: the record has fewer questions. */
  get question(): ScriptedQuestion | undefined {
    return this.questions[this.#asked - 1]
  }

  /** The number of questions that the replay has asked. */
  get questionNumber(): number {
    return this.#asked
  }

  /** Returns the route of the next recorded question. */
  get nextRoute(): number | undefined {
    return this.questions[this.#asked]?.route
  }

  /** Returns the next recorded verdict of the judge; null: it was stopped; undefined: there is no other review. */
  nextReview(): Given<ReviewOutcome> | null | undefined {
    return this.reviews[this.#reviewed++]
  }

  /** Returns the recorded call with this tool and these arguments; the same one for the same key. */
  call(tool: string, args: JsonObject, key: string): ScriptedCall | undefined {
    const known = this.#calls.find(({ takenBy }) => takenBy === key)
    if (known !== undefined) return known
    const text = canonicalize(args)
    const fits = this.#calls.filter(
      (call) => call.takenBy === undefined && call.tool === tool && call.args === text,
    )
    const found = fits.find(({ place }) => place === placeIn(key)) ?? fits[0]
    if (found !== undefined) found.takenBy = key
    return found
  }

  /** Returns the recorded run of a sub-agent's call: the one of the same call, else the next one of the alias. */
  agent(alias: string, key: string): string | undefined {
    const known = this.#agents.find(({ takenBy }) => takenBy === key)
    if (known !== undefined) return known.run_id
    const fits = this.#agents.filter((agent) => agent.takenBy === undefined && agent.alias === alias)
    const found = fits.find(({ place }) => place === placeIn(key)) ?? fits[0]
    if (found !== undefined) found.takenBy = key
    return found?.run_id
  }

  /**
   * Returns the place of the events of a sub-agent's run among those of the same time: before the event that takes its
   * answer.
   */
  outcomeOf(key: string, placeOf: (event: RunEvent) => Moment): readonly number[] {
    const outcome = this.#agents.find(({ takenBy }) => takenBy === key)?.outcome
    const [, ...place] = outcome === undefined ? [0, Number.MAX_SAFE_INTEGER] : placeOf(outcome)
    return [...place.slice(0, -1), (place.at(-1) ?? 0) - 0.5]
  }

  /**
   * Returns what a person decided about a call: null if no person did, although the question was asked; undefined if it
   * was not asked.
   */
  decision({ tool, args }: CallEntry): Given<FactOf<'person.decided'>> | null | undefined {
    const text = canonicalize(args)
    const next = this.#decisions.find((one) => !one.taken && one.tool === tool && one.args === text)
    if (next !== undefined) return next.given
    const waits = this.#waiting.some((call) => call.tool === tool && canonicalize(call.args) === text)
    return waits ? null : undefined
  }

  /** Marks the next decision about a call as given. */
  decided({ tool, args }: CallEntry): void {
    const text = canonicalize(args)
    const next = this.#decisions.find((one) => !one.taken && one.tool === tool && one.args === text)
    if (next !== undefined) next.taken = true
  }

  /** Returns the moment at which the alarm for a time has rung; undefined: none has. */
  rang(at: number): Moment | undefined {
    return this.alarms.find(([rung]) => rung >= at)
  }

  /** Leaves the calls that are open after the event with which the replay begins. */
  #beginAfter({ calls }: RunState): void {
    const isOpen = ({ place }: { readonly place: string }) =>
      calls.some(({ key, status }) => status !== 'done' && placeIn(key) === place)
    for (const list of [this.#calls, this.#agents] as const) {
      const open = list.filter(isOpen)
      list.splice(0, list.length, ...(open as never[]))
    }
  }

  #addCall({ tool, args, key, agent, status, by_origin }: CallEntry): void {
    const place = placeIn(key)
    if (agent !== undefined) {
      if (!this.#agents.some((one) => one.place === place))
        this.#agents.push({ alias: agent.alias, place, run_id: agent.run_id })
      return
    }
    if (status !== 'sent' || by_origin === true) return
    const known = this.#calls.findLast((one) => one.place === place)
    if (known === undefined) this.#calls.push({ tool, args: canonicalize(args), place, asked: [] })
  }
}

/** Returns the calls that an event concerns. */
function callsOf(before: RunState, after: RunState, { decision }: RunEvent): readonly CallEntry[] {
  const settled = [...(decision.calls ?? []), ...(decision.add ?? []), ...(decision.judged ?? [])]
  return after.calls === before.calls ? settled : [...after.calls, ...settled]
}

/** Returns the key of a call without the id of its run. */
function placeIn(key: string): string {
  return key.slice(key.indexOf(':') + 1)
}
