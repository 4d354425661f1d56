import { acceptedDefinitions } from '../accepted-types.ts'
import { DEFINITION_TYPES } from '../read-body.ts'
import { AUTHORS, param, READERS, type Route } from '../route.ts'
import { agentView, labelTarget, versionChoice } from '../schemas/agent-schemas.ts'
import { id, PAGE, pageOf } from '../schemas/building.ts'

interface VersionChoice {
  readonly version?: string
}

const shown = { description: 'The version.', schema: agentView }
const page = { description: 'A page of versions.', schema: pageOf(agentView) }

/** Definitions: upload, versions, labels, activation. */
export const AGENT_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/agents',
    name: 'uploadAgent',
    summary: 'Uploads a definition as JSON, YAML, CBOR or MessagePack.',
    tag: 'agents',
    access: AUTHORS,
    body: { kind: 'definition' },
    answers: {
      200: { description: 'These bytes are known already.', schema: agentView },
      201: { description: 'The new version.', schema: agentView },
    },
    async handle({ tenant, bytes, headers }) {
      const { created, agent } = await tenant.agents.upload(bytes, headers['content-type'] ?? '')
      return { status: created ? 201 : 200, json: agent }
    },
  },
  {
    method: 'GET',
    path: '/v1/agents',
    name: 'listAgents',
    summary: 'Lists the newest or the active version of each agent.',
    tag: 'agents',
    access: READERS,
    query: { ...PAGE, name: id('Only the agents with exactly this name.') },
    answers: { 200: page },
    handle: async ({ tenant, query }) => ({ status: 200, json: await tenant.agents.list(query) }),
  },
  {
    method: 'GET',
    path: '/v1/agents/{agent}',
    name: 'readAgent',
    summary: 'Returns the active version of an agent, else the newest.',
    tag: 'agents',
    access: READERS,
    query: { version: id('A version or a label.') },
    answers: { 200: shown },
    handle: async (call) => ({
      status: 200,
      json: await call.tenant.agents.read(param(call, 'agent'), (call.query as VersionChoice).version),
    }),
  },
  {
    method: 'GET',
    path: '/v1/agents/{agent}/versions',
    name: 'listVersions',
    summary: 'Lists the versions of an agent.',
    tag: 'agents',
    access: READERS,
    query: PAGE,
    answers: { 200: page },
    handle: async (call) => ({
      status: 200,
      json: await call.tenant.agents.versions(param(call, 'agent'), call.query),
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
      return { status: 200, json: agent }
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
      json: await call.tenant.agents.label(param(call, 'agent'), param(call, 'label'), null),
    }),
  },
]

/** A route that changes the status of the version that the body names. */
function versionRoute(change: 'activate' | 'deprecate', summary: string): Route {
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
      json: await call.tenant.agents[change](param(call, 'agent'), (call.body as VersionChoice).version),
    }),
  }
}
