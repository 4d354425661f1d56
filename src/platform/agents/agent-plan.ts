import { defined } from '../../document/defined.ts'
import type { ErrorObject, WaybillError } from '../../document/issue.ts'
import { asJson, type JsonObject } from '../../document/json.ts'
import { compileProgram } from '../../plan/compile-program.ts'
import type { Plan } from '../../plan/plan.ts'
import { planHash } from '../../plan/plan-hash.ts'
import { requestTokens } from '../../plan/request-tokens.ts'
import { inPlatformWords } from '../../policy/hints/platform-words.ts'
import { earlyEnd } from '../../run/early-end.ts'
import type { AgentPlan, Agents, ShortPlan } from './agent.ts'
import type { Catalogue } from './agent-catalogue.ts'
import type { Planner, PlanRequest } from './planner.ts'

/** Returns the plan of an agent and of those that it may call, in the form of `waybill plan --json`. */
export function agentPlanOf([root, ...family]: readonly Plan[]): AgentPlan {
  if (root === undefined) throw new Error('a family has a root')
  const program = compileProgram(root, family)
  const error = earlyEnd(program)?.error
  const agents = family.flatMap((plan) => {
    const own = program.family.get(plan.definition_hash)
    return own === undefined ? [] : [{ ok: earlyEnd(own) === null, plan_hash: own.hash, ...plan }]
  })
  const plan = {
    ok: error === undefined,
    ...defined({ error }),
    plan_hash: planHash(root),
    ...root,
    tokens_per_request: requestTokens(root),
    ...(agents.length > 0 && { agents }),
  }
  return inPlatformWords(plan)
}

/** Returns what a run would lack by a plan. */
export function shortPlanOf({
  ok,
  error,
  models,
  tools,
  subagents,
  secrets,
  degradations,
}: AgentPlan): ShortPlan {
  return {
    ok,
    ...(error !== undefined && { error: briefly(error) }),
    models: models
      .filter(({ eligible }) => !eligible)
      .map(({ provider, model, reason, hint }) => brief({ provider, model, reason, hint })),
    tools: tools
      .filter(({ gate, reason }) => gate === 'deny' && reason !== undefined)
      .map(({ name, reason }) => brief({ name, reason })),
    subagents: subagents
      .filter(({ reason }) => reason !== undefined)
      .map(({ alias, reason }) => brief({ alias, reason })),
    secrets,
    degraded: degradations.map(({ path, reason }) => brief({ path, reason })),
  }
}

/** Returns the short plan of an agent that cannot be planned. */
export function unplanned(error: WaybillError): ShortPlan {
  const nothing = { models: [], tools: [], subagents: [], secrets: [], degraded: [] }
  return { ok: false, error: briefly(inPlatformWords(error.toJSON())), ...nothing }
}

function briefly({ code, message, hint }: ErrorObject): NonNullable<ShortPlan['error']> {
  return { code, message, ...defined({ hint }) }
}

function brief(members: object): JsonObject {
  return asJson(defined({ ...members })) as JsonObject
}

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
