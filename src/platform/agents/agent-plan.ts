import { defined } from '../../document/defined.ts'
import type { ErrorObject, WaybillError } from '../../document/issue.ts'
import { asJson, type JsonObject } from '../../document/json.ts'
import { compileProgram } from '../../plan/compile-program.ts'
import type { Plan } from '../../plan/plan.ts'
import { planHash } from '../../plan/plan-hash.ts'
import { requestTokens } from '../../plan/request-tokens.ts'
import { inPlatformWords } from '../../policy/hints/platform-words.ts'
import { earlyEnd } from '../../run/early-end.ts'

/** Returns the plan of an agent and of those that it may call, in the form of `waybill plan --json`. */
export function agentPlanOf([root, ...family]: readonly Plan[]): JsonObject {
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
  return inPlatformWords(plan as unknown as JsonObject)
}

/** What a run of an agent would lack now, in an answer that is read by people. */
export interface ShortPlan {
  /** False: a run would be refused, or would fail before its first model request. */
  readonly ok: boolean
  readonly error?: Pick<ErrorObject, 'code' | 'message' | 'hint'>
  /** Models that cannot be used. */
  readonly models: readonly JsonObject[]
  /** Tools that are denied, such as functions that are not installed. */
  readonly tools: readonly JsonObject[]
  readonly subagents: readonly JsonObject[]
  /** Names of the secrets that a run reads. */
  readonly secrets: readonly string[]
  /** Members of the definition that are not applied. */
  readonly degraded: readonly JsonObject[]
}

/** Returns what a run would lack by a plan. */
export function shortPlanOf(plan: JsonObject): ShortPlan {
  const { ok, error, models, tools, subagents, secrets, degradations } = plan as unknown as Plan & {
    readonly ok: boolean
    readonly error?: ErrorObject
  }
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
