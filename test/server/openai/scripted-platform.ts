import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { WaybillError } from '../../../src/document/issue.ts'
import type { AgentView } from '../../../src/platform/agents/agent.ts'
import type { Platform, Tenant } from '../../../src/platform/platform.ts'
import type { KeyedRequest, StoredAnswer } from '../../../src/platform/records/requests.ts'
import type { RunView } from '../../../src/platform/records/run-view.ts'
import type { StartRun } from '../../../src/platform/runs/run.ts'
import type { StreamItem } from '../../../src/platform/streams/stream-item.ts'
import type { Decision, Fact } from '../../../src/run/event.ts'
import { NOTHING_USED } from '../../../src/run/initial-state.ts'
import { FakePlatform } from '../fake-platform.ts'

/** A run that a test drives. */
export class ScriptedRun extends EventEmitter {
  readonly request: StartRun
  readonly items: StreamItem[] = []
  view: RunView

  constructor(runId: string, agentId: string, request: StartRun) {
    super()
    this.setMaxListeners(0)
    this.request = request
    const now = new Date().toISOString()
    this.view = {
      run_id: runId,
      status: 'running',
      agent_id: agentId,
      agent_name: agentId,
      created_at: now,
      updated_at: now,
    }
    this.event({ type: 'run.started', input: request.input ?? null })
  }

  push(item: StreamItem): void {
    this.items.push(item)
    this.emit('changed')
  }

  event(fact: Fact, decision: Decision = {}): void {
    const seq = this.items.filter(({ type }) => type === 'event').length + 1
    this.push({ type: 'event', event: { seq, at: seq, fact, decision } })
  }

  text(text: string, attempt = 1): void {
    const has = this.items.some((item) => item.type === 'text.snapshot' && item.attempt === attempt)
    this.push({ type: has ? 'text' : 'text.snapshot', attempt, text })
  }

  answer(text: string, attempt = 1): void {
    this.event({
      type: 'model.answered',
      attempt,
      message: { role: 'assistant', text, calls: [] },
      finish: 'stop',
      usage: { input_tokens: 7, output_tokens: 3 },
      latency_ms: 1,
    })
  }

  change(members: Partial<RunView>): void {
    this.view = { ...this.view, updated_at: new Date().toISOString(), ...members }
    this.emit('changed')
  }

  complete(output: RunView['output'] = null, members: Partial<RunView> = {}): void {
    const usage = { ...NOTHING_USED, input_tokens: 7, output_tokens: 3 }
    this.change({ status: 'completed', output, usage, ...members })
    this.push({ type: 'end', run: this.view })
  }

  changed(signal?: AbortSignal): Promise<unknown> {
    return once(this, 'changed', signal === undefined ? {} : { signal })
  }
}

/** A platform whose runs are driven by the test: `begun` is called with each new run. */
export class ScriptedPlatform extends FakePlatform implements Platform {
  readonly runs: ScriptedRun[] = []
  readonly agents: AgentView[] = []
  readonly #requests = new Map<string, { answer: Promise<StoredAnswer> }>()
  begun: (run: ScriptedRun) => void = () => {}

  agent(
    agent_id: string,
    name: string,
    labels: readonly string[] = ['openai'],
    status: AgentView['status'] = 'active',
  ) {
    this.agents.push({
      agent_id,
      name,
      version: '1.0.0',
      digest: 'sha256:0',
      media_type: 'application/json',
      status,
      labels,
      levels: {},
      negotiation: {},
      issues: [],
      uploaded_by: 'u',
      created_at: '2026-01-02T03:04:05Z',
    })
  }

  override tenant(principal: Tenant['principal']): Tenant {
    const tenant = super.tenant(principal)
    const find = (runId: string) => {
      const run = this.runs.find(({ view }) => view.run_id === runId)
      if (run === undefined)
        throw new WaybillError('RUN_NOT_FOUND', { fault: 'usage', message: 'no such run' })
      return run
    }
    return {
      ...tenant,
      agents: {
        ...tenant.agents,
        list: async () => ({ items: this.agents.filter(({ status }) => status === 'active'), next: null }),
        read: async (agentId, version) => {
          const agent = this.agents.find((one) => one.agent_id === agentId)
          if (agent === undefined)
            throw new WaybillError('AGENT_NOT_FOUND', { fault: 'usage', message: 'no agent' })
          if (version !== undefined && version !== agent.version && !agent.labels.includes(version))
            throw new WaybillError('VERSION_NOT_FOUND', { fault: 'usage', message: 'no version' })
          return agent
        },
      },
      runs: {
        ...tenant.runs,
        start: async (agentId, request, runId = randomUUID()) => {
          const run = new ScriptedRun(runId, agentId, request)
          this.runs.push(run)
          this.begun(run)
          return { run_id: runId, status: 'queued' }
        },
        read: async (runId) => find(runId).view,
        settled: async (runId, withinMs, signal) => {
          const run = find(runId)
          const limit = AbortSignal.timeout(withinMs)
          const until = signal === undefined ? limit : AbortSignal.any([signal, limit])
          while (run.view.status === 'running' && !until.aborted)
            await run.changed(until).catch(() => undefined)
          signal?.throwIfAborted()
          return run.view
        },
        async *follow(runId, after, signal) {
          const run = find(runId)
          for (let index = 0; !signal.aborted; index++) {
            while (run.items.length <= index && !signal.aborted)
              await run.changed(signal).catch(() => undefined)
            const item = run.items[index]
            if (item === undefined || signal.aborted) return
            if (item.type !== 'event' || item.event.seq > after) yield item
            if (item.type === 'end') return
          }
        },
      },
      requests: { once: (request, act) => this.#once(principal.user, request, act) },
    }
  }

  async #once(
    user: string,
    request: KeyedRequest,
    act: (id: string) => Promise<StoredAnswer>,
  ): Promise<StoredAnswer & { readonly repeated: boolean }> {
    const key = JSON.stringify([user, request.operation, request.key])
    const known = this.#requests.get(key)
    if (known !== undefined) {
      const answer = await known.answer
      if ((await request.stale?.(answer)) !== true) return { ...answer, repeated: true }
      if (this.#requests.get(key) === known) this.#requests.delete(key)
      return this.#once(user, request, act)
    }
    const answer = act(randomUUID())
    this.#requests.set(key, { answer })
    answer.catch(() => this.#requests.delete(key))
    return { ...(await answer), repeated: false }
  }
}
