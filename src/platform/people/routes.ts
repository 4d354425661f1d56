import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { ADMINS, READERS, routesOf } from '../../http/route.ts'
import { oneOf, PAGE, pageOf, removed } from '../../http/schema.ts'
import { csrfOf, sessionCookie, setCookie } from '../../http/session-cookie.ts'
import type { Principal } from '../../session/principal.ts'
import { type BrowserSessions, browserSession, endedSession } from './browser-session.ts'
import { memberView, newMember, newTeam, type PeopleIn, teamView } from './member.ts'
import { ORGANISATION } from './names.ts'
import {
  createdOrganisation,
  newOrganisation,
  type Organisations,
  organisationView,
  principalView,
} from './organisation.ts'
import { createdToken, newToken, type TokensIn, tokenView } from './token.ts'

/** What the routes of people use of a tenant. */
export interface PeopleMembers {
  readonly principal: Principal
  readonly organisations: Organisations
  readonly people: PeopleIn
  readonly tokens: TokensIn
  readonly browserSessions: BrowserSessions
}

const route = routesOf<PeopleMembers>()

const readPrincipal = route({
  method: 'GET',
  path: '/v1/me',
  name: 'readPrincipal',
  summary: 'Returns who the token acts for.',
  tag: 'people',
  access: READERS,
  answers: { 200: { description: 'The principal.', schema: principalView } },
  handle: ({ tenant }) => ({ status: 200, json: tenant.principal }),
})

const listOrganisations = route({
  method: 'GET',
  path: '/v1/organisations',
  name: 'listOrganisations',
  summary: 'Lists the own organisation; all for admins of the organisation `default`.',
  tag: 'people',
  access: READERS,
  query: PAGE,
  answers: { 200: { description: 'A page of organisations.', schema: pageOf(organisationView) } },
  handle: async ({ tenant, query }) => ({ status: 200, json: await tenant.organisations.list(query) }),
})

const createOrganisation = route({
  method: 'POST',
  path: '/v1/organisations',
  name: 'createOrganisation',
  summary: 'Creates an organisation with its first admin. Only for admins of the organisation `default`.',
  tag: 'people',
  access: ADMINS,
  body: { kind: 'json', schema: newOrganisation },
  answers: { 201: { description: 'The organisation.', schema: createdOrganisation } },
  async handle({ tenant, body }) {
    const { admin_token, ...kept } = await tenant.organisations.create(body)
    return { status: 201, json: { ...kept, ...defined({ admin_token }) }, kept }
  },
})

const listMembers = route({
  method: 'GET',
  path: '/v1/organisations/{organisation}/members',
  name: 'listMembers',
  summary: 'Lists the members of an organisation.',
  tag: 'people',
  access: READERS,
  query: PAGE,
  answers: { 200: { description: 'A page of members.', schema: pageOf(memberView) } },
  handle: async ({ tenant, params, query }) => ({
    status: 200,
    json: await (await tenant.people(params.organisation)).members(query),
  }),
})

const setMember = route({
  method: 'POST',
  path: '/v1/organisations/{organisation}/members',
  name: 'setMember',
  summary: 'Adds a user or a service account, or replaces its roles.',
  tag: 'people',
  access: ADMINS,
  body: { kind: 'json', schema: newMember },
  answers: { 200: { description: 'The member.', schema: memberView } },
  handle: async ({ tenant, params, body }) => ({
    status: 200,
    json: await (await tenant.people(params.organisation)).setMember(body),
  }),
})

const removeMember = route({
  method: 'DELETE',
  path: '/v1/organisations/{organisation}/members/{user}',
  name: 'removeMember',
  summary: 'Removes a member, and revokes its tokens.',
  tag: 'people',
  access: ADMINS,
  answers: { 200: { description: 'How many were removed.', schema: removed } },
  async handle({ tenant, params }) {
    await (await tenant.people(params.organisation)).removeMember(params.user)
    return { status: 200, json: { removed: 1 } }
  },
})

const listTeams = route({
  method: 'GET',
  path: '/v1/organisations/{organisation}/teams',
  name: 'listTeams',
  summary: 'Lists the teams of an organisation.',
  tag: 'people',
  access: READERS,
  query: PAGE,
  answers: { 200: { description: 'A page of teams.', schema: pageOf(teamView) } },
  handle: async ({ tenant, params, query }) => ({
    status: 200,
    json: await (await tenant.people(params.organisation)).teams(query),
  }),
})

const setTeam = route({
  method: 'POST',
  path: '/v1/organisations/{organisation}/teams',
  name: 'setTeam',
  summary: 'Adds a team, or replaces its roles and members.',
  tag: 'people',
  access: ADMINS,
  body: { kind: 'json', schema: newTeam },
  answers: { 200: { description: 'The team.', schema: teamView } },
  handle: async ({ tenant, params, body }) => ({
    status: 200,
    json: await (await tenant.people(params.organisation)).setTeam(body),
  }),
})

const removeTeam = route({
  method: 'DELETE',
  path: '/v1/organisations/{organisation}/teams/{team}',
  name: 'removeTeam',
  summary: 'Removes a team. Its members stay.',
  tag: 'people',
  access: ADMINS,
  answers: { 200: { description: 'How many were removed.', schema: removed } },
  async handle({ tenant, params }) {
    await (await tenant.people(params.organisation)).removeTeam(params.team)
    return { status: 200, json: { removed: 1 } }
  },
})

export const listTokens = route({
  method: 'GET',
  path: '/v1/tokens',
  name: 'listTokens',
  summary: 'Lists the valid tokens of the user; those of all users for an admin.',
  tag: 'people',
  access: READERS,
  query: { ...PAGE, ...ORGANISATION },
  failures: [404],
  answers: { 200: { description: 'A page of tokens.', schema: pageOf(tokenView) } },
  async handle({ tenant, query: { organisation, ...page } }) {
    return { status: 200, json: await (await tenant.tokens(organisation)).list(page) }
  },
})

export const createToken = route({
  method: 'POST',
  path: '/v1/tokens',
  name: 'createToken',
  summary: 'Creates a token. Its value is shown once; a repeated request does not show it again.',
  tag: 'people',
  access: READERS,
  body: { kind: 'json', schema: newToken },
  failures: [404],
  answers: { 201: { description: 'The token.', schema: createdToken } },
  async handle({ tenant, body: { organisation, ...request }, resourceId }) {
    const { token, ...kept } = await (await tenant.tokens(organisation)).create(request, resourceId)
    return { status: 201, json: { ...kept, token }, kept }
  },
})

export const revokeToken = route({
  method: 'DELETE',
  path: '/v1/tokens/{token}',
  name: 'revokeToken',
  summary: 'Revokes a token by its id. It is refused at once, by every server.',
  tag: 'people',
  access: READERS,
  query: {
    ...ORGANISATION,
    confirm: oneOf(['self'], 'Also the last token of an admin, which is refused otherwise.'),
  },
  answers: { 200: { description: 'How many were revoked.', schema: removed } },
  async handle({ tenant, params, query: { organisation, confirm } }) {
    if (params.token.startsWith('wbt_')) throw idNeeded()
    await (await tenant.tokens(organisation)).revoke(params.token, { evenLast: confirm === 'self' })
    return { status: 200, json: { removed: 1 } }
  },
})

/** Paths are written to the logs of proxies. */
function idNeeded(): WaybillError {
  return new WaybillError('REQUEST_INVALID', {
    message: 'a path must not contain a token: this one may be in logs now',
    hint: 'find its id with GET /v1/tokens, and revoke it by the id',
  })
}

const openBrowserSession = route({
  method: 'POST',
  path: '/v1/browser-session',
  name: 'openBrowserSession',
  summary: 'Signs in: opens a session with the rights of the token, and sets its cookie.',
  tag: 'people',
  access: READERS,
  answers: { 201: { description: 'The session.', schema: browserSession } },
  async handle({ tenant }) {
    const { cookie, csrf, expires_at } = await tenant.browserSessions.open()
    const json = { csrf, ...signedIn(tenant.principal), expires_at }
    const headers = { 'set-cookie': setCookie(cookie, expires_at) }
    return { status: 201, json, kept: { ...json, csrf: '' }, headers }
  },
})

const readBrowserSession = route({
  method: 'GET',
  path: '/v1/browser-session',
  name: 'readBrowserSession',
  summary: 'Shows the session of the cookie, with the value for the header x-csrf-token.',
  tag: 'people',
  access: READERS,
  answers: { 200: { description: 'The session.', schema: browserSession } },
  handle({ tenant: { principal }, headers }) {
    const { session, until } = principal
    const cookie = sessionCookie(headers.cookie)
    const csrf = session === undefined || cookie === undefined ? '' : csrfOf(cookie)
    const expires_at = session === undefined ? null : (until ?? null)
    return { status: 200, json: { csrf, ...signedIn(principal), expires_at } }
  },
})

const endBrowserSession = route({
  method: 'DELETE',
  path: '/v1/browser-session',
  name: 'endBrowserSession',
  summary: 'Signs out: ends the session of the cookie, and removes the cookie.',
  tag: 'people',
  access: READERS,
  answers: { 200: { description: 'Whether a session was ended.', schema: endedSession } },
  async handle({ tenant }) {
    await tenant.browserSessions.end()
    const ended = tenant.principal.session !== undefined
    return { status: 200, json: { ended }, headers: { 'set-cookie': setCookie(null) } }
  },
})

function signedIn({ organisation, user, roles }: Principal) {
  return { organisation, user, roles }
}

/** Organisations, their members and teams, tokens, and the sessions of browsers. */
export const PEOPLE_ROUTES = [
  readPrincipal,
  listOrganisations,
  createOrganisation,
  listMembers,
  setMember,
  removeMember,
  listTeams,
  setTeam,
  removeTeam,
  listTokens,
  createToken,
  revokeToken,
  openBrowserSession,
  readBrowserSession,
  endBrowserSession,
]
