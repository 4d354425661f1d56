import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compileProgram } from '../../src/plan/compile-program.ts'
import type { Plan, Program } from '../../src/plan/plan.ts'
import type { PlannedOrchestration } from '../../src/plan/planned-orchestration.ts'
import { advance } from '../../src/run/advance.ts'
import { spent } from '../../src/run/decide/budget.ts'
import { limitsAtStart } from '../../src/run/decide/shares.ts'
import type { Effect, Fact, RunEvent } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import type { CallEntry, RunState } from '../../src/run/state.ts'
import { planOf } from './fixture.ts'

/**
 * Drives families of agents through the run core in a random order, and compares each share of a budget with a model:
 * left = budget − spent by what has ended − reserved for what still runs.
 */

const KINDS = ['tokens', 'usd', 'calls'] as const
type Budget = { readonly [K in (typeof KINDS)[number]]?: number } & { readonly ms?: number }
/** One token of an answer costs a millionth of a dollar. */
const USD_PER_TOKEN = 1e-6

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

class Dice {
  readonly #next: () => number
  constructor(seed: number) {
    this.#next = randomOf(seed)
  }
  upTo(n: number): number {
    return Math.floor(this.#next() * (n + 1))
  }
  chance(p: number): boolean {
    return this.#next() < p
  }
  pick<T>(of: readonly T[]): T {
    return of[this.upTo(of.length - 1)] as T
  }
}

interface Topology {
  readonly mode: PlannedOrchestration['mode']
  readonly orchestration: Partial<PlannedOrchestration>
  /** The aliases that the plan lists. */
  readonly aliases: readonly string[]
}

const NAMES = ['a', 'b', 'c', 'd', 'e']

function topologyOf(dice: Dice): Topology {
  const count = 1 + dice.upTo(4)
  const workers = NAMES.slice(0, count)
  const gone = dice.chance(0.2) ? ['gone'] : []
  const fallback = dice.chance(0.4) ? { fallback: 'substitute' } : {}
  const others = ['substitute', 'judge']
  switch (dice.pick(['pipeline', 'swarm', 'router', 'model', 'handoff'] as const)) {
    case 'pipeline':
      return {
        mode: 'pipeline',
        orchestration: { steps: workers, ...fallback },
        aliases: [...workers, ...others],
      }
    case 'swarm': {
      const consensus = dice.pick([
        undefined,
        { strategy: 'first_success' } as const,
        { strategy: 'best_of_n', judge: 'judge' } as const,
        { strategy: 'referee', judge: 'judge' } as const,
        { strategy: 'majority_vote', min_votes: 1 } as const,
      ])
      const synthesizer = dice.chance(0.5) ? { synthesizer: 'judge' } : {}
      return {
        mode: 'swarm',
        orchestration: {
          workers: [...gone, ...workers],
          max_parallel: 1 + dice.upTo(count),
          ...(consensus !== undefined && { consensus }),
          ...synthesizer,
          ...fallback,
        },
        aliases: [...gone, ...workers, ...others],
      }
    }
    case 'router':
      return {
        mode: 'router',
        orchestration: { workers, max_parallel: 1 + dice.upTo(count), ...fallback },
        aliases: [...workers, ...others],
      }
    case 'handoff':
      return {
        mode: 'model',
        orchestration: {
          handoffs: [
            {
              condition: { lang: 'jmespath', expr: '`true`' },
              target: 'judge',
              pass_context: false,
              pass_memory: false,
            },
          ],
          ...fallback,
        },
        aliases: [...workers, ...others],
      }
    case 'model':
      return { mode: 'model', orchestration: { ...fallback }, aliases: [...workers, ...others] }
  }
}

const LEAF = planOf({})
const MIDDLE_HASH = 'c'.repeat(64)

function orchestrated(
  plan: Plan,
  definition_hash: string,
  { mode, orchestration, aliases }: Topology,
  nested: boolean,
): Plan {
  const leaf = { agent: LEAF.definition_hash }
  return {
    ...plan,
    definition_hash,
    subagents: aliases.map((alias, index) => ({
      ref: alias,
      alias,
      index,
      ...(alias !== 'gone' && leaf),
      ...(nested && index % 2 === 0 && alias !== 'gone' && { agent: MIDDLE_HASH }),
    })),
    tools: [
      ...plan.tools,
      ...(mode === 'model'
        ? aliases
            .filter((alias) => alias !== 'gone')
            .map((alias) => ({
              ...(plan.tools[0] as Plan['tools'][number]),
              name: `ask_${alias}`,
              agent: alias,
            }))
        : []),
    ],
    orchestration: { mode, steps: [], workers: [], max_parallel: 9, handoffs: [], ...orchestration },
  } as Plan
}

function withBudget(plan: Plan, budget: Budget): Plan {
  const { tokens, usd, calls, ms } = budget
  return {
    ...plan,
    limits: {
      ...plan.limits,
      max_iterations: 4,
      ...(tokens !== undefined && { budget_tokens: tokens }),
      ...(usd !== undefined && { budget_usd: usd }),
      ...(calls !== undefined && { budget_calls: calls }),
      ...(ms !== undefined && { budget_ms: ms }),
    },
  }
}

function familyOf(dice: Dice, budget: Budget): Program {
  const leaf = withBudget(LEAF, budget)
  const middle = withBudget(orchestrated(LEAF, MIDDLE_HASH, topologyOf(dice), false), budget)
  const root = withBudget(orchestrated(LEAF, 'b'.repeat(64), topologyOf(dice), dice.chance(0.5)), budget)
  return compileProgram(root, [leaf, middle])
}

interface LiveRun {
  readonly program: Program
  readonly parent: LiveRun | null
  readonly callId: string
  state: RunState
  pending: Effect[]
  children: Map<string, LiveRun>
}

/** One family at work. Each step performs one pending effect, or something that happens from outside. */
class Simulation {
  readonly dice: Dice
  readonly budget: Budget
  readonly root: LiveRun
  readonly runs: LiveRun[] = []
  now = 1000
  sent = { tokens: 0, calls: 0 }
  readonly #sentCalls = new Set<string>()
  starts = 0
  refusals = 0

  constructor(seed: number) {
    this.dice = new Dice(seed)
    const { dice } = this
    this.budget = {
      ...(dice.chance(0.6) && { tokens: dice.upTo(60) }),
      ...(dice.chance(0.4) && { usd: dice.upTo(60) * USD_PER_TOKEN }),
      ...(dice.chance(0.6) && { calls: dice.upTo(14) }),
      ...(dice.chance(0.4) && { ms: 1000 }),
    }
    this.root = this.#open(familyOf(dice, this.budget), null, '')
  }

  #open(program: Program, parent: LiveRun | null, callId: string): LiveRun {
    const run: LiveRun = {
      program,
      parent,
      callId,
      state: initialState(`run-${this.runs.length}`, program.plan.agent_id, program.hash),
      pending: [],
      children: new Map(),
    }
    this.runs.push(run)
    return run
  }

  run(): undefined {
    this.#fact(this.root, { type: 'run.started', input: 'go' })
    for (let steps = 0; steps < 400 && this.root.state.end === null; steps++) this.#step()
    assert.ok(this.root.state.end !== null, 'the run comes to an end')
    this.#checkSpent()
  }

  #step(): undefined {
    const { dice } = this
    this.now += dice.upTo(3)
    if (dice.chance(0.03)) return this.#pauseAndResume()
    if (dice.chance(0.01) && this.root.state.ending === null)
      return this.#fact(this.root, { type: 'run.cancelled', by: 'a person' })
    const { deadline_at } = this.root.state
    if (deadline_at !== null && this.now >= deadline_at) this.#fact(this.root, { type: 'deadline.passed' })
    const busy = this.runs.filter(({ pending }) => pending.length > 0)
    if (busy.length === 0) {
      // The family waits for a person, which takes time that does not count.
      this.now += 2000
      return this.#fact(this.root, { type: 'run.resumed', by: 'a test' })
    }
    const run = dice.pick(busy)
    const at = dice.upTo(run.pending.length - 1)
    const [effect] = run.pending.splice(at, 1)
    if (effect !== undefined) this.#perform(run, effect)
  }

  /** The whole family stops, time passes that must not count, and it resumes as after a crash. */
  #pauseAndResume(): undefined {
    const { root } = this
    if (root.state.end !== null) return
    const paused = this.dice.chance(0.5) && root.state.status !== 'paused'
    if (paused) this.#fact(root, { type: 'run.paused', by: 'a person' })
    this.now += paused ? 5000 : 0
    for (const run of this.runs) run.pending = []
    this.#fact(root, { type: 'run.resumed', by: 'a test' })
  }

  #perform(run: LiveRun, effect: Effect): undefined {
    if (run.state.end !== null) return
    switch (effect.type) {
      case 'model':
        return this.#answer(run, effect.attempt.n)
      case 'ask':
        return this.#ask(run, effect.call)
      case 'tool':
        // A call that is sent again counts once.
        if (!this.#sentCalls.has(effect.call.key)) this.sent.calls++
        this.#sentCalls.add(effect.call.key)
        return this.#fact(run, { type: 'call.answered', call_id: effect.call.id, result: 1, latency_ms: 0 })
      case 'agent':
        return this.#drive(run, effect.call, effect.cancelled === true)
      case 'cancel': {
        const child = run.children.get(effect.call_id)
        if (child !== undefined && child.state.end === null)
          this.#fact(child, { type: 'run.cancelled', by: 'its parent' })
        return
      }
      case 'abort':
        for (const child of run.children.values())
          if (child.state.end === null) this.#fact(child, { type: 'run.cancelled', by: 'its parent' })
        return
      default:
        assert.fail(`no ${effect.type} here`)
    }
  }

  #ask(run: LiveRun, { id }: CallEntry): undefined {
    if (run.parent !== null && this.dice.chance(0.5)) {
      run.pending = []
      return this.#fact(run.parent, { type: 'call.held', call_id: run.callId })
    }
    this.now += this.dice.upTo(500)
    const verdict = this.dice.pick(['resend', 'assume', 'deny'] as const)
    this.#fact(run, { type: 'person.decided', call_id: id, verdict, by: 'a person' })
  }

  /** The model uses no more tokens than the run has left: it stops in time. */
  #answer(run: LiveRun, attempt: number): undefined {
    const { dice } = this
    if (run.state.attempt?.n !== attempt) return
    this.sent.calls++
    if (dice.chance(0.15)) {
      return this.#fact(run, {
        type: 'model.failed',
        attempt,
        kind: dice.pick(['unavailable', 'route'] as const),
        code: 'MODEL_ERROR',
        message: 'it failed',
        latency_ms: 0,
      })
    }
    const used = spent(run.state.totals)
    const limit = (kind: 'tokens' | 'usd') =>
      Math.min(
        run.state.limits[kind] ?? Number.POSITIVE_INFINITY,
        this.budget[kind] ?? Number.POSITIVE_INFINITY,
      ) - used[kind]
    const most = Math.max(0, Math.min(limit('tokens'), Math.floor(limit('usd') / USD_PER_TOKEN + 1e-6)))
    const input_tokens = Math.min(dice.upTo(12), most)
    this.sent.tokens += input_tokens
    const tools = run.program.plan.tools
    const list =
      run.state.stage === null && tools.length > 0 && dice.chance(0.5)
        ? Array.from({ length: 1 + dice.upTo(3) }, (_, index) => {
            const { name, agent } = dice.pick(tools)
            const args = agent === undefined ? { x: 1 } : { task: 'do' }
            return {
              id: `call${index}`,
              tool: dice.chance(0.1) ? 'missing' : name,
              args: { ...args },
              fits: true as const,
            }
          })
        : []
    this.#fact(run, {
      type: 'model.answered',
      attempt,
      message: { role: 'assistant', text: dice.pick(['1', 'x']), calls: list },
      finish: list.length > 0 ? 'tool_calls' : 'stop',
      usage: { input_tokens, output_tokens: 0 },
      warnings: [],
      latency_ms: 0,
    })
  }

  #drive(run: LiveRun, call: CallEntry, cancelled: boolean): undefined {
    assert.ok(call.agent !== undefined)
    const before = run.children.get(call.key)
    if (before === undefined) {
      const program = run.program.family.get(call.agent.definition)
      assert.ok(program !== undefined)
      const child = this.#open(program, run, call.id)
      run.children.set(call.key, child)
      run.children.set(call.id, child)
      const limits = limitsAtStart(call.agent, run.state)
      assert.equal(
        limits.deadline_at ?? null,
        run.state.deadline_at,
        'a child has the deadline of its caller',
      )
      this.#fact(child, { type: 'run.started', input: 'go', limits, depth: run.state.depth + 1 })
      if (cancelled && child.state.end === null)
        this.#fact(child, { type: 'run.cancelled', by: 'its parent' })
      return
    }
    if (before.state.end !== null) return this.#report(before)
    if (cancelled) this.#fact(before, { type: 'run.cancelled', by: 'its parent' })
    if (before.state.end === null) this.#fact(before, { type: 'run.resumed', by: 'its parent' })
  }

  #fact(run: LiveRun, fact: Fact): undefined {
    const step = advance(run.program, run.state, fact, this.now)
    if (step === null) return
    this.#compareWithModel(run, step.event, step.state)
    run.state = step.state
    if (fact.type === 'run.resumed') run.pending = []
    run.pending.push(...step.effects)
    for (const effect of step.effects.filter(({ type }) => type === 'abort' || type === 'cancel')) {
      run.pending.splice(run.pending.indexOf(effect), 1)
      this.#perform({ ...run, state: { ...run.state, end: null } }, effect)
    }
    if (run.state.end !== null) {
      run.pending = []
      this.#report(run)
    }
  }

  #report({ parent, callId, state }: LiveRun): undefined {
    if (parent === null || state.end === null || parent.state.end !== null) return
    const { end, totals } = state
    const ended = { call_id: callId, latency_ms: 0, usage: totals }
    this.#fact(
      parent,
      end.status === 'completed'
        ? { type: 'call.answered', result: end.output ?? null, ...ended }
        : {
            type: 'call.failed',
            code: end.error?.code ?? 'SUBAGENT_FAILED',
            message: 'x',
            outcome: 'answered',
            ...ended,
          },
    )
  }

  /** Compares the shares of the sub-agents that an event starts with what the model says is left. */
  #compareWithModel(run: LiveRun, { decision }: RunEvent, after: RunState): undefined {
    const runs = ({ agent, status }: CallEntry) =>
      agent !== undefined && (status === 'sent' || status === 'held')
    const known = new Set(run.state.calls.filter(runs).map(({ key }) => key))
    const started = after.calls.filter((call) => runs(call) && !known.has(call.key))
    if (started.length === 0 || decision.end !== undefined) return
    const running = after.calls.filter((call) => runs(call) && known.has(call.key))
    const queued = after.calls.filter(({ status }) => status === 'queued')
    const tools = after.calls.filter(({ agent, status }) => agent === undefined && status !== 'done').length
    this.starts += started.length
    for (const kind of KINDS) {
      const budget = smaller(this.budget[kind], after.limits[kind])
      if (budget === undefined) continue
      // The tools of the same round are counted in the totals as soon as they are sent.
      const used = spent(after.totals)[kind]
      const given = (calls: readonly CallEntry[]) =>
        calls.map((call) => call.agent?.limits[kind] ?? Number.NaN)
      const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0)
      const left = Math.max(0, budget - used - sum(given(running)))
      const shares = given(started)
      const where = `${kind}: ${left} left of ${budget}, ${started.length} start, ${queued.length} queued, ${tools} tools, shares ${shares}`
      const n = started.length + queued.length
      assert.ok(sum(shares) <= left + 1e-9, `shares exceed what is left: ${where}`)
      if (queued.length === 0) assert.ok(Math.abs(sum(shares) - left) < 1e-9, `something is lost: ${where}`)
      const least = kind === 'usd' ? left / n - 1e-9 : Math.floor(left / n)
      const most = kind === 'usd' ? left / n + 1e-9 : Math.ceil(left / n)
      for (const share of shares) {
        assert.ok(share >= least, `a share is too small: ${where}`)
        assert.ok(share <= most, `a share is too large: ${where}`)
      }
      if (kind !== 'usd' && left >= 1)
        assert.ok((shares[0] ?? 0) >= 1, `refused although enough is left: ${where}`)
      if (left === 0) this.refusals++
    }
  }

  #checkSpent(): undefined {
    const { tokens, usd, calls } = this.budget
    const limits = JSON.stringify(this.budget)
    if (calls !== undefined) assert.ok(this.sent.calls <= calls, `${this.sent.calls} calls of ${limits}`)
    if (tokens !== undefined) assert.ok(this.sent.tokens <= tokens, `${this.sent.tokens} tokens of ${limits}`)
    if (usd !== undefined)
      assert.ok(this.sent.tokens * USD_PER_TOKEN <= usd + 1e-9, `${this.sent.tokens} tokens of ${limits}`)
  }
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b)
}

describe('the shares of a budget', () => {
  test('in every topology, a share is what the model says is left, and never more is spent than the budget', () => {
    let starts = 0
    let refusals = 0
    for (let seed = 1; seed <= 600; seed++) {
      const simulation = new Simulation(seed)
      try {
        simulation.run()
      } catch (error) {
        const { mode } = simulation.root.program.plan.orchestration ?? {}
        throw new Error(`seed ${seed} (${mode}): ${(error as Error).message}`, { cause: error })
      }
      starts += simulation.starts
      refusals += simulation.refusals
    }
    assert.ok(starts > 1000, `${starts} sub-agents started`)
    assert.ok(refusals > 20 && refusals < starts / 2, `${refusals} starts with nothing left`)
  })
})
