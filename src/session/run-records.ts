import { defined } from '../document/defined.ts'
import type { Plan } from '../plan/plan.ts'
import type { PiiValues } from '../run/drive/pii-values.ts'
import { auditFacts, isAudited } from '../run/record/audit-facts.ts'
import type { OpenRun, Records } from '../run/record/records.ts'
import { runHeader } from '../run/record/run-header.ts'
import type { SecretUses } from '../run/record/secret-uses.ts'
import type { AgentRecords, EventSink } from '../run/record-port.ts'
import type { AuditFact } from '../trust/audit-chain.ts'

/** Data that is stored together with the events of a run. */
export interface Beside {
  /** Absent if nothing outlives the process: such runs are not audited. */
  readonly audits: boolean
  /** Stored with the first events that are appended. */
  readonly audit?: readonly AuditFact[]
  readonly pii: Pick<PiiValues, 'takeSealed'>
  /** Present: uses of secrets are audited. */
  readonly secrets?: SecretUses
}

/**
 * Returns a sink that appends events, their audit entries and sealed personal data to the record of a run in one
 * transaction.
 */
export function recordSink(
  run: OpenRun,
  plan: Plan,
  { audits, audit = [], pii, secrets }: Beside,
): EventSink {
  const { header } = run
  let first: readonly AuditFact[] = audit
  return {
    append(events, durable, state) {
      const entries =
        audits && !plan.rehearsal && isAudited(plan, events) ? auditFacts(events, plan, header) : []
      const used = secrets === undefined || plan.rehearsal ? [] : secrets.of(plan, events, state)
      const facts = [...first, ...entries, ...used]
      first = []
      const sealed = pii.takeSealed()
      if (facts.length === 0 && sealed.length === 0) return run.append(events, { durable, state })
      return run.append(events, { durable, state, audit: facts, sealed })
    },
  }
}

/** Returns the records of the sub-agents of a run, new or partly filled. */
export function agentRecords(records: Pick<Records, 'runs'>, root: OpenRun, beside: Beside): AgentRecords {
  const { audit: _first, ...rest } = beside
  return {
    has: (runId) => records.runs.has(runId),
    async open(agent, call, parent, program, first) {
      const create = async () => {
        // Cleaned first, so that the values of its placeholders are sealed in the same change.
        const begins = await first()
        return records.runs.create({
          header: runHeader(program, agent.run_id, {
            user: root.header.user,
            session: root.header.session,
            on_behalf_of: root.header.on_behalf_of,
            parent: {
              run_id: parent.run_id,
              root_run_id: root.header.run_id,
              call_id: call.id,
              alias: agent.alias,
            },
            definitions: root.header.definitions,
          }),
          plan: program.plan,
          family: [],
          first: begins,
          sealed: beside.pii.takeSealed(),
        })
      }
      const known = (await records.runs.has(agent.run_id))
        ? await records.runs.open(agent.run_id)
        : await create()
      return {
        state: known.state,
        first: known.first,
        ...defined({ copied: known.copied }),
        sink: recordSink(known, program.plan, rest),
        close: () => known.close(),
      }
    },
  }
}
