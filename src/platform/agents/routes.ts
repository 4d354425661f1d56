import { setTimeout as sleep } from 'node:timers/promises'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { isObject } from '../../document/json.ts'
import { acceptedDefinitions, DEFINITION_TYPES } from '../../http/accepted-types.ts'
import { AUTHORS, OPERATORS, READERS, routesOf } from '../../http/route.ts'
import { flag, id, PAGE, pageOf } from '../../http/schema.ts'
import type { PageOf } from '../../run/record/records.ts'
import {
  type Agents,
  type AgentView,
  agentPlan,
  agentView,
  labelTarget,
  type ShortPlan,
  uploadedAgent,
  versionChoice,
} from './agent.ts'
import { shortPlanOf, unplanned } from './agent-plan.ts'
import { isSmall } from './definition-reader.ts'
import { planSettings } from './plan-settings.ts'

const route = routesOf<{ readonly agents: Agents }>()

/** The parameter for the whole report of levels: it lists each requirement that a definition does not meet. */
const LEVELS = { levels: flag('Also what is missing for each conformance level.') }

/** Who may plan: who uploads definitions, and who starts runs of them. */
const PLANNERS = [...AUTHORS, ...OPERATORS]

/** How long the answer to an upload waits for the plan, in milliseconds. */
const PLAN_MS = 5000

const shown = { description: 'The version.', schema: agentView }
const page = { description: 'A page of versions.', schema: pageOf(agentView) }

const uploadAgent = route({
  method: 'POST',
  path: '/v1/agents',
  name: 'uploadAgent',
  summary: 'Uploads a definition as JSON, YAML, CBOR or MessagePack.',
  tag: 'agents',
  access: AUTHORS,
  query: {
    ...LEVELS,
    draft: flag(
      'Other bytes of a version that exists are stored as a draft, which is known by its digest, is never active and is removed when no run uses it.',
    ),
  },
  body: { kind: 'definition' },
  answers: {
    200: { description: 'These bytes are known already.', schema: uploadedAgent },
    201: { description: 'The new version.', schema: uploadedAgent },
  },
  async handle({ tenant, bytes, headers, query }) {
    const { draft, levels } = query
    const { agents } = tenant
    const mediaType = headers['content-type'] ?? ''
    const { created, agent } = await agents.upload(bytes, mediaType, defined({ draft }))
    // Planning a thousand tools takes several hundred milliseconds of this thread.
    const plan = isSmall(bytes, mediaType) ? await shortPlan(agents, agent) : null
    return { status: created ? 201 : 200, json: { ...withLevels(agent, levels), plan } }
  },
})

const planAgent = route({
  method: 'POST',
  path: '/v1/agents/{agent}/plan',
  name: 'planAgent',
  summary: 'Plans a run of an agent without starting it.',
  tag: 'agents',
  access: PLANNERS,
  body: { kind: 'json', schema: planSettings, optional: true },
  answers: { 200: { description: 'The plan.', schema: agentPlan } },
  handle: async ({ tenant, params, body }) => ({
    status: 200,
    json: await tenant.agents.plan(params.agent, body),
  }),
})

const planDefinition = route({
  method: 'POST',
  path: '/v1/plans',
  name: 'planDefinition',
  summary: 'Plans a run of a definition without storing or activating it.',
  tag: 'agents',
  access: AUTHORS,
  query: { rehearse: flag('Test doubles replace the models and the tools.') },
  body: { kind: 'definition' },
  answers: { 200: { description: 'The plan.', schema: agentPlan } },
  handle: async ({ tenant, bytes, headers, query }) => ({
    status: 200,
    json: await tenant.agents.planUpload(bytes, headers['content-type'] ?? '', query),
  }),
})

const listAgents = route({
  method: 'GET',
  path: '/v1/agents',
  name: 'listAgents',
  summary: 'Lists the newest or the active version of each agent.',
  tag: 'agents',
  access: READERS,
  query: { ...PAGE, ...LEVELS, name: id('Only the agents with exactly this name.') },
  answers: { 200: page },
  handle: async ({ tenant, query: { levels, ...query } }) => ({
    status: 200,
    json: pageWithLevels(await tenant.agents.list(query), levels),
  }),
})

const readAgent = route({
  method: 'GET',
  path: '/v1/agents/{agent}',
  name: 'readAgent',
  summary: 'Returns the active version of an agent, else the newest.',
  tag: 'agents',
  access: READERS,
  query: { ...LEVELS, version: id('A version or a label.') },
  answers: { 200: shown },
  handle: async ({ tenant, params, query: { version, levels } }) => ({
    status: 200,
    json: withLevels(await tenant.agents.read(params.agent, version), levels),
  }),
})

const listVersions = route({
  method: 'GET',
  path: '/v1/agents/{agent}/versions',
  name: 'listVersions',
  summary: 'Lists the versions of an agent.',
  tag: 'agents',
  access: READERS,
  query: { ...PAGE, ...LEVELS },
  answers: { 200: page },
  handle: async ({ tenant, params, query: { levels, ...query } }) => ({
    status: 200,
    json: pageWithLevels(await tenant.agents.versions(params.agent, query), levels),
  }),
})

const readDefinition = route({
  method: 'GET',
  path: '/v1/agents/{agent}/versions/{version}',
  name: 'readDefinition',
  summary: 'Returns a definition: the bytes as they were uploaded if `accept` names their media type.',
  tag: 'agents',
  access: READERS,
  answers: { 200: { description: 'The definition.', mediaTypes: DEFINITION_TYPES } },
  async handle({ tenant, params: { agent, version }, headers }) {
    const accepted = acceptedDefinitions(headers.accept)
    const { body, mediaType } = await tenant.agents.definition(agent, version, accepted)
    return { status: 200, bytes: body, mediaType, headers: { vary: 'accept' } }
  },
})

const setLabel = route({
  method: 'PUT',
  path: '/v1/agents/{agent}/labels/{label}',
  name: 'setLabel',
  summary: 'Moves a label, such as `production`, to a version.',
  tag: 'agents',
  access: AUTHORS,
  body: { kind: 'json', schema: labelTarget },
  answers: { 200: shown },
  handle: async ({ tenant, params: { agent, label }, body }) => ({
    status: 200,
    json: withLevels(await tenant.agents.label(agent, label, body.version)),
  }),
})

const removeLabel = route({
  method: 'DELETE',
  path: '/v1/agents/{agent}/labels/{label}',
  name: 'removeLabel',
  summary: 'Removes a label.',
  tag: 'agents',
  access: AUTHORS,
  answers: { 200: shown },
  handle: async ({ tenant, params: { agent, label } }) => ({
    status: 200,
    json: withLevels(await tenant.agents.label(agent, label, null)),
  }),
})

/** Definitions: upload, versions, labels, activation, plans. */
export const AGENT_ROUTES = [
  uploadAgent,
  planAgent,
  planDefinition,
  listAgents,
  readAgent,
  listVersions,
  readDefinition,
  versionRoute('activate', 'Makes a version the active one: new runs use it.'),
  versionRoute('deprecate', 'Deprecates a version: no new run uses it.'),
  setLabel,
  removeLabel,
]

/** A route that changes the status of the version that the body names. */
function versionRoute(change: 'activate' | 'deprecate', summary: string) {
  return route({
    method: 'POST',
    path: `/v1/agents/{agent}/${change}`,
    name: `${change}Agent`,
    summary,
    tag: 'agents',
    access: AUTHORS,
    body: { kind: 'json', schema: versionChoice, optional: true },
    answers: { 200: shown },
    handle: async ({ tenant, params, body }) => ({
      status: 200,
      json: withLevels(await tenant.agents[change](params.agent, body.version)),
    }),
  })
}

/** Returns an agent with its levels, by default without the lists of what is missing. */
function withLevels(agent: AgentView, whole = false): AgentView {
  if (whole) return agent
  const levels = Object.entries(agent.levels).map(([level, status]) => [
    level,
    isObject(status) ? { met: status.met ?? false } : status,
  ])
  return { ...agent, levels: Object.fromEntries(levels) }
}

function pageWithLevels(page: PageOf<AgentView>, whole?: boolean): PageOf<AgentView> {
  return { ...page, items: page.items.map((agent) => withLevels(agent, whole)) }
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
