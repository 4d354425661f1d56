import type { Feature, Opened } from '../feature.ts'
import { openRuns, type RunParts } from '../runs/feature.ts'
import type { Runs } from '../runs/run.ts'
import { SESSION_ROUTES } from './routes.ts'
import type { Sessions } from './session.ts'
import { SESSION_TABLES } from './tables.ts'
import { TenantSessions } from './tenant-sessions.ts'

/** Opens the sessions of an organisation, with what only other parts of the platform may do, for a principal. */
export function openSessions(
  opened: Pick<Opened, 'app' | 'principal' | 'home'>,
  parts: RunParts,
): TenantSessions {
  const { app, principal } = opened
  return new TenantSessions({
    database: { app },
    principal,
    runs: openRuns(opened, parts),
    notify: parts.notify,
  })
}

export const SESSIONS = {
  name: 'sessions',
  tables: SESSION_TABLES,
  members: {
    sessions: (opened: Opened, parts: RunParts): Sessions => openSessions(opened, parts),
  },
  tags: { sessions: 'Conversations with an agent, which continue over several messages.' },
  routes: SESSION_ROUTES,
} satisfies Feature<RunParts, { readonly sessions: Sessions; readonly runs: Runs }>
