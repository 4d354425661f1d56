import type pg from 'pg'
import type { EntryMaker } from '../../trust/audit-chain.ts'
import type { Feature, Opened } from '../feature.ts'
import type { BrowserSessions } from './browser-session.ts'
import { browserSessionsOf } from './browser-sessions.ts'
import type { PeopleIn } from './member.ts'
import type { Organisations } from './organisation.ts'
import { organisationsOf } from './organisations.ts'
import { peopleOf } from './people.ts'
import { PEOPLE_ROUTES, type PeopleMembers } from './routes.ts'
import { PEOPLE_TABLES } from './tables.ts'
import type { TokensIn } from './token.ts'
import { tokensOf } from './tokens.ts'

/** @public It is named by the declarations of the package. */
export interface PeopleParts {
  /** A request sees one organisation only; this sees all. */
  readonly engine: pg.Pool
  readonly nextEntry: EntryMaker
}

export const PEOPLE = {
  name: 'people',
  tables: PEOPLE_TABLES,
  members: {
    organisations: ({ app, principal }: Opened, { engine, nextEntry }: PeopleParts): Organisations =>
      organisationsOf({ app, engine, principal, nextEntry }),
    people:
      ({ org, within }: Opened): PeopleIn =>
      async (organisation = org) =>
        peopleOf(await within(organisation)),
    tokens:
      ({ org, within }: Opened): TokensIn =>
      async (organisation = org) =>
        tokensOf(await within(organisation)),
    browserSessions: (opened: Opened): BrowserSessions => browserSessionsOf(opened),
  },
  tags: { people: 'Organisations, their members, teams, tokens and browser sessions.' },
  routes: PEOPLE_ROUTES,
} satisfies Feature<PeopleParts, PeopleMembers>
