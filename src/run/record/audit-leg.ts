import { defined } from '../../document/defined.ts'
import type { Json } from '../../document/json.ts'
import type { OperatorSettings } from '../../plan/operator-settings.ts'
import type { Plan } from '../../plan/plan.ts'
import { callRuleText } from '../../policy/approval/call-rule.ts'
import type { AuditFact } from '../../trust/audit-chain.ts'
import type { Fact } from '../event.ts'
import { type ActingRun, actingFor } from './acting-run.ts'
import type { RunHeader } from './run-header.ts'

/**
 * Returns the audit entries that precede a leg of a run (AAIF §4.9): for the first leg the imported definitions,
 * with their source and signer, and the invalid ones of sub-agents; then the operator's standing grants. Empty if none of it is audited.
 */
export function auditLeg(
  first: Fact | undefined,
  plans: readonly Plan[],
  run: ActingRun & Pick<RunHeader, 'definition_file'>,
  settings: OperatorSettings,
): readonly AuditFact[] {
  const audited = plans.filter(({ audit, rehearsal }) => audit && !rehearsal)
  const begins = first?.type === 'run.started'
  if (!(begins || first?.type === 'run.resumed')) return []
  const at = new Date().toISOString()
  const whose = { run_id: run.run_id, ...actingFor(run) }
  const refused = begins
    ? invalidAgents(plans).map((fact) => ({ at, kind: 'definition.refused', ...whose, ...fact }))
    : []
  if (audited.length === 0) return refused
  const imported = begins ? audited.map((plan) => importFact(plan, plan === plans[0], run)) : []
  return [
    ...refused,
    ...imported.map((fact) => ({ at, kind: 'definition.imported', ...whose, ...fact })),
    { at, kind: 'grants.in_force', ...whose, ...grantsOf(settings) },
  ]
}

/** Returns what to audit about the sub-agents whose definitions are invalid, each once (AAIF-7-10). */
function invalidAgents(plans: readonly Plan[]): readonly Record<string, Json>[] {
  const refused = plans
    .filter(({ rehearsal }) => !rehearsal)
    .flatMap(({ subagents }) => subagents.flatMap((subagent) => subagent.refused ?? []))
  const each = new Map(refused.map((agent) => [agent.definition, agent]))
  return [...each.values()].map((agent) => ({ ...agent, code: 'SUBAGENT_UNRESOLVED' }))
}

function importFact(
  { agent_id, definition_hash, safety_level, signature }: Plan,
  isRoot: boolean,
  { definition_file }: Pick<RunHeader, 'definition_file'>,
): Record<string, Json> {
  return {
    agent_id,
    definition: definition_hash,
    safety_level,
    ...(isRoot && definition_file !== undefined && { source: definition_file }),
    signature: signature?.status ?? 'unchecked',
    ...defined({ signer: signature?.signer }),
  }
}

function grantsOf({ grants, secret_grants, key_bindings, allowed_calls = [] }: OperatorSettings) {
  return {
    hosts: grants.hosts.map(
      ({ host, port, source }) => `${host}${port === undefined ? '' : `:${port}`} (${source})`,
    ),
    secrets: secret_grants.map(({ name, host }) => `${name}@${host}`),
    keys: Object.entries(key_bindings).flatMap(([provider, urls]) => urls.map((url) => `${provider}@${url}`)),
    calls: allowed_calls.map(callRuleText),
  }
}
