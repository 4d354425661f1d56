import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import type { AuditedAgent } from '../policy/audited-agent.ts'
import { auditedAgent } from '../policy/audited-agent.ts'
import type { Home } from './home.ts'

/** An attempt to import a definition in order to run it. A plan or a rehearsal does not count. */
export interface ImportAttempt {
  /** Absent if nothing outlives the process. */
  readonly home: Pick<Home, 'audit'> | undefined
  readonly by: string
  readonly user?: string | undefined
  /** The path of the definition, as the caller gave it. */
  readonly source?: string | undefined
}

/**
 * Does a part of an import, and records its refusal in the audit log before it is thrown, if the agent is audited
 * (AAIF-7-10). Refusals that a run itself decides are recorded with the events of that run.
 * @param definition returns the definition, as far as it is known when the refusal is thrown
 * @throws what `work` throws; an error of the audit log, because an unaudited refusal must not look like an audited one
 */
export async function auditingRefusal<T>(
  attempt: ImportAttempt,
  definition: () => unknown,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof WaybillError && error.fault === 'refused') {
      const agent = error.details.refused ?? auditedAgent(definition())
      if (agent !== undefined) await record(attempt, agent, error)
    }
    throw error
  }
}

async function record({ home, by, user, source }: ImportAttempt, agent: AuditedAgent, error: WaybillError) {
  const { code, details } = error
  await home?.audit.append([
    {
      at: new Date().toISOString(),
      kind: 'definition.refused',
      ...agent,
      by,
      ...defined({ user, source, rule: details.rule }),
      code,
    },
  ])
}
