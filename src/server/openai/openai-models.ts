import { WaybillError } from '../../document/issue.ts'
import type { Agents, AgentView } from '../../platform/agents/agent.ts'

/**
 * The label by which an agent opts in: `PUT /v1/agents/ID/labels/openai`. Its version answers, so that a client keeps
 * it until the label moves.
 */
export const OPENAI_LABEL = 'openai'

/** Pages of agents that are read for one request. */
const MOST_PAGES = 100

/** An agent as a model of the OpenAI API. */
export interface OpenAiModel {
  /** The name of the agent; its id if another agent has the same name. */
  readonly id: string
  readonly agent: AgentView
}

/** Returns the agents that have opted in. */
export async function openAiModels(agents: Agents): Promise<readonly OpenAiModel[]> {
  const found = await optedIn(agents, () => true)
  const count = Map.groupBy(found, ({ name }) => name)
  return found.map((agent) => ({
    id: count.get(agent.name)?.length === 1 ? agent.name : agent.agent_id,
    agent,
  }))
}

/**
 * Returns the agent with this name or id.
 * @throws AGENT_NOT_FOUND, also for an agent that has not opted in; REQUEST_INVALID if several have this name
 */
export async function openAiModel(agents: Agents, model: string): Promise<AgentView> {
  const byId = await labelled(agents, model)
  if (byId !== null) return byId
  const [found, other] = await optedIn(agents, ({ name }) => name === model)
  if (found === undefined)
    throw new WaybillError('AGENT_NOT_FOUND', {
      fault: 'usage',
      at: '/model',
      message: `there is no model ${JSON.stringify(model.slice(0, 200))}`,
      hint: '`GET /openai/v1/models` lists the agents with the label `openai`',
    })
  if (other === undefined) return found
  throw new WaybillError('REQUEST_INVALID', {
    at: '/model',
    message: `several agents have the name ${JSON.stringify(model)}`,
    hint: `use an id: ${found.agent_id}, ${other.agent_id}`,
  })
}

async function optedIn(
  agents: Agents,
  matches: (agent: AgentView) => boolean,
): Promise<readonly AgentView[]> {
  const found: AgentView[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, next } = await agents.list({ limit: 100, ...(cursor !== undefined && { cursor }) })
    for (const agent of items.filter(matches)) {
      const version = agent.labels.includes(OPENAI_LABEL)
        ? usable(agent)
        : await labelled(agents, agent.agent_id)
      if (version !== null) found.push(version)
    }
    if (next === null) break
    cursor = next
  }
  return found
}

/** Returns the version with the label; null if there is none, or no agent with this id. */
async function labelled(agents: Agents, agentId: string): Promise<AgentView | null> {
  try {
    return usable(await agents.read(agentId, OPENAI_LABEL))
  } catch (error) {
    const isMissing =
      error instanceof WaybillError &&
      (error.code === 'AGENT_NOT_FOUND' || error.code === 'VERSION_NOT_FOUND')
    if (isMissing) return null
    throw error
  }
}

function usable(agent: AgentView): AgentView | null {
  return agent.status === 'active' || agent.status === 'inactive' ? agent : null
}
