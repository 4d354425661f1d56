import type { Feature, Opened } from '../feature.ts'
import type { Agents } from './agent.ts'
import { agentCatalogue, type CatalogueOptions } from './agent-catalogue.ts'
import { plannedAgents } from './agent-plan.ts'
import type { Planner } from './planner.ts'
import { AGENT_ROUTES } from './routes.ts'
import { AGENT_TABLES } from './tables.ts'

/** @public It is named by the declarations of the package. */
export interface AgentParts {
  /** What uploads are checked against, and how they are recorded. */
  readonly agents: CatalogueOptions
  readonly planner: Planner
}

export const AGENTS = {
  name: 'agents',
  tables: AGENT_TABLES,
  members: {
    agents: ({ app, org, principal, home }: Opened, { agents, planner }: AgentParts): Agents =>
      plannedAgents(agentCatalogue({ app }, principal, home, agents), planner, { org, by: principal.user }),
  },
  tags: { agents: 'Agent definitions: uploads, versions, labels, activation, and plans of runs.' },
  routes: AGENT_ROUTES,
} satisfies Feature<AgentParts, { readonly agents: Agents }>
