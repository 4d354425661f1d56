import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlatformRecord } from '../../src/platform/records/run-row.ts'
import { platformStatus, wholeView } from '../../src/platform/records/run-view.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { runHeader } from '../../src/run/record/run-header.ts'
import { planOf } from '../run/fixture.ts'

const plan = planOf()
const header = runHeader({ plan, hash: 'a'.repeat(64) }, 'r1')
const record: PlatformRecord = {
  run_id: 'r1',
  header,
  status: 'running',
  seq: 3,
  questions: 0,
  live: true,
  imported: false,
  created_at: 1,
  updated_at: 2,
  phase: 'queued',
  leg: 1,
  queue: null,
  priority: 0,
  due_at: null,
  deaths: 0,
  why: null,
  version: '1.0.0',
  session: null,
}

test('a run that ended between two reads is shown with its output and its status', () => {
  const state = {
    ...initialState('r1', plan.agent_id, 'a'.repeat(64)),
    status: 'completed' as const,
    end: { status: 'completed' as const, stop_reason: 'final' as const, output: 'done' },
  }
  const first = { type: 'run.started', input: '' } as const
  const view = wholeView(record, { header, plan, family: [], first, state, imported: false })
  assert.deepEqual([view.status, view.output, view.stop_reason], ['completed', 'done', 'final'])
  assert.deepEqual([view.version, view.why], ['1.0.0', undefined])
})

const statuses: readonly (readonly [string, Partial<PlatformRecord>, string])[] = [
  ['a leg that drives', {}, 'running'],
  ['a run whose first leg is queued', { live: false, seq: 0 }, 'queued'],
  ['a run that starts later', { live: false, seq: 0, phase: 'parked', due_at: 5 }, 'scheduled'],
  ['a run whose worker died', { live: false }, 'running'],
  ['a run without a queue whose process died', { live: false, phase: 'held' }, 'interrupted'],
  ['a run that asks', { live: false, status: 'waiting', phase: 'parked' }, 'awaiting_approval'],
  ['a run that was set aside', { live: false, phase: 'set_aside' }, 'set_aside'],
  ['a run that has ended', { live: false, status: 'failed', phase: 'over' }, 'failed'],
]
for (const [rule, changed, status] of statuses)
  test(`${rule} is ${status}`, () => {
    assert.equal(platformStatus({ ...record, ...changed }), status)
  })
