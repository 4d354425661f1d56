import { defined } from '../../document/defined.ts'
import type { Agents } from './agent.ts'
import type { Catalogue } from './agent-catalogue.ts'
import { agentPlanOf } from './agent-plan.ts'
import type { Planner, PlanRequest } from './planner.ts'

/** Adds the plans of runs to the agents of an organisation. */
export function plannedAgents(
  catalogue: Catalogue,
  planner: Pick<Planner, 'agent'>,
  who: Pick<PlanRequest, 'org' | 'by'>,
): Agents {
  const { examined, ...agents } = catalogue
  return {
    ...agents,
    plan: async (agent_id, request) =>
      agentPlanOf((await planner.agent({ ...who, agent_id, ...request })).plans),
    async planUpload(body, mediaType, { rehearse }) {
      const upload = await examined(body, mediaType)
      const { agent_id } = upload
      return agentPlanOf((await planner.agent({ ...who, agent_id, upload, ...defined({ rehearse }) })).plans)
    },
  }
}
