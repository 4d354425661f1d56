import { setTimeout as sleep } from 'node:timers/promises'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { isObject } from '../../document/json.ts'
import { AUTHORS, OPERATORS, param, READERS, type Route } from '../../http/route.ts'
import { id, PAGE, pageOf } from '../../http/schema.ts'
import type { Agents, AgentView } from '../../platform/agents/agent.ts'
import { type ShortPlan, shortPlanOf, unplanned } from '../../platform/agents/agent-plan.ts'
import { isSmall } from '../../platform/agents/definition-reader.ts'
import type { PlanSettings } from '../../platform/agents/start-run.ts'
import type { Tenant } from '../../platform/platform.ts'
import type { PageOf } from '../../run/record/records.ts'
import type { Schema } from '../../spec/schema-builder.ts'
import { acceptedDefinitions } from '../accepted-types.ts'
import { DEFINITION_TYPES } from '../read-body.ts'
import {
  agentPlan,
  agentView,
  labelTarget,
  planSettings,
  uploadedAgent,
  versionChoice,
} from '../schemas/agent-schemas.ts'

interface VersionChoice {
  readonly version?: string
}

interface LevelChoice {
  readonly levels?: boolean
}

/** The parameter for the whole report of levels: it lists each requirement that a definition does not meet. */
const LEVELS: Readonly<Record<string, Schema>> = {
  levels: { type: 'boolean', description: 'Also what is missing for each conformance level.' },
}

/** Who may plan: who uploads definitions, and who starts runs of them. */
const PLANNERS = [...AUTHORS, ...OPERATORS]

/** How long the answer to an upload waits for the plan, in milliseconds. */
const PLAN_MS = 5000

const shown = { description: 'The version.', schema: agentView }
const page = { description: 'A page of versions.', schema: pageOf(agentView) }

/** Definitions: upload, versions, labels, activation. */
export const AGENT_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'POST',
    path: '/v1/agents',
    name: 'uploadAgent',
    summary: 'Uploads a definition as JSON, YAML, CBOR or MessagePack.',
    tag: 'agents',
    access: AUTHORS,
    query: {
      ...LEVELS,
      draft: {
        type: 'boolean',
        description:
          'Other bytes of a version that exists are stored as a draft, which is known by its digest, is never active and is removed when no run uses it.',
      },
    },
    body: { kind: 'definition' },
    answers: {
      200: { description: 'These bytes are known already.', schema: uploadedAgent },
      201: { description: 'The new version.', schema: uploadedAgent },
    },
    async handle({ tenant, bytes, headers, query }) {
      const { draft, levels } = query as { readonly draft?: boolean } & LevelChoice
      const { agents } = tenant
      const mediaType = headers['content-type'] ?? ''
      const { created, agent } = await agents.upload(bytes, mediaType, defined({ draft }))
      // Planning a thousand tools takes several hundred milliseconds of this thread.
      const plan = isSmall(bytes, mediaType) ? await shortPlan(agents, agent) : null
      return { status: created ? 201 : 200, json: { ...withLevels(agent, levels), plan } }
    },
  },
  {
    method: 'POST',
    path: '/v1/agents/{agent}/plan',
    name: 'planAgent',
    summary: 'Plans a run of an agent without starting it.',
    tag: 'agents',
    access: PLANNERS,
    body: { kind: 'json', schema: planSettings, optional: true },
    answers: { 200: { description: 'The plan.', schema: agentPlan } },
    handle: async (call) => ({
      status: 200,
      json: await call.tenant.agents.plan(param(call, 'agent'), (call.body ?? {}) as PlanSettings),
    }),
  },
  {
    method: 'POST',
    path: '/v1/plans',
    name: 'planDefinition',
    summary: 'Plans a run of a definition without storing or activating it.',
    tag: 'agents',
    access: AUTHORS,
    query: { rehearse: { type: 'boolean', description: 'Test doubles replace the models and the tools.' } },
    body: { kind: 'definition' },
    answers: { 200: { description: 'The plan.', schema: agentPlan } },
    handle: async ({ tenant, bytes, headers, query }) => ({
      status: 200,
      json: await tenant.agents.planUpload(
        bytes,
        headers['content-type'] ?? '',
        query as Pick<PlanSettings, 'rehearse'>,
      ),
    }),
  },
  {
    method: 'GET',
    path: '/v1/agents',
    name: 'listAgents',
    summary: 'Lists the newest or the active version of each agent.',
    tag: 'agents',
    access: READERS,
    query: { ...PAGE, ...LEVELS, name: id('Only the agents with exactly this name.') },
    answers: { 200: page },
    handle: async ({ tenant, query }) => ({
      status: 200,
      json: pageWithLevels(await tenant.agents.list(query), query),
    }),
  },
  {
    method: 'GET',
    path: '/v1/agents/{agent}',
    name: 'readAgent',
    summary: 'Returns the active version of an agent, else the newest.',
    tag: 'agents',
    access: READERS,
    query: { ...LEVELS, version: id('A version or a label.') },
    answers: { 200: shown },
    async handle(call) {
      const { version, levels } = call.query as VersionChoice & LevelChoice
      return {
        status: 200,
        json: withLevels(await call.tenant.agents.read(param(call, 'agent'), version), levels),
      }
    },
  },
  {
    method: 'GET',
    path: '/v1/agents/{agent}/versions',
    name: 'listVersions',
    summary: 'Lists the versions of an agent.',
    tag: 'agents',
    access: READERS,
    query: { ...PAGE, ...LEVELS },
    answers: { 200: page },
    handle: async (call) => ({
      status: 200,
      json: pageWithLevels(
        await call.tenant.agents.versions(param(call, 'agent'), call.query),
        call.query as LevelChoice,
      ),
    }),
  },
  {
    method: 'GET',
    path: '/v1/agents/{agent}/versions/{version}',
    name: 'readDefinition',
    summary: 'Returns a definition: the bytes as they were uploaded if `accept` names their media type.',
    tag: 'agents',
    access: READERS,
    answers: { 200: { description: 'The definition.', mediaTypes: DEFINITION_TYPES } },
    async handle(call) {
      const accepted = acceptedDefinitions(call.headers.accept)
      const found = await call.tenant.agents.definition(
        param(call, 'agent'),
        param(call, 'version'),
        accepted,
      )
      return { status: 200, bytes: found.body, mediaType: found.mediaType, headers: { vary: 'accept' } }
    },
  },
  versionRoute('activate', 'Makes a version the active one: new runs use it.'),
  versionRoute('deprecate', 'Deprecates a version: no new run uses it.'),
  {
    method: 'PUT',
    path: '/v1/agents/{agent}/labels/{label}',
    name: 'setLabel',
    summary: 'Moves a label, such as `production`, to a version.',
    tag: 'agents',
    access: AUTHORS,
    body: { kind: 'json', schema: labelTarget },
    answers: { 200: shown },
    async handle(call) {
      const { version } = call.body as Required<VersionChoice>
      const agent = await call.tenant.agents.label(param(call, 'agent'), param(call, 'label'), version)
      return { status: 200, json: withLevels(agent) }
    },
  },
  {
    method: 'DELETE',
    path: '/v1/agents/{agent}/labels/{label}',
    name: 'removeLabel',
    summary: 'Removes a label.',
    tag: 'agents',
    access: AUTHORS,
    answers: { 200: shown },
    handle: async (call) => ({
      status: 200,
      json: withLevels(await call.tenant.agents.label(param(call, 'agent'), param(call, 'label'), null)),
    }),
  },
]

/** Returns an agent with its levels, by default without the lists of what is missing. */
function withLevels(agent: AgentView, whole = false): AgentView {
  if (whole) return agent
  const levels = Object.entries(agent.levels).map(([level, status]) => [
    level,
    isObject(status) ? { met: status.met ?? false } : status,
  ])
  return { ...agent, levels: Object.fromEntries(levels) }
}

function pageWithLevels(page: PageOf<AgentView>, { levels }: LevelChoice): PageOf<AgentView> {
  return { ...page, items: page.items.map((agent) => withLevels(agent, levels)) }
}

/** Returns what a run of a version would lack; null if planning takes too long. The upload is stored already. */
async function shortPlan(
  agents: Agents,
  { agent_id, version, status }: AgentView,
): Promise<ShortPlan | null> {
  if (status === 'pending' || status === 'deprecated') return null
  const late = sleep(PLAN_MS, null, { ref: false })
  const planned = agents
    .plan(agent_id, { version })
    .then(shortPlanOf, (error: unknown) => (error instanceof WaybillError ? unplanned(error) : null))
  return Promise.race([planned, late])
}

/** A route that changes the status of the version that the body names. */
function versionRoute(change: 'activate' | 'deprecate', summary: string): Route<Tenant> {
  return {
    method: 'POST',
    path: `/v1/agents/{agent}/${change}`,
    name: `${change}Agent`,
    summary,
    tag: 'agents',
    access: AUTHORS,
    body: { kind: 'json', schema: versionChoice, optional: true },
    answers: { 200: shown },
    handle: async (call) => ({
      status: 200,
      json: withLevels(
        await call.tenant.agents[change](param(call, 'agent'), (call.body as VersionChoice).version),
      ),
    }),
  }
}
