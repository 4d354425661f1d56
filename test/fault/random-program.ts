import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryRecords } from '../../src/adapters/records/memory/memory-records.ts'
import { runHost } from '../../src/compose/run-host.ts'
import type { Fact, RunEvent } from '../../src/run/event.ts'
import type { RunState } from '../../src/run/state.ts'
import { AgentSessions } from '../../src/session/agent-sessions.ts'
import { type Script, type ScriptStep, scriptedRun } from '../platform/scripted-agent.ts'
import { scriptedParts } from '../platform/scripted-sessions.ts'

/** The agents of the workload. All are audited. */
export const AGENTS = {
  /** Two at a time. */
  plain: { runtime: { concurrency: 2 }, compliance: { audit_log: true } },
  asking: { compliance: { audit_log: true, human_in_the_loop: { enabled: true } } },
  /** Its questions lapse before a person answers. */
  timed: { compliance: { audit_log: true, human_in_the_loop: { enabled: true, timeout_seconds: 1 } } },
}

export type Kind = keyof typeof AGENTS

/** What a run did. */
export interface Done {
  /** Lines of the log, of the run and of its sub-agents. */
  readonly calls: readonly string[]
  readonly state: RunState
  readonly events: readonly RunEvent[]
}

const KINDS = Object.keys(AGENTS) as Kind[]

/** Makes an agent and its program: calls, questions that are answered or lapse, and sub-agents. */
export function randomProgram(random: () => number, name: string): { kind: Kind; script: Script } {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
  const steps = (most: number, tools: readonly ScriptStep[]): readonly ScriptStep[] =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(tools))
  const kind = pick(KINDS)
  const own = ['send', 'book', 'look'] as const
  // Each question of this agent takes a second to lapse.
  if (kind === 'timed') return { kind, script: { pays: 0, name, steps: steps(2, [...own, steps(1, own)]) } }
  return { kind, script: { pays: 0, name, steps: steps(4, [...own, steps(3, own)]) } }
}

/**
 * Returns what must be equal under faults and without them: the output, the conversation, the calls that took effect, and
 * those types of events that no fault can change.
 */
export function outcomeOf({ calls, state, events }: Done): unknown {
  return {
    output: state.end?.output,
    conversation: plain(state.messages.toArray()),
    calls: [...new Set(calls.map(plainText))].sort(),
    types: events.map(({ fact }) => fact.type).filter((type) => ALWAYS.has(type)),
  }
}

const ALWAYS: ReadonlySet<Fact['type']> = new Set(['run.started', 'model.answered', 'approval.lapsed'])

/** Without the members that make a call a fault. */
function plainText(text: string): string {
  return text.replaceAll(/,\\?"(kill\\?":true|killsIn\\?":\d+|ms\\?":\d+)/g, '')
}

function plain(value: unknown): unknown {
  return JSON.parse(plainText(JSON.stringify(value)))
}

/** Performs a program in memory without faults. */
export async function predicted(
  kind: Kind,
  { kills: _, killsIn: _in, ms: _ms, ...script }: Script,
): Promise<Done> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-predicted-'))
  const log = join(folder, 'calls')
  const records = memoryRecords()
  const sessions = new AgentSessions(runHost(scriptedParts({ log }), 'the platform', records))
  try {
    const run = await records.runs.create(scriptedRun('predicted', script, AGENTS[kind]))
    const session = await sessions.openHeld(run)
    const { state } = await session.drive(undefined, {
      ask: async ({ call, signal }) => {
        if (kind !== 'timed')
          return { type: 'person.decided', call_id: call.id, verdict: 'approve', by: 'ann' }
        if (!signal.aborted) await once(signal, 'abort')
        return null
      },
    })
    const events = await records.runs.events('predicted')
    return { calls: linesOf(log), state, events }
  } finally {
    await sessions.close()
    rmSync(folder, { recursive: true })
  }
}

function linesOf(log: string): readonly string[] {
  try {
    return readFileSync(log, 'utf8').trimEnd().split('\n')
  } catch {
    return []
  }
}
