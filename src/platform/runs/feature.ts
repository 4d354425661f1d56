import type { Grants } from '../../policy/endpoint-gate.ts'
import type { Home } from '../../session/home.ts'
import type { Planner } from '../agents/planner.ts'
import type { Feature, Opened } from '../feature.ts'
import { RUN_ROUTES } from './routes.ts'
import type { Runs, SessionStarts } from './run.ts'
import { type RunsParts, TenantRuns } from './runs.ts'
import { RUN_TABLES } from './tables.ts'

export interface RunParts {
  readonly runs: Pick<RunsParts, 'follower' | 'lookAfter' | 'commanded'>
  readonly notify: RunsParts['notify']
  readonly planner: Pick<Planner, 'newRun'>
  /** The hosts that webhooks may be sent to. */
  readonly webhookGrants: Grants
}

/** Opens the runs of an organisation, with what only other parts of the platform may do, for a principal. */
export function openRuns(
  { app, principal, home: records }: Pick<Opened, 'app' | 'principal' | 'home'>,
  { runs, planner, webhookGrants, notify }: RunParts,
): TenantRuns {
  return new TenantRuns({ database: { app }, principal, records, planner, webhookGrants, notify, ...runs })
}

export const RUNS = {
  name: 'runs',
  tables: RUN_TABLES,
  members: {
    runs: (opened: Opened, parts: RunParts): Runs => openRuns(opened, parts),
  },
  tags: {
    runs: 'Runs of agents: start, follow, pause, cancel, move, and what they have done.',
    batches: 'Many runs of one agent that are started together.',
  },
  routes: RUN_ROUTES,
} satisfies Feature<RunParts, { readonly runs: Runs; readonly sessions: SessionStarts; readonly home: Home }>
