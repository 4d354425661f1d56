import { WaybillError } from '../../document/issue.ts'
import { ADMINS, type Call, param, READERS, type Route } from '../../http/route.ts'
import { PAGE, pageOf, removed } from '../../http/schema.ts'
import { ORGANISATION } from '../../platform/people/organisation.ts'
import type { CreatedOrganisation, NewOrganisation } from '../../platform/people/organisations.ts'
import type { NewMember, NewTeam } from '../../platform/people/people.ts'
import type { CreatedToken, NewToken } from '../../platform/people/tokens.ts'
import type { Platform, Tenant } from '../../platform/platform.ts'
import { oneOf } from '../../spec/schema-builder.ts'
import {
  createdOrganisation,
  createdToken,
  memberView,
  newMember,
  newOrganisation,
  newTeam,
  newToken,
  organisationView,
  principalView,
  teamView,
  tokenView,
} from '../schemas/people-schemas.ts'

/**
 * Returns the routes of organisations, their members and teams, and of tokens.
 * @param scopes what tokens can be limited to
 */
export function peopleRoutes(
  platform: Pick<Platform, 'organisations'>,
  scopes: readonly string[],
): readonly Route<Tenant>[] {
  return [
    {
      method: 'GET',
      path: '/v1/me',
      name: 'readPrincipal',
      summary: 'Returns who the token acts for.',
      tag: 'people',
      access: READERS,
      answers: { 200: { description: 'The principal.', schema: principalView } },
      handle: ({ tenant }) => ({ status: 200, json: tenant.principal }),
    },
    {
      method: 'GET',
      path: '/v1/organisations',
      name: 'listOrganisations',
      summary: 'Lists the own organisation; all for admins of the organisation `default`.',
      tag: 'people',
      access: READERS,
      query: PAGE,
      answers: { 200: { description: 'A page of organisations.', schema: pageOf(organisationView) } },
      handle: async ({ tenant, query }) => ({
        status: 200,
        json: await platform.organisations(tenant.principal).list(query),
      }),
    },
    {
      method: 'POST',
      path: '/v1/organisations',
      name: 'createOrganisation',
      summary: 'Creates an organisation with its first admin. Only for admins of the organisation `default`.',
      tag: 'people',
      access: ADMINS,
      body: { kind: 'json', schema: newOrganisation },
      answers: { 201: { description: 'The organisation.', schema: createdOrganisation } },
      async handle({ tenant, body }) {
        const request = body as unknown as NewOrganisation
        const created = await platform.organisations(tenant.principal).create(request)
        return { status: 201, json: created, kept: withoutAdminToken(created) }
      },
    },
    ...MEMBER_ROUTES,
    ...TEAM_ROUTES,
    ...tokenRoutes(scopes),
  ]
}

const people = (call: Call<Tenant>) => call.tenant.people(param(call, 'organisation'))

const MEMBER_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'GET',
    path: '/v1/organisations/{organisation}/members',
    name: 'listMembers',
    summary: 'Lists the members of an organisation.',
    tag: 'people',
    access: READERS,
    query: PAGE,
    answers: { 200: { description: 'A page of members.', schema: pageOf(memberView) } },
    handle: async (call) => ({ status: 200, json: await (await people(call)).members(call.query) }),
  },
  {
    method: 'POST',
    path: '/v1/organisations/{organisation}/members',
    name: 'setMember',
    summary: 'Adds a user or a service account, or replaces its roles.',
    tag: 'people',
    access: ADMINS,
    body: { kind: 'json', schema: newMember },
    answers: { 200: { description: 'The member.', schema: memberView } },
    handle: async (call) => ({
      status: 200,
      json: await (await people(call)).setMember(call.body as unknown as NewMember),
    }),
  },
  {
    method: 'DELETE',
    path: '/v1/organisations/{organisation}/members/{user}',
    name: 'removeMember',
    summary: 'Removes a member, and revokes its tokens.',
    tag: 'people',
    access: ADMINS,
    answers: { 200: { description: 'How many were removed.', schema: removed } },
    async handle(call) {
      await (await people(call)).removeMember(param(call, 'user'))
      return { status: 200, json: { removed: 1 } }
    },
  },
]

const TEAM_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'GET',
    path: '/v1/organisations/{organisation}/teams',
    name: 'listTeams',
    summary: 'Lists the teams of an organisation.',
    tag: 'people',
    access: READERS,
    query: PAGE,
    answers: { 200: { description: 'A page of teams.', schema: pageOf(teamView) } },
    handle: async (call) => ({ status: 200, json: await (await people(call)).teams(call.query) }),
  },
  {
    method: 'POST',
    path: '/v1/organisations/{organisation}/teams',
    name: 'setTeam',
    summary: 'Adds a team, or replaces its roles and members.',
    tag: 'people',
    access: ADMINS,
    body: { kind: 'json', schema: newTeam },
    answers: { 200: { description: 'The team.', schema: teamView } },
    handle: async (call) => ({
      status: 200,
      json: await (await people(call)).setTeam(call.body as unknown as NewTeam),
    }),
  },
  {
    method: 'DELETE',
    path: '/v1/organisations/{organisation}/teams/{team}',
    name: 'removeTeam',
    summary: 'Removes a team. Its members stay.',
    tag: 'people',
    access: ADMINS,
    answers: { 200: { description: 'How many were removed.', schema: removed } },
    async handle(call) {
      await (await people(call)).removeTeam(param(call, 'team'))
      return { status: 200, json: { removed: 1 } }
    },
  },
]

function tokens({ tenant }: Pick<Call<Tenant>, 'tenant'>, organisation = tenant.principal.organisation) {
  return tenant.tokens(organisation)
}

const tokenRoutes = (scopes: readonly string[]): readonly Route<Tenant>[] => [
  {
    method: 'GET',
    path: '/v1/tokens',
    name: 'listTokens',
    summary: 'Lists the valid tokens of the user; those of all users for an admin.',
    tag: 'people',
    access: READERS,
    query: { ...PAGE, ...ORGANISATION },
    failures: [404],
    answers: { 200: { description: 'A page of tokens.', schema: pageOf(tokenView) } },
    async handle(call) {
      const { organisation, ...page } = call.query as { readonly organisation?: string }
      return { status: 200, json: await (await tokens(call, organisation)).list(page) }
    },
  },
  {
    method: 'POST',
    path: '/v1/tokens',
    name: 'createToken',
    summary: 'Creates a token. Its value is shown once; a repeated request does not show it again.',
    tag: 'people',
    access: READERS,
    body: { kind: 'json', schema: newToken(scopes) },
    failures: [404],
    answers: { 201: { description: 'The token.', schema: createdToken } },
    async handle(call) {
      const { organisation, ...request } = call.body as unknown as NewToken & {
        readonly organisation?: string
      }
      const created = await (await tokens(call, organisation)).create(request, call.resourceId)
      return { status: 201, json: created, kept: withoutToken(created) }
    },
  },
  {
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
    async handle(call) {
      const { organisation, confirm } = call.query as {
        readonly organisation?: string
        readonly confirm?: 'self'
      }
      const id = param(call, 'token')
      if (id.startsWith('wbt_')) throw idNeeded()
      await (await tokens(call, organisation)).revoke(id, { evenLast: confirm === 'self' })
      return { status: 200, json: { removed: 1 } }
    },
  },
]

function withoutAdminToken({ admin_token: _token, ...kept }: CreatedOrganisation) {
  return kept
}

function withoutToken({ token: _token, ...kept }: CreatedToken) {
  return kept
}

/** Paths are written to the logs of proxies. */
function idNeeded(): WaybillError {
  return new WaybillError('REQUEST_INVALID', {
    message: 'a path must not contain a token: this one may be in logs now',
    hint: 'find its id with GET /v1/tokens, and revoke it by the id',
  })
}
