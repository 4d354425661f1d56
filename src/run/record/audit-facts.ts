import { sha256 } from '../../document/canonical.ts'
import { defined } from '../../document/defined.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import type { Plan, Refusal } from '../../plan/plan.ts'
import type { AuditFact } from '../../trust/audit-chain.ts'
import type { RunEvent } from '../event.ts'
import { type ActingRun, actingFor } from './acting-run.ts'
import { encodeEvent } from './event-line.ts'
import type { StoredRun } from './records.ts'

/**
 * Returns the audit entries for a run's events (AAIF §4.9): who did what, and when. Content is included as a digest
 * only, which links the entry to the event in the run's own record.
 */
export function auditFacts(events: readonly RunEvent[], plan: Plan, run: ActingRun): readonly AuditFact[] {
  return events.map(
    (event): AuditFact => ({
      at: new Date(event.at).toISOString(),
      kind: kindOf(event),
      run_id: run.run_id,
      agent_id: plan.agent_id,
      ...actingFor(run),
      seq: event.seq,
      ...particulars(event, plan),
      event: sha256(encodeEvent(event)),
    }),
  )
}

function kindOf({ fact, decision }: RunEvent): string {
  return decision.end?.status === 'refused' ? 'run.refused' : fact.type
}

function particulars({ fact, decision }: RunEvent, plan: Plan): Readonly<Record<string, Json>> {
  const route = decision.attempt === undefined ? undefined : plan.models[decision.attempt.route]
  const { calls: round = [], add = [], judged = [], closed = [] } = decision
  const calls = [...round, ...add, ...judged, ...closed]
  const { end, ending } = decision
  return {
    ...(fact.type === 'run.started' && {
      plan: plan.definition_hash,
      safety_level: plan.safety_level,
      ...(plan.extensions !== undefined && { extensions: plan.extensions.map(({ name }) => name) }),
    }),
    ...('call_id' in fact && { call: fact.call_id }),
    ...('by' in fact && { by: fact.by }),
    ...(fact.type === 'turn.interrupted' && { how: fact.how }),
    ...(fact.type === 'person.decided' && {
      verdict: fact.verdict,
      ...defined({ why: fact.why, grant: fact.grant }),
      ...(fact.arguments !== undefined && { arguments: sha256(JSON.stringify(fact.arguments)) }),
      ...(fact.answers !== undefined && { answers: sha256(JSON.stringify(fact.answers)) }),
    }),
    ...(route !== undefined && { route: `${route.provider_id ?? route.provider}/${route.model}` }),
    ...(calls.length > 0 && {
      calls: calls.map(({ id, tool, status, effect, args, agent }) => ({
        id,
        // A model may have made it up, and its name is a text then.
        tool:
          agent !== undefined || effect !== 'none' || isPlanned(plan, tool) ? tool : `sha256:${sha256(tool)}`,
        status,
        effect,
        arguments: sha256(JSON.stringify(args)),
      })),
    }),
    ...(decision.breaches !== undefined && {
      breaches: decision.breaches.map(({ constraint }) => constraint),
    }),
    ...(ending !== undefined && { ending: ending.error?.code ?? ending.status }),
    ...(end !== undefined && {
      status: end.status,
      stop_reason: end.stop_reason,
      ...(end.error !== undefined && {
        code: end.error.code,
        ...defined({ rule: end.error.rule }),
      }),
      ...(end.status === 'refused' &&
        plan.refusals.length > 0 && { refusals: plan.refusals.map(auditedRefusal) }),
    }),
  }
}

function isPlanned({ tools }: Plan, name: string): boolean {
  return tools.some((tool) => tool.name === name)
}

function auditedRefusal({ code, pointer, subagent, audited }: Refusal): JsonObject {
  return { code, pointer, ...defined({ subagent, agent_id: audited }) }
}

/**
 * Returns true if events of this plan are audited: all events if the definition requires it; refusals always at
 * level regulated, also those that a sub-agent of such a plan causes.
 */
export function isAudited(plan: Plan, events: readonly RunEvent[]): boolean {
  if (plan.audit) return true
  const audits =
    plan.safety_level === 'regulated' || plan.refusals.some(({ audited }) => audited !== undefined)
  return audits && events.some(({ decision }) => decision.end?.status === 'refused')
}

/**
 * Returns true if actions on a whole run (reveal, remove, import) are audited: if its agent or an agent that may
 * take part requires it. A rehearsal is not evidence.
 */
export function isAuditedRun({ plan, family }: Pick<StoredRun, 'plan' | 'family'>): boolean {
  return !plan.rehearsal && [plan, ...family].some(({ audit }) => audit)
}
