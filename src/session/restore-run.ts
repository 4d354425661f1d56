import { defined } from '../document/defined.ts'
import { cleanFirst } from '../run/drive/clean-first.ts'
import type { OpenPii } from '../run/drive/open-pii.ts'
import type { Fact, RunEvent } from '../run/event.ts'
import { initialState } from '../run/initial-state.ts'
import { auditFacts, isAudited } from '../run/record/audit-facts.ts'
import type { MemoryRecords, RestoredRecord } from '../run/record/records.ts'
import { type RunOrigin, runHeader } from '../run/record/run-header.ts'
import type { RunState } from '../run/state.ts'
import type { RestoredMessages } from '../state/restore-messages.ts'
import type { RestoredFamily, RestoredRun } from '../state/restore-state.ts'
import type { AuditFact } from '../trust/audit-chain.ts'
import { identityOf } from './capture-run.ts'
import type { World } from './run-host.ts'

export interface RestoredRecords {
  readonly runs: readonly RestoredRecord[]
  readonly audit: readonly AuditFact[]
}

/** Returns a part of the conversation as it is stored: see {@link restoredRecords}. */
export function messagesEvent(
  { messages, times }: RestoredMessages,
  seq: number,
  run: Pick<RestoredRun, 'program' | 'runId'>,
  { at, world, pii }: { readonly at: number; readonly world: World; readonly pii: OpenPii },
): RunEvent {
  return cleaner(run, at, { ...world.ports, pii: pii.port })(
    { type: 'messages.restored', messages, times },
    seq,
  )
}

/**
 * Returns restored runs as they are stored: without secrets, with personal data handled as their plans say, and with the
 * audit entries that these require.
 * @param parts.audited of the events of the root that are stored already, if its events are audited
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
    audited = [],
  }: {
    readonly world: World
    readonly pii: OpenPii
    readonly kept: boolean
    readonly family: RestoredRecord['family']
    readonly audited?: readonly AuditFact[]
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
      audit.push(...(parent === undefined ? audited : []), ...auditFacts(events, program.plan, header))
    return {
      header,
      plan: program.plan,
      family: parent === undefined ? family : [],
      first: cleanFirst(run.first, program, runId, ports),
      events,
      ...(run.stored > 0 && { stored: run.stored }),
      sealed: pii.values.takeSealed(),
    }
  })
  return { runs: records, audit }
}

type CleaningPorts = Pick<World['ports'], 'redact'> & { readonly pii: OpenPii['port'] }

function cleanEvents(run: RestoredRun, at: number, ports: CleaningPorts): readonly RunEvent[] {
  const clean = cleaner(run, at, ports)
  return run.facts.map((fact, index) => clean(fact, run.stored + index + 1))
}

function cleaner(
  { program, runId }: Pick<RestoredRun, 'program' | 'runId'>,
  at: number,
  { redact, pii }: CleaningPorts,
): (fact: RestoredRun['facts'][number], seq: number) => RunEvent {
  const state: RunState = initialState(runId, program.plan.agent_id, program.hash)
  return (fact, seq) => {
    const redacted = pii.clean(redact?.(fact) ?? fact, program, state)
    // Signed lines are kept as they came: a changed one would be worthless.
    const { receipts } = fact.type === 'run.restored' ? fact : {}
    return { seq, at, fact: { ...redacted, ...defined({ receipts }) } as Fact, decision: {} }
  }
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
