import { randomUUID } from 'node:crypto'
import { WaybillError } from '../../src/document/issue.ts'
import type { MemberView, People, TeamView } from '../../src/platform/people/member.ts'
import type { Organisations } from '../../src/platform/people/organisation.ts'
import type { Tokens, TokenView } from '../../src/platform/people/token.ts'
import type { Stops, StopView } from '../../src/platform/stops/stop.ts'
import type { Principal } from '../../src/session/principal.ts'

const AT = '2026-01-01T00:00:00.000Z'

const missing = (
  code:
    | 'MEMBER_NOT_FOUND'
    | 'TEAM_NOT_FOUND'
    | 'TOKEN_NOT_FOUND'
    | 'ORGANISATION_NOT_FOUND'
    | 'STOP_NOT_FOUND',
) => new WaybillError(code, { fault: 'usage', message: 'not known' })

/** The people and tokens of one organisation, in memory. */
export class FakePeople {
  readonly #members = new Map<string, MemberView>()
  readonly #teams = new Map<string, TeamView>()
  readonly #tokens = new Map<string, TokenView>()

  people(): People {
    const [members, teams] = [this.#members, this.#teams]
    return {
      members: async () => ({ items: [...members.values()], next: null }),
      async setMember({ user, kind = 'person', name = user, roles, teams: named = [] }) {
        if (named.some((team) => !teams.has(team))) throw missing('TEAM_NOT_FOUND')
        const member = { user, kind, name, roles, teams: named, created_at: AT }
        members.set(user, member)
        return member
      },
      async removeMember(user) {
        if (!members.delete(user)) throw missing('MEMBER_NOT_FOUND')
      },
      teams: async () => ({ items: [...teams.values()], next: null }),
      async setTeam({ team, name = team, roles = [], members: named = [] }) {
        if (named.some((user) => !members.has(user))) throw missing('MEMBER_NOT_FOUND')
        const made = { team, name, roles, members: named }
        teams.set(team, made)
        return made
      },
      async removeTeam(team) {
        if (!teams.delete(team)) throw missing('TEAM_NOT_FOUND')
      },
    }
  }

  tokens(principal: Principal): Tokens {
    const tokens = this.#tokens
    const { organisation } = principal
    return {
      async create(
        { name = '', user = principal.user, roles = principal.roles, scopes, expires_at = null },
        id = randomUUID(),
      ) {
        const view = {
          id,
          name,
          user,
          roles,
          scopes: scopes ?? null,
          created_at: AT,
          created_by: principal.user,
          expires_at,
          used_at: null,
        }
        tokens.set(id, view)
        return { ...view, token: `wbt_${randomUUID()}`, organisation }
      },
      list: async () => ({ items: [...tokens.values()], next: null }),
      async revoke(id) {
        if (!tokens.delete(id)) throw missing('TOKEN_NOT_FOUND')
      },
    }
  }
}

export function fakeOrganisations(
  { organisation, roles }: Principal,
  known: readonly string[],
): Organisations {
  const view = (one: string) => ({ organisation: one, name: one, created_at: AT })
  return {
    list: async () => ({ items: [view(organisation)], next: null }),
    async create({ organisation: created }) {
      if (!roles.includes('admin')) throw new WaybillError('ROLE_MISSING', { message: 'not permitted' })
      if (known.includes(created))
        throw new WaybillError('ORGANISATION_EXISTS', { fault: 'usage', message: 'it exists' })
      return {
        ...view(created),
        admin_token: { id: randomUUID(), token: `wbt_${randomUUID()}`, expires_at: AT },
      }
    },
  }
}

/** @throws ORGANISATION_NOT_FOUND for another organisation than that of the principal */
export function assertOwn({ organisation }: Principal, asked: string): void {
  if (asked !== organisation) throw missing('ORGANISATION_NOT_FOUND')
}

export function fakeStops(organisation: string): Stops {
  const stops = new Map<string, StopView>()
  return {
    list: async () => ({ items: [...stops.values()] }),
    async stop({ reason, ...given }) {
      const [one, ...others] = Object.entries(given)
      if (one === undefined || others.length > 0)
        throw new WaybillError('REQUEST_INVALID', { message: 'not exactly one' })
      const [kind, subject] = one as [StopView['kind'], string]
      if (kind === 'run') throw new WaybillError('RUN_NOT_FOUND', { fault: 'usage', message: 'not known' })
      if (kind === 'organisation' && subject !== organisation) throw missing('ORGANISATION_NOT_FOUND')
      const stop = {
        id: randomUUID(),
        kind,
        subject,
        by: 'x',
        since: AT,
        ...(reason !== undefined && { reason }),
      }
      stops.set(stop.id, stop)
      return { ...stop, runs: 0, in_flight: [] }
    },
    async lift(id) {
      if (!stops.delete(id)) throw missing('STOP_NOT_FOUND')
      return { runs: 0 }
    },
  }
}
