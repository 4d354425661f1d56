import { sha256OfCanonical } from '../document/canonical.ts'
import type { JsonObject } from '../document/json.ts'
import type { FactOf, RunEvent } from '../run/event.ts'
import { type AddedMessages, OutlineFold } from '../run/record/outline-fold.ts'
import type { RunHeader } from '../run/record/run-header.ts'
import { callsAfter, callsAsked } from '../run/round.ts'
import type { CallEntry, RunState } from '../run/state.ts'
import { withoutSettled } from '../run/unsettled.ts'
import type { Outcome, RecordedWrite, Sending } from '../trust/receipts/receipt.ts'

/** What a fold without texts needs of a run's header. */
export type OutlinedHeader = Pick<RunHeader, 'run_id' | 'agent_id' | 'plan_hash' | 'rehearsal'>

/** What the record of a run says about its writes: each call with the effect `once`, in the order of appearance. */
export interface RecordedWrites {
  readonly writes: readonly RecordedWrite[]
  /** The runs of the sub-agents that were called here. */
  readonly agents: readonly { readonly alias: string; readonly run_id: string }[]
  /** How the run has continued a state. */
  readonly restored?: FactOf<'run.restored'>
  /** The state after the last event; its messages have their roles only. */
  readonly state: RunState
}

/** Reads the writes of a run event by event. Keeps no text of its conversation. */
export class WritesFold {
  readonly outline: OutlineFold
  readonly #ledger = new WriteLedger()
  readonly #rehearsal: boolean
  /** Until the next event. */
  #recorded: RecordedWrites | undefined

  constructor(header: OutlinedHeader) {
    this.outline = new OutlineFold(header)
    this.#rehearsal = header.rehearsal
  }

  add(event: RunEvent): AddedMessages {
    const before = this.outline.state
    const added = this.outline.add(event)
    this.#ledger.add(event, before, this.outline.state)
    this.#recorded = undefined
    return added
  }

  get recorded(): RecordedWrites {
    this.#recorded ??= this.#ledger.recorded(this.outline.state, this.#rehearsal)
    return this.#recorded
  }
}

interface Entry {
  call: CallEntry
  readonly sendings: Sending[]
  /** Once the call is settled. */
  outcome?: Outcome
  settled_at?: string
}

/** Gathers the writes of a run. Calls that were settled before a state was captured are not its own. */
class WriteLedger {
  readonly #entries = new Map<string, Entry>()
  readonly #agents = new Map<string, string>()
  /** Keys of the calls that the captured run had settled: its own receipts have them. */
  readonly #settled = new Set<string>()
  #epoch = 1
  #restored: FactOf<'run.restored'> | undefined

  /**
   * @param before the state before the event
   * @param after the state after it
   */
  add(event: RunEvent, before: RunState, after: RunState): void {
    const { fact } = event
    if (fact.type === 'run.resumed') this.#epoch++
    if (fact.type === 'run.restored') {
      this.#restored = fact
      for (const call of after.calls) this.#inherit(call, event)
      return
    }
    for (const call of callsSeen(event, before, after)) this.#see(call, event)
  }

  #inherit(call: CallEntry, { at }: RunEvent): void {
    if (call.agent !== undefined) this.#call(call)
    else if (call.status === 'done' && call.by_origin !== true) this.#settled.add(call.key)
    else if (call.effect === 'once')
      this.#entries.set(call.key, {
        call,
        sendings: [],
        ...(call.status === 'done' && { outcome: 'by_origin' as const, settled_at: timeOf(at) }),
      })
  }

  #see(call: CallEntry, event: RunEvent): void {
    if (call.agent !== undefined) this.#call(call)
    if (call.agent !== undefined || call.effect !== 'once' || this.#settled.has(call.key)) return
    const entry = this.#entries.get(call.key) ?? {
      call: { ...call, status: 'queued' as const },
      sendings: [],
    }
    this.#entries.set(call.key, entry)
    const { call: before, sendings } = entry
    entry.call = call
    // The server has answered that it has not made the call.
    if (call.status === 'input_required' && isLeaving(before)) sendings.pop()
    if (isLeaving(call) && !isLeaving(before)) sendings.push(this.#sending(call, event))
    if (call.status !== 'done' || before.status === 'done') return
    entry.outcome = settledAs(call, before, event, sendings)
    entry.settled_at = timeOf(event.at)
  }

  #sending({ id }: CallEntry, { at, fact }: RunEvent): Sending {
    const again = fact.type === 'person.decided' && fact.call_id === id && fact.verdict === 'resend'
    return { at: timeOf(at), epoch: this.#epoch, ...(again && { by: fact.by }) }
  }

  #call({ agent, status }: CallEntry): void {
    if (agent !== undefined && status !== 'queued' && status !== 'done')
      this.#agents.set(agent.run_id, agent.alias)
  }

  /** @param state after the last event */
  recorded(state: RunState, rehearsal: boolean): RecordedWrites {
    return {
      writes: this.#writes(state, rehearsal),
      agents: [...this.#agents].map(([run_id, alias]) => ({ alias, run_id })),
      ...(this.#restored !== undefined && { restored: this.#restored }),
      state,
    }
  }

  #writes(state: RunState, rehearsal: boolean): readonly RecordedWrite[] {
    const open = state.end === null ? new Set(state.calls.map(({ key }) => key)) : new Set<string>()
    return [...this.#entries.values()].map(({ call, sendings, settled_at, ...settled }) => {
      const outcome = settled.outcome ?? openAs(call, sendings, open.has(call.key))
      // A test double has answered: nothing has left the host.
      const isPretended = rehearsal && sendings.length > 0
      return {
        call_id: call.id,
        tool_name: call.tool,
        key: call.key,
        digest: sha256OfCanonical({ tool: call.tool, arguments: call.args } satisfies JsonObject),
        outcome: isPretended ? 'rehearsed' : outcome,
        sendings: isPretended ? [] : sendings,
        ...(settled_at !== undefined && { settled_at }),
      }
    })
  }
}

/** Returns the calls as an event has left them, also those of a round that it has settled. */
function callsSeen({ fact, decision }: RunEvent, before: RunState, after: RunState): readonly CallEntry[] {
  const round = callsAfter(callsAsked(before.calls, fact), decision)
  const settled = decision.ending === undefined ? round : withoutSettled(round)
  const isOver = decision.settle === true || decision.clear === true
  return isOver ? [...settled, ...after.calls] : after.calls
}

/** Its intent is on record: it is about to be sent, in flight, or was when the process ended. */
function isLeaving({ status, unasked }: CallEntry): boolean {
  return status === 'sent' && unasked !== true
}

/** @param sendings the last one is removed if it is certain that nothing was sent */
function settledAs(call: CallEntry, before: CallEntry, { fact }: RunEvent, sendings: Sending[]): Outcome {
  const isAbout = 'call_id' in fact && fact.call_id === call.id
  if (call.by_origin === true) return 'by_origin'
  if (isAbout && fact.type === 'call.answered') return 'done'
  if (isAbout && fact.type === 'call.failed') {
    if (fact.outcome === 'answered') return 'failed'
    if (fact.outcome === 'unsent') sendings.pop()
  }
  if (isAbout && fact.type === 'person.decided' && before.status === 'unknown')
    return fact.verdict === 'assume' ? 'assumed_done' : 'assumed_not_done'
  return isPossiblySent(before, sendings) ? 'unknown' : 'not_sent'
}

function openAs(call: CallEntry, sendings: readonly Sending[], isOpen: boolean): Outcome {
  if (call.status === 'unknown') return 'unknown'
  if (!isOpen) return sendings.length > 0 ? 'unknown' : 'not_sent'
  return isLeaving(call) ? 'in_flight' : 'waiting'
}

/** A call that a captured run may have sent has no sending here. */
function isPossiblySent({ status }: CallEntry, sendings: readonly Sending[]): boolean {
  return sendings.length > 0 || status === 'unknown'
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}
