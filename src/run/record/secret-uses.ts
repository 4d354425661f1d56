import type { Plan } from '../../plan/plan.ts'
import type { AuditFact } from '../../trust/audit-chain.ts'
import type { RunEvent } from '../event.ts'
import type { RunState } from '../state.ts'
import { type ActingRun, actingFor } from './acting-run.ts'

/** Notes which secrets a leg of a run uses, so that each of them is audited once for each agent. */
export class SecretUses {
  readonly #run: ActingRun
  readonly #noted = new Set<string>()

  constructor(run: ActingRun) {
    this.#run = run
  }

  /**
   * Returns the audit entries for the secrets of what is about to be sent.
   * @param state of the agent's run after the events
   */
  of(plan: Plan, events: readonly RunEvent[], state: RunState): readonly AuditFact[] {
    const facts: AuditFact[] = []
    for (const secret of namesIn(plan, events, state)) {
      const key = JSON.stringify([plan.agent_id, secret])
      if (this.#noted.has(key)) continue
      this.#noted.add(key)
      facts.push({
        at: new Date(events.at(-1)?.at ?? Date.now()).toISOString(),
        kind: 'secret.used',
        run_id: this.#run.run_id,
        agent_id: plan.agent_id,
        ...actingFor(this.#run),
        secret,
      })
    }
    return facts
  }
}

function namesIn(plan: Plan, events: readonly RunEvent[], state: RunState): ReadonlySet<string> {
  const names: (string | undefined)[] = []
  for (const { decision } of events) {
    if (decision.attempt !== undefined) names.push(plan.models[decision.attempt.route]?.key)
    if (decision.review !== undefined && decision.review !== null) names.push(plan.judge?.key)
  }
  for (const { status, tool } of state.calls)
    if (status === 'sent') names.push(plan.tools.find(({ name }) => name === tool)?.auth?.secret)
  return new Set(names.filter((name) => name !== undefined))
}
