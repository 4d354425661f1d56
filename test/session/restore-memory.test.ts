import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryRecords } from '../../src/adapters/records/memory/memory-records.ts'
import type { PlannedMemory } from '../../src/plan/plan.ts'
import type { MemoryItem } from '../../src/run/state.ts'
import { restoreMemory } from '../../src/session/restore-run.ts'
import { programOf } from '../run/fixture.ts'

test('restored items are stored with their expiry, without secrets, and never over an item that is there', async () => {
  const program = programOf()
  const { plan } = program
  const records = memoryRecords()
  const owner = {
    definition: `sha256:${plan.definition_hash}`,
    agent_id: plan.agent_id,
    scope: 'user' as const,
    user: 'ada',
    session: '',
  }
  const item = (key: string, content: string, expires_at: number | null = null): MemoryItem => ({
    scope: 'user',
    key,
    content,
    saved_at: 1,
    expires_at,
  })
  await records.memory.save(owner, item('known', 'newer'), 'call')
  const entry = { scope: 'user', kept_in: 'sqlite', user: 'ada' } as PlannedMemory
  const memory = [item('known', 'older'), item('new', 'a secret', 5000)].map((one) => ({ item: one, entry }))
  const run = {
    runId: 'r',
    program,
    first: { type: 'run.started', input: '' },
    facts: [],
    stored: 0,
    memory,
  } as const
  const family = {
    runs: [run],
    report: { entries: [], summary: { kept: 0, carried: 0, approximated: 0, left_behind: 0 } },
  }
  for (let times = 0; times < 2; times++)
    await restoreMemory(
      family,
      's',
      { records, definitions: {} },
      (text) => text.replace('secret', '***'),
      1000,
    )
  const items = await records.memory.items(owner, 1000)
  assert.deepEqual(items.map(({ key, content, expires_at }) => [key, content, expires_at]).sort(), [
    ['known', 'newer', null],
    ['new', 'a ***', 5000],
  ])
})
