import assert from 'node:assert/strict'
import { defined } from '../../document/defined.ts'
import type { Plan } from '../../plan/plan.ts'
import { apply } from '../../run/apply.ts'
import type { Decision, Fact, FactOf, RunEvent } from '../../run/event.ts'
import type { LeftDecision } from '../../run/record/left-decision.ts'
import type {
  AppendOptions,
  ImportedRun,
  Later,
  ListedRecord,
  NewRun,
  OpenRun,
  Question,
  Records,
  SlotRequest,
} from '../../run/record/records.ts'
import type { RunHeader } from '../../run/record/run-header.ts'
import type { CallEntry, RunState } from '../../run/state.ts'
import type { AuditFact } from '../../trust/audit-chain.ts'
import type { AuditKeys } from '../../trust/verify-audit-chain.ts'

/** A place for records that no other test uses. */
export interface RecordsSubject {
  /** Opens the place. A second call opens it like another process. */
  open(): Promise<Records>
  /** Abandons opened records without closing them, like the death of their process. */
  crash(records: Records): Promise<void>
  /** The public keys of the signers of its audit log. */
  readonly keys: AuditKeys
  /** The thumbprint of a second key that the store can open to sign; without it, rotation is not checked. */
  readonly nextKey?: string
}

/** A requirement of the port, and its check. */
export type RecordsCase = readonly [name: string, check: (subject: RecordsSubject) => Promise<void>]

export const AT = Date.parse('2026-03-01T08:00:00.000Z')

export interface RunOptions extends Partial<Pick<RunHeader, 'user' | 'batch' | 'agent_id'>> {
  /** Milliseconds after the creation of the first run. */
  readonly later?: number
  readonly parent?: { readonly run_id: string; readonly root_run_id: string }
  readonly plan?: Plan
  readonly family?: readonly Plan[]
}

export function planNamed(agent_id: string, name = 'Clerk'): Plan {
  return { v: 1, agent_id, agent_name: name, system_prompt: `You are ${name}.` } as unknown as Plan
}

export function newRun(run_id: string, options: RunOptions = {}): NewRun {
  const { later = 0, parent, agent_id = 'agent-1', user, batch, family = [] } = options
  const plan = options.plan ?? planNamed(agent_id)
  return {
    header: {
      v: 1,
      run_id,
      agent_id,
      agent_name: 'Clerk',
      created_at: new Date(AT + later).toISOString(),
      plan_hash: 'a'.repeat(64),
      rehearsal: false,
      ...defined({ user, batch }),
      ...(parent !== undefined && { parent: { ...parent, call_id: 'c1', alias: 'helper' } }),
    },
    plan,
    family,
    first: { type: 'run.started', input: `input of ${run_id}` },
  }
}

export const started = (run_id: string): FactOf<'run.started'> => ({
  type: 'run.started',
  input: `input of ${run_id}`,
})

/** Returns an event that follows a state. */
export function eventAfter(state: RunState, fact: Fact, decision: Decision = {}): RunEvent {
  return { seq: state.seq + 1, at: AT + 1000 * (state.seq + 1), fact, decision }
}

/** Drives an opened run and keeps its state, like a driver. */
export class Driven {
  readonly run: OpenRun
  state: RunState

  constructor(run: OpenRun) {
    this.run = run
    this.state = run.state
  }

  /** Returns the next event, without appending it. */
  next(fact: Fact, decision?: Decision): { readonly event: RunEvent; readonly state: RunState } {
    const event = eventAfter(this.state, fact, decision)
    return { event, state: apply(this.state, event) }
  }

  async append(fact: Fact, decision?: Decision, options: Partial<AppendOptions> = {}): Promise<void> {
    const { event, state } = this.next(fact, decision)
    await this.run.append([event], { durable: false, state, ...options })
    this.state = state
  }

  /** Appends events without meaning. */
  async tick(times = 1, options: Partial<AppendOptions> = {}): Promise<void> {
    for (let n = 0; n < times; n++) await this.append({ type: 'run.resumed', by: 'test' }, {}, options)
  }
}

export async function drive(records: Records, run: NewRun | string): Promise<Driven> {
  if (typeof run === 'string') return new Driven(await records.runs.open(run))
  return new Driven(await records.runs.create(run))
}

export function call(id: string, status: CallEntry['status']): CallEntry {
  return { id, tool: 'send', args: {}, key: `key-of-${id}`, effect: 'once', status }
}

export function answered(status: CallEntry['status']): readonly [Fact, Decision] {
  return [
    {
      type: 'model.answered',
      attempt: 1,
      message: { role: 'assistant', text: '', calls: [{ id: 'c1', tool: 'send', args: {} }] },
      finish: 'tool_calls',
      usage: { input_tokens: 1, output_tokens: 1 },
      latency_ms: 1,
    },
    { calls: [call('c1', status)] },
  ]
}

export function ended(status: 'completed' | 'failed'): readonly [Fact, Decision] {
  const stop_reason = status === 'completed' ? 'final' : 'error'
  return [{ type: 'deadline.passed' }, { end: { status, stop_reason } }]
}

export function decided(
  by: string,
  seen: number,
  verdict: LeftDecision['verdict'] = 'approve',
): LeftDecision {
  return { type: 'person.decided', call_id: 'c1', verdict, by, key: 'key-of-c1', seen }
}

export const QUESTION: Question = { key: 'key-of-c1', asked: 2 }

export function fact(kind: string, n = 0): AuditFact {
  return { at: new Date(AT + n).toISOString(), kind, n }
}

export function slot(agent: string, run_id: string, more: Partial<SlotRequest> = {}): SlotRequest {
  return { agent, agent_name: agent.toUpperCase(), limit: 1, run_id, above: [], ...more }
}

export function imported(run_id: string, events: number, options: RunOptions = {}): ImportedRun {
  const all = Array.from({ length: events }, (_, index): RunEvent => {
    const first: Fact = index === 0 ? started(run_id) : { type: 'run.resumed', by: 'test' }
    return { seq: index + 1, at: AT + index, fact: first, decision: {} }
  })
  return { ...newRun(run_id, options), events: all }
}

/** Fails unless the work is refused with this code, synchronously or later. @returns the error */
export async function refused(code: string, work: () => Later<unknown>): Promise<Error> {
  let caught: unknown
  try {
    await work()
  } catch (error) {
    caught = error
  }
  assert.ok(caught instanceof Error, `it was not refused with ${code}`)
  assert.equal((caught as Error & { readonly code?: string }).code, code, caught.message)
  return caught
}

/** Returns whether a promise settles in this time (milliseconds). */
export async function settles(work: Later<unknown>, withinMs = 400): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs)
  })
  const done = Promise.resolve(work).then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([done, late])
  } finally {
    clearTimeout(timer)
  }
}

export function idsOf(items: readonly Pick<ListedRecord, 'run_id'>[]): readonly string[] {
  return items.map(({ run_id }) => run_id)
}
