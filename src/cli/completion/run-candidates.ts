import { type PeekedRun, peekRuns } from '../../adapters/records/sqlite/peek-runs.ts'
import { ago } from '../../session/ago.ts'
import { shortRunIdsAmong } from '../../session/short-run-id.ts'
import { readLogins } from '../../settings/logins.ts'
import type { Candidate, Place } from './candidate.ts'

/** How many of the newest runs are looked at. */
const NEWEST = 200

/** How many are offered. */
const OFFERED = 40

export type RunKind = 'runs' | 'resumable' | 'running' | 'waiting'

/**
 * Returns the runs of this machine that fit, by their short ids, the newest first, and `last`. Of a whole id that was begun, the
 * whole ids are returned.
 */
export function runCandidates(kind: RunKind, { current, before, home }: Place): readonly Candidate[] {
  // To ask a server takes too long, and the runs of this machine are others.
  if (isElsewhere(before, home)) return []
  const { runs, ids } = peekRuns(home, NEWEST)
  const short = shortRunIdsAmong(ids)
  const fitting = runs.filter((run) => fits(run, kind)).slice(0, OFFERED)
  const now = Date.now()
  const described = fitting.map((run) => ({ run_id: run.run_id, text: textOf(run, now) }))
  const shorts = described.map(({ run_id, text }) => ({ word: short(run_id), text }))
  const whole = described.map(({ run_id, text }) => ({ word: run_id, text }))
  const begun = shorts.some(({ word }) => word.startsWith(current)) ? shorts : whole
  const [newest] = runs.filter(({ inner }) => !inner)
  const last = newest !== undefined && fits(newest, kind) ? [{ word: 'last', text: 'the newest run' }] : []
  return [...begun, ...last]
}

function isElsewhere(before: readonly string[], home: string): boolean {
  if (before.includes('--local')) return false
  return before.some((word) => /^--server(?:=|$)/.test(word)) || readLogins(home).current !== null
}

function fits({ status, questions, inner, away }: PeekedRun, kind: RunKind): boolean {
  switch (kind) {
    case 'runs':
      return !inner
    case 'waiting':
      return questions > 0 && !away
    case 'running':
      return status === 'running' && !inner && !away
    case 'resumable':
      // A run that is running by its record may have been interrupted.
      return ['running', 'waiting', 'paused'].includes(status ?? '') && !inner && !away
  }
}

function textOf({ agent_name, created_at, status }: PeekedRun, now: number): string {
  return [agent_name ?? 'unknown', ago(now - created_at), status ?? 'damaged'].join(' · ')
}
