import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256 } from '../../src/document/canonical.ts'
import type { Code } from '../../src/document/codes.ts'
import { encodeDocument } from '../../src/document/encode-document.ts'
import { WaybillError } from '../../src/document/issue.ts'
import type { Json } from '../../src/document/json.ts'
import { encodingOfMediaType, mediaTypeOf } from '../../src/document/media-types.ts'
import { readDocument } from '../../src/document/read-document.ts'
import type { AgentPlan, Agents, AgentView } from '../../src/platform/agents/agent.ts'
import type { BudgetView } from '../../src/platform/budgets/budget.ts'
import { FEATURES } from '../../src/platform/features.ts'
import type { Approvals, ApprovalView } from '../../src/platform/inbox/approval.ts'
import type { PeerView } from '../../src/platform/moves/move.ts'
import type { Platform, Tenant } from '../../src/platform/platform.ts'
import type { Requests, StoredAnswer } from '../../src/platform/records/requests.ts'
import type { RunView } from '../../src/platform/records/run-view.ts'
import type { Erasure } from '../../src/platform/removal/removal.ts'
import type { Runs, SessionStarts, StartRun } from '../../src/platform/runs/run.ts'
import type { TenantSecrets } from '../../src/platform/secrets/secret.ts'
import type { Sessions, SessionView } from '../../src/platform/sessions/session.ts'
import type { Stops } from '../../src/platform/stops/stop.ts'
import { eventIdAhead } from '../../src/platform/streams/event-id-ahead.ts'
import type { StreamItem } from '../../src/platform/streams/stream-item.ts'
import { hookRoutes } from '../../src/platform/triggers/routes.ts'
import type { RunEvent } from '../../src/run/event.ts'
import type { Page, PageOf } from '../../src/run/record/records.ts'
import type { Principal, Role } from '../../src/session/principal.ts'
import { FakeInbox } from './fake-inbox.ts'
import { fakeMoves, fakePeers } from './fake-moves.ts'
import { assertOwn, FakePeople, fakeOrganisations, fakeStops } from './fake-people.ts'
import { fakeRemoval } from './fake-removal.ts'
import { fakeRules } from './fake-rules.ts'
import { fakeSecrets } from './fake-secrets.ts'
import { FakeTriggers, fakeHooks } from './fake-triggers.ts'
import { FakeWebhooks } from './fake-webhooks.ts'
import { memoryHome } from './memory-home.ts'

interface StoredRun {
  view: RunView
  readonly events: RunEvent[]
  readonly input: Json
}

interface Organisation {
  readonly agents: Map<string, { versions: (AgentView & { bytes: Uint8Array })[] }>
  readonly runs: Map<string, StoredRun>
  readonly batches: Map<string, { agent_id: string; runs: string[] }>
  readonly sessions: Map<string, SessionView>
  readonly approvals: Map<string, ApprovalView & { decided?: string }>
  readonly erasures: Map<string, Erasure>
  readonly requests: Map<string, { hash: string; id: string; answer: Promise<StoredAnswer> }>
  budgets: readonly BudgetView[]
  readonly people: FakePeople
  readonly stops: Stops
  readonly secrets: TenantSecrets
  readonly webhooks: FakeWebhooks
  readonly inbox: FakeInbox
  readonly triggers: FakeTriggers
  readonly migrations: Set<string>
  readonly peers: Map<string, PeerView>
  readonly home: Tenant['home']
}

/** A platform in memory. It is as strict as a real one: wrong calls throw, unknown ids are refused. */
export class FakePlatform implements Platform {
  readonly features = FEATURES
  readonly publicRoutes = hookRoutes(fakeHooks)
  /** Principal by token. */
  readonly tokens = new Map<string, Principal>()
  readonly #organisations = new Map<string, Organisation>()
  /** Thrown by `assertReady`. */
  notReady: Error | undefined
  /** Thrown by every method of a tenant. */
  failure: Error | undefined
  /** Items that `follow` gives before those of the run, with the milliseconds before each. */
  followed: (signal: AbortSignal) => AsyncIterable<StreamItem> = async function* () {}
  open = 0

  /** Adds a token. @returns it */
  token(organisation: string, ...roles: Role[]): string {
    const token = `wbt_${randomUUID()}`
    this.tokens.set(token, { organisation, user: `${organisation}-${roles.join('-')}`, roles })
    return token
  }

  async authenticateSession(): Promise<null> {
    return null
  }

  async authenticate(token: string): Promise<Principal | null> {
    return this.tokens.get(token) ?? null
  }

  async assertReady(): Promise<void> {
    if (this.notReady !== undefined) throw this.notReady
  }

  jwks() {
    return { keys: [] }
  }

  async measure() {
    return { runs: [{ phase: 'parked', count: 3 }], workers: 2, oldest_due_seconds: 0.5 }
  }

  async close(): Promise<void> {}

  tenant(principal: Principal): Tenant {
    if (this.failure !== undefined) throw this.failure
    const org = this.#organisation(principal)
    const approvals = fakeApprovals(org)
    const runs = fakeRuns(org, this)
    return {
      principal,
      agents: fakeAgents(org, principal),
      runs,
      sessions: fakeSessions(org, runs),
      approvals,
      rules: fakeRules({ principal, home: org.home, approvals }),
      budgets: {
        read: async () => ({ budgets: org.budgets }),
        async replace({ budgets }) {
          org.budgets = budgets.map((budget) => ({ ...budget, renews_at: '2027-01-01T00:00:00.000Z' }))
          return { budgets: org.budgets }
        },
      },
      stops: org.stops,
      organisations: fakeOrganisations(principal, [...this.#organisations.keys()]),
      async people(organisation = principal.organisation) {
        assertOwn(principal, organisation)
        return org.people.people()
      },
      async tokens(organisation = principal.organisation) {
        assertOwn(principal, organisation)
        return org.people.tokens(principal)
      },
      async secrets(organisation = principal.organisation) {
        assertOwn(principal, organisation)
        return org.secrets
      },
      browserSessions: {
        open: async () => ({ cookie: 'c'.repeat(43), csrf: 'csrf', expires_at: '2026-11-30T00:00:00.000Z' }),
        end: async () => {},
      },
      webhooks: org.webhooks.webhooks(principal),
      inbox: org.inbox.inbox(principal, org.approvals),
      triggers: org.triggers.triggers(principal),
      moves: fakeMoves(org.runs, org.migrations),
      peers: fakePeers(org.peers, principal),
      removal: async () => fakeRemoval(org.runs, org.erasures),
      requests: fakeRequests(org, principal),
      home: org.home,
    }
  }

  /** Adds an open question. */
  ask(organisation: string, id: string): void {
    const approval: ApprovalView = {
      id,
      kind: 'call',
      run_id: 'r1',
      call_id: 'c1',
      agent_id: 'a1',
      agent_name: 'Clerk',
      digest: `sha256:${'0'.repeat(64)}`,
      tool: 'refund',
      arguments: { amount: 5 },
      asks: 'approval',
    }
    this.#organisation({ organisation, user: 'x', roles: [] }).approvals.set(id, approval)
  }

  #organisation(principal: Principal): Organisation {
    const known = this.#organisations.get(principal.organisation)
    if (known !== undefined) return known
    const org: Organisation = {
      agents: new Map(),
      runs: new Map(),
      batches: new Map(),
      sessions: new Map(),
      approvals: new Map(),
      erasures: new Map(),
      requests: new Map(),
      budgets: [],
      people: new FakePeople(),
      stops: fakeStops(principal.organisation),
      secrets: fakeSecrets(),
      webhooks: new FakeWebhooks(),
      inbox: new FakeInbox(),
      triggers: new FakeTriggers(),
      migrations: new Set(),
      peers: new Map(),
      home: memoryHome(principal),
    }
    this.#organisations.set(principal.organisation, org)
    return org
  }
}

function missing(code: Code, what: string): WaybillError {
  return new WaybillError(code, { fault: 'usage', message: `${what} is not known` })
}

function page<T>(all: readonly T[], { limit = 100, cursor = '0' }: Page): PageOf<T> {
  if (!/^\d{1,9}$/.test(cursor))
    throw new WaybillError('CURSOR_INVALID', { fault: 'usage', message: 'not a valid cursor' })
  const from = Number(cursor)
  const items = all.slice(from, from + limit)
  return { items, next: from + limit < all.length ? String(from + limit) : null }
}

/** The members of a plan that the server reads. */
const READ_PLAN = {
  ok: true,
  plan_hash: 'p',
  models: [],
  tools: [],
  subagents: [],
  secrets: [],
  degradations: [],
}
const NO_PLAN = READ_PLAN as unknown as AgentPlan

function fakeAgents({ agents }: Organisation, principal: Principal): Agents {
  const versionsOf = (agentId: string) => {
    const found = agents.get(agentId)
    if (found === undefined) throw missing('AGENT_NOT_FOUND', 'the agent')
    return found
  }
  const find = (agentId: string, version?: string) => {
    const { versions } = versionsOf(agentId)
    const found =
      version === undefined
        ? (versions.find(({ status }) => status === 'active') ?? versions.at(-1))
        : versions.find((entry) => entry.version === version || entry.labels.includes(version))
    if (found === undefined) throw missing('VERSION_NOT_FOUND', 'the version')
    return found
  }
  const view = ({ bytes: _bytes, ...shown }: AgentView & { bytes: Uint8Array }): AgentView => shown
  const change = (agentId: string, version: string | undefined, members: Partial<AgentView>) => {
    const chosen = find(agentId, version)
    const { versions } = versionsOf(agentId)
    if (members.status === 'active')
      for (const [index, entry] of versions.entries())
        if (entry.status === 'active') versions[index] = { ...entry, status: 'inactive' }
    const changed = { ...chosen, ...members }
    versions[versions.findIndex((entry) => entry.version === chosen.version)] = changed
    return view(changed)
  }
  return {
    async upload(body, mediaType) {
      const encoding = encodingOfMediaType(mediaType)
      const { document, issues } = readDocument(body, encoding === undefined ? {} : { encoding })
      if (document === undefined)
        throw new WaybillError('DEFINITION_INVALID', { message: 'the definition is not valid', issues })
      const definition = document.value as { agent_id?: string; version?: string; agent?: { name?: string } }
      const { agent_id, version = '1.0.0', agent } = definition
      if (typeof agent_id !== 'string' || agent_id === '' || typeof version !== 'string')
        throw new WaybillError('DEFINITION_INVALID', { message: 'agent_id is missing', issues: [] })
      const digest = `sha256:${sha256(Buffer.from(body).toString('base64'))}`
      const known = agents.get(agent_id)?.versions ?? []
      const same = known.find((entry) => entry.version === version)
      if (same !== undefined && same.digest !== digest)
        throw new WaybillError('VERSION_EXISTS', { message: 'this version has other bytes' })
      if (same !== undefined) return { created: false, agent: view(same) }
      const added = {
        agent_id,
        name: agent?.name ?? agent_id,
        version,
        digest,
        media_type: mediaType,
        status: known.length === 0 ? ('active' as const) : ('inactive' as const),
        labels: [],
        levels: {},
        negotiation: {},
        issues: [],
        uploaded_by: principal.user,
        created_at: new Date().toISOString(),
        bytes: body.slice(),
      }
      agents.set(agent_id, { versions: [...known, added] })
      return { created: true, agent: view(added) }
    },
    list: async (request) =>
      page(
        [...agents.keys()]
          .map((id) => view(find(id)))
          .filter(({ name }) => request.name === undefined || name === request.name),
        request,
      ),
    read: async (agentId, version) => view(find(agentId, version)),
    versions: async (agentId, request) => page(versionsOf(agentId).versions.map(view), request),
    plan: async (agentId, { version }) => {
      const { name } = find(agentId, version)
      return { ...NO_PLAN, agent_id: agentId, agent_name: name }
    },
    planUpload: async (body) => ({ ...NO_PLAN, ...{ bytes: body.byteLength } }),
    async definition(agentId, version, accepted) {
      const { bytes, media_type } = find(agentId, version)
      const own = encodingOfMediaType(media_type)
      for (const type of accepted) {
        const encoding = type.endsWith('/*') ? own : encodingOfMediaType(type)
        if (encoding === undefined) continue
        if (encoding === own) return { body: bytes, mediaType: media_type }
        const { document } = readDocument(bytes, own === undefined ? {} : { encoding: own })
        const body = encodeDocument(document?.value ?? null, encoding)
        return { body: Buffer.from(body), mediaType: mediaTypeOf(encoding, 'aaif.agent') }
      }
      throw new TypeError('no accepted media type is one of a definition')
    },
    activate: async (agentId, version) =>
      change(agentId, version ?? versionsOf(agentId).versions.at(-1)?.version, { status: 'active' }),
    deprecate: async (agentId, version) => change(agentId, version, { status: 'deprecated' }),
    async label(agentId, label, version) {
      const { versions } = versionsOf(agentId)
      const before = versions.find(({ labels }) => labels.includes(label))
      if (before !== undefined)
        change(agentId, before.version, { labels: before.labels.filter((name) => name !== label) })
      else if (version === null) throw missing('VERSION_NOT_FOUND', 'the label')
      const chosen = find(agentId, version ?? before?.version)
      return version === null ? view(chosen) : change(agentId, version, { labels: [...chosen.labels, label] })
    },
  }
}

function fakeRuns(org: Organisation, platform: FakePlatform): Runs & SessionStarts {
  const find = (runId: string) => {
    const run = org.runs.get(runId)
    if (run === undefined)
      throw new WaybillError('RUN_NOT_FOUND', { fault: 'usage', message: `no run has the id ${runId}` })
    return run
  }
  const change = (runId: string, status: RunView['status']) => {
    const run = find(runId)
    run.view = { ...run.view, status }
    return { run_id: runId, status }
  }
  const start = async (agentId: string, request: StartRun, runId: string = randomUUID()) => {
    const agent = org.agents.get(agentId)?.versions[0]
    if (agent === undefined) throw missing('AGENT_NOT_FOUND', 'the agent')
    const now = new Date().toISOString()
    const { input = null, user, session } = request
    if (!org.runs.has(runId)) {
      const status = request.start_after === undefined ? ('queued' as const) : ('scheduled' as const)
      const view: RunView = {
        run_id: runId,
        status,
        agent_id: agentId,
        agent_name: agent.name,
        version: agent.version,
        ...(user !== undefined && { user }),
        ...(session !== undefined && { session }),
        created_at: now,
        updated_at: now,
      }
      const fact = { type: 'run.started', input } as const
      const events = [1, 2, 3].map(
        (seq) => ({ seq, at: 1_000 * seq, fact, decision: {} }) as unknown as RunEvent,
      )
      org.runs.set(runId, { view, events, input })
    }
    return { run_id: runId, status: find(runId).view.status }
  }
  const batch: Runs['readBatch'] = async (batchId, request) => {
    const found = org.batches.get(batchId)
    if (found === undefined) throw missing('BATCH_NOT_FOUND', 'the batch')
    const { items, next } = page(
      found.runs.map((id) => find(id).view),
      request,
    )
    return { batch_id: batchId, agent_id: found.agent_id, inputs: found.runs.length, done: 0, items, next }
  }
  return {
    start,
    /** An input of `"slow"` never ends; every other one ends at once. */
    async settled(runId, withinMs, signal) {
      const run = find(runId)
      if (run.input === 'slow') await sleep(withinMs, undefined, signal === undefined ? {} : { signal })
      else change(runId, 'completed')
      return find(runId).view
    },
    list: async ({ status, agent_id, user, ...request }) => {
      const all = [...org.runs.values()].map(({ view }) => view)
      const chosen = all.filter(
        (view) =>
          (status === undefined || view.status === status) &&
          (agent_id === undefined || view.agent_id === agent_id) &&
          (user === undefined || view.user === user),
      )
      return page(chosen, request)
    },
    read: async (runId) => find(runId).view,
    async events(runId, after, limit) {
      const { events } = find(runId)
      if (after > events.length) throw eventIdAhead(runId, after, events.length)
      return events.filter(({ seq }) => seq > after).slice(0, limit)
    },
    async *follow(runId, after, signal) {
      const run = find(runId)
      platform.open++
      try {
        for (const event of run.events) if (event.seq > after) yield { type: 'event', event }
        yield* platform.followed(signal)
        signal.throwIfAborted()
        yield { type: 'end', run: run.view }
      } finally {
        platform.open--
      }
    },
    pause: async (runId) => change(runId, 'paused'),
    resume: async (runId) => change(runId, 'queued'),
    cancel: async (runId) => change(runId, 'cancelled'),
    async retry(runId, newRunId) {
      const { view, input } = find(runId)
      return start(view.agent_id, { input }, newRunId)
    },
    async startBatch(agentId, inputs, _request, batchId = randomUUID()) {
      const runs: string[] = []
      for (const input of inputs) runs.push((await start(agentId, { input })).run_id)
      org.batches.set(batchId, { agent_id: agentId, runs })
      return batch(batchId, {})
    },
    readBatch: batch,
  }
}

function fakeSessions({ sessions, agents }: Organisation, { start }: SessionStarts): Sessions {
  const find = (session: string) => {
    const found = sessions.get(session)
    if (found === undefined) throw missing('SESSION_NOT_FOUND', 'the session')
    return found
  }
  return {
    start,
    list: async (request) => page([...sessions.values()], request),
    read: async (session) => find(session),
    async create({ agent_id, session = randomUUID(), user }) {
      if (!agents.has(agent_id)) throw missing('AGENT_NOT_FOUND', 'the agent')
      const view: SessionView = {
        session,
        agent_id,
        ...(user !== undefined && { user }),
        run_id: null,
        status: null,
        queued: 0,
        created_at: new Date().toISOString(),
      }
      sessions.set(session, sessions.get(session) ?? view)
      return find(session)
    },
    async send(session, { on_busy }) {
      const { queued, ...rest } = find(session)
      if (on_busy === 'reject' && queued > 0)
        throw new WaybillError('SESSION_BUSY', { message: 'a run is active' })
      sessions.set(session, { ...rest, queued: queued + 1 })
      return find(session)
    },
  }
}

function fakeApprovals({ approvals }: Organisation): Approvals {
  return {
    list: async ({ run_id, ...request }) =>
      page(
        [...approvals.values()].filter(
          (entry) => entry.decided === undefined && (run_id === undefined || entry.run_id === run_id),
        ),
        request,
      ),
    async decide(id, { verdict }) {
      const approval = approvals.get(id)
      if (approval === undefined) throw missing('APPROVAL_NOT_FOUND', 'the approval')
      if (verdict === 'resend' || verdict === 'assume')
        throw new WaybillError('APPROVAL_VERDICT_INVALID', { fault: 'usage', message: 'approve or deny it' })
      const { decided, ...view } = approval
      if (decided !== undefined)
        throw new WaybillError('APPROVAL_DECIDED', { message: `already decided: ${decided}` })
      approvals.set(id, { ...view, decided: verdict })
      return view
    },
  }
}

function fakeRequests({ requests }: Organisation, { user }: Principal): Requests {
  return {
    async once({ operation, key, bodyHash }, act) {
      const place = JSON.stringify([user, operation, key])
      const known = requests.get(place)
      if (known === undefined) {
        const id = randomUUID()
        const answer = act(id)
        requests.set(place, { hash: bodyHash, id, answer })
        try {
          return { ...(await answer), repeated: false }
        } catch (error) {
          requests.delete(place)
          throw error
        }
      }
      if (known.hash !== bodyHash)
        throw new WaybillError('IDEMPOTENCY_CONFLICT', {
          message: 'the key was used with another body',
        })
      return { ...(await known.answer), repeated: true }
    },
  }
}
