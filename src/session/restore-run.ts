import { defined } from '../document/defined.ts'
import { cleanFirst } from '../run/drive/clean-first.ts'
import type { OpenPii } from '../run/drive/open-pii.ts'
import type { Fact, RunEvent } from '../run/event.ts'
import { initialState } from '../run/initial-state.ts'
import { auditFacts, isAudited } from '../run/record/audit-facts.ts'
import type { MemoryRecords, RestoredRecord } from '../run/record/records.ts'
import { type RunOrigin, runHeader } from '../run/record/run-header.ts'
import type { RunState } from '../run/state.ts'
import type { RestoredFamily, RestoredRun } from '../state/restore-state.ts'
import type { AuditFact } from '../trust/audit-chain.ts'
import { identityOf } from './capture-run.ts'
import type { World } from './run-host.ts'

export interface RestoredRecords {
  readonly runs: readonly RestoredRecord[]
  readonly audit: readonly AuditFact[]
}

/**
 * Returns restored runs as they are stored: without secrets, with personal data handled as their plans say, and with the
 * audit entries that these require.
 */
export function restoredRecords(
  { runs }: RestoredFamily,
  origin: Omit<RunOrigin, 'parent'>,
  at: number,
  {
    world,
    pii,
    kept,
    family,
  }: {
    readonly world: World
    readonly pii: OpenPii
    readonly kept: boolean
    readonly family: RestoredRecord['family']
  },
): RestoredRecords {
  const [root] = runs
  const audit: AuditFact[] = []
  const records = runs.map((run): RestoredRecord => {
    const { program, runId, parent } = run
    const { user, session, on_behalf_of, definitions } = origin
    const header = runHeader(
      program,
      runId,
      parent === undefined
        ? origin
        : {
            ...defined({ user, session, on_behalf_of, definitions }),
            parent: { ...parent, root_run_id: root?.runId ?? runId },
          },
    )
    const ports = { ...world.ports, pii: pii.port }
    const events = cleanEvents(run, at, ports)
    if (kept && !program.plan.rehearsal && isAudited(program.plan, events))
      audit.push(...auditFacts(events, program.plan, header))
    return {
      header,
      plan: program.plan,
      family: parent === undefined ? family : [],
      first: cleanFirst(run.first, program, runId, ports),
      events,
      sealed: pii.values.takeSealed(),
    }
  })
  return { runs: records, audit }
}

function cleanEvents(
  { facts, program, runId }: RestoredRun,
  at: number,
  { redact, pii }: Pick<World['ports'], 'redact'> & { readonly pii: OpenPii['port'] },
): readonly RunEvent[] {
  const state: RunState = initialState(runId, program.plan.agent_id, program.hash)
  return facts.map((fact, index) => {
    const redacted = pii.clean(redact?.(fact) ?? fact, program, state)
    // Signed lines are kept as they came: a changed one would be worthless.
    const { receipts } = fact.type === 'run.restored' ? fact : {}
    return { seq: index + 1, at, fact: { ...redacted, ...defined({ receipts }) } as Fact, decision: {} }
  })
}

/**
 * Stores restored memory items that the home does not have: a newer item is not replaced by an older one.
 */
export async function restoreMemory(
  { runs }: RestoredFamily,
  stateId: string,
  {
    memory: kept,
    definitions,
  }: { readonly memory: MemoryRecords; readonly definitions: Readonly<Record<string, string>> },
  redact: (text: string) => string,
  at: number,
): Promise<void> {
  for (const { program, memory, runId } of runs) {
    const { plan } = program
    for (const { item, entry } of memory) {
      const owner = {
        definition: identityOf(plan, definitions),
        agent_id: plan.agent_id,
        scope: item.scope,
        user: entry.user ?? '',
        session: entry.session ?? '',
      }
      const known = await kept.items(owner, at)
      if (known.some(({ key }) => key === item.key)) continue
      const clean = { ...item, key: redact(item.key), content: redact(item.content) }
      await kept.save(owner, clean, `restore:${stateId}:${item.scope}:${item.key}`, runId)
    }
  }
}
